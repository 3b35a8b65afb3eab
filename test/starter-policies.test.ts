// The included policies: their tests, the releases they support, and their agreement with Pod Security.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resourcesOf } from '../src/kubernetes/api/resource.ts';
import { evaluatePod, violationsOf } from '../src/kubernetes/pod-security/evaluate-pod.ts';
import { podSecurityVersion } from '../src/kubernetes/pod-security/level-version.ts';
import { checkedPod, isWindowsPod } from '../src/kubernetes/pod-security/pod.ts';
import { Reviewer } from '../src/pipeline/answer-review.ts';
import type { TestReport } from '../src/report/explanation/policy-test.ts';
import type { Report } from '../src/report/report.ts';
import { isJsonObject, stringifyJson } from '../src/source/json/json.ts';
import { objectOrEmpty } from '../src/source/json/json-field.ts';
import { parseJson } from '../src/source/json/parse-json.ts';
import { readManifests } from '../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { podSecurityLines } from './conformance/pod-security.ts';
import { GitFolder } from './support/git-fixture.ts';
import { runTogether } from './support/printed.ts';
import { type Answer, type Json, namespaceObject, reviewOf } from './support/review.ts';

const ROOT = join(import.meta.dirname, '..');
const SERVER = { major: 1, minor: 36 };

function preadmit(...args: readonly string[]) {
  return preadmitIn(ROOT, ...args);
}

function preadmitIn(directory: string, ...args: readonly string[]) {
  return runTogether(directory, args);
}

/**
 * On CREATE there is no old object. Null has no spec in CEL, so the rest of the condition is true without the test of the operation, and
 * this mutation of the policy is equivalent.
 */
const EQUIVALENT = "without `request.operation == 'CREATE'`";

it('are tested in every outcome, and their tests detect mutations', { timeout: 600_000 }, async () => {
  const { status, out } = await preadmit('test', 'policies', '--coverage', '--mutants', '--format', 'json');
  const { coverage, mutations } = JSON.parse(out) as TestReport;
  expect(status).toBe(0);
  expect(coverage?.missing).toEqual([]);
  expect(new Set(coverage?.policies.map(({ name }) => name)).size).toBe(6);
  expect(mutations?.unnoticed.filter(({ change }) => change !== EQUIVALENT)).toEqual([]);
  expect((mutations?.noticed ?? 0) / (mutations?.tried ?? 1)).toBeGreaterThan(0.95);
});

it.each(['1.30', '1.36'])('compile without warnings for Kubernetes %s', async (version) => {
  const asked = ['policies', 'policies', '--policies', 'policies/**', '--kubernetes-version', version];
  const { out } = await preadmit(...asked, '--format', 'json');
  const [{ policies }] = JSON.parse(out) as Json;
  expect(policies.map(({ facts }: Json) => [facts.since, facts.typeWarnings])).toEqual(Array(6).fill(['1.30', []]));
});

const WORKLOAD = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: fine
          image: registry.example.com/shop/fine:1.2.3
          resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 64Mi}}
          livenessProbe: {httpGet: {port: 80}}
          readinessProbe: {httpGet: {port: 80}}
          securityContext:
            allowPrivilegeEscalation: false
            runAsNonRoot: true
            capabilities: {drop: [ALL]}
            seccompProfile: {type: RuntimeDefault}
        - name: web
          image: registry.example.com/shop/web:latest
`;

it('report the line of the container or of its field', async ({ onTestFinished }) => {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  folder.write('apps/web.yaml', WORKLOAD);
  for (const set of ['best-practices', 'pod-security']) {
    for (const name of readdirSync(join(ROOT, 'policies', set))) {
      folder.write(`policies/${set}/${name}`, readFileSync(join(ROOT, 'policies', set, name), 'utf8'));
    }
  }
  folder.commit('before');
  const { out } = await preadmitIn(folder.path, 'check', '--format', 'json');
  const lines = WORKLOAD.split('\n');
  const seen = (JSON.parse(out) as Report).findings.map(
    ({ policy, fieldPath, primary }) => `${policy.name} ${fieldPath}: ${lines[primary.startLine - 1]?.trim()}`,
  );
  const container = 'spec.template.spec.containers[1]';
  expect(seen.sort()).toEqual([
    `container-probes ${container}.livenessProbe: - name: web`,
    `container-resources ${container}.resources.requests: - name: web`,
    `pinned-images ${container}.image: image: registry.example.com/shop/web:latest`,
    `pod-security-restricted ${container}.securityContext: - name: web`,
    `pod-security-restricted ${container}.securityContext: - name: web`,
    `pod-security-restricted ${container}.securityContext: - name: web`,
    `pod-security-restricted ${container}.securityContext: - name: web`,
    'required-labels metadata.labels: metadata:',
  ]);
});

const FOLDER = join(ROOT, 'policies/pod-security');

const POLICIES = readdirSync(FOLDER)
  .filter((name) => !name.endsWith('.preadmit-test.yaml'))
  .map((name) => new SourceFile(name, readFileSync(join(FOLDER, name), 'utf8')))
  .flatMap((file) => readManifests(file).manifests.flatMap(resourcesOf))
  .flatMap((result) => ('resource' in result ? [result.resource] : []));

const NAMESPACE = readManifests(new SourceFile('namespace.json', JSON.stringify(namespaceObject('shop'))))
  .manifests.flatMap(resourcesOf)
  .flatMap((result) => ('resource' in result ? [result.resource] : []));

const REVIEWER = new Reviewer({ resources: [...POLICIES, ...NAMESPACE], kubernetesVersion: SERVER });

/** Policy and index of the failed validations, e.g. `baseline 0`. */
function failuresOf(what: string, object: Json): ReadonlySet<string> {
  const parsed = parseJson(JSON.stringify(reviewOf(what, { object })));
  const answer = REVIEWER.answer('value' in parsed ? parsed.value : null, true);
  if ('error' in answer) throw new Error(answer.error);
  const { decisions } = JSON.parse(stringifyJson(answer.review, { sortKeys: false, escapeHtml: false })) as Answer;
  const failed = decisions.filter(({ action }) => action !== 'admit');
  expect(failed.filter(({ evaluation }) => evaluation === 'error').map(({ message }) => message)).toEqual([]);
  return new Set(failed.map(({ policy, index }) => `${policy.replace('pod-security-', '')} ${index}`));
}

/** By check ID: the validations of which at least one fails if the check forbids a Pod. */
const BASELINE: Readonly<Record<string, readonly string[]>> = {
  windowsHostProcess: ['baseline 0'],
  hostNamespaces: ['baseline 1'],
  privileged: ['baseline 2'],
  capabilities_baseline: ['baseline 3'],
  hostPathVolumes: ['baseline 4'],
  hostPorts: ['baseline 5'],
  hostProbesAndHostLifecycle: ['baseline 6'],
  appArmorProfile: ['baseline 7', 'baseline 8'],
  seLinuxOptions: ['baseline 9'],
  procMount: ['baseline 10'],
  seccompProfile_baseline: ['baseline 11'],
  sysctls: ['baseline 12'],
};

const RESTRICTED: Readonly<Record<string, readonly string[]>> = {
  restrictedVolumes: ['restricted 0'],
  allowPrivilegeEscalation: ['restricted 1'],
  runAsNonRoot: ['restricted 2'],
  runAsUser: ['restricted 3'],
  seccompProfile_restricted: ['restricted 4', 'baseline 11'],
  capabilities_restricted: ['restricted 5', 'restricted 6'],
  procMount_restricted: ['restricted 7'],
};

function expectAgreement(pod: Json, failures: ReadonlySet<string>, id: string): void {
  const parsed = parseJson(JSON.stringify(pod));
  const value = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : new Map();
  const checked = checkedPod(objectOrEmpty(value.get('metadata')), objectOrEmpty(value.get('spec')));
  const version = podSecurityVersion(SERVER.minor);
  const forbidden = (level: 'baseline' | 'restricted', table: typeof BASELINE): Readonly<Record<string, boolean>> =>
    Object.fromEntries(
      evaluatePod({ level, version }, checked, SERVER).flatMap(({ check, violation }) =>
        check.id in table ? [[check.id, violation !== undefined]] : [],
      ),
    );
  const said = (table: typeof BASELINE): Readonly<Record<string, boolean>> =>
    Object.fromEntries(
      Object.entries(table).map(([check, rules]) => [check, rules.some((rule) => failures.has(rule))]),
    );
  expect(said(BASELINE), id).toEqual(forbidden('baseline', BASELINE));
  // The server rejects Windows Pods with seccomp or capabilities before it evaluates policies.
  const isRefused = isWindowsPod(checked) && /seccompProfile|capabilities/.test(JSON.stringify(pod));
  if (isRefused) return;
  expect(said(RESTRICTED), id).toEqual(forbidden('restricted', RESTRICTED));
  const isForbidden = violationsOf(evaluatePod({ level: 'restricted', version }, checked, SERVER)).length > 0;
  expect(failures.size > 0, id).toBe(isForbidden);
}

/** An object after decoding by the server: without null, and with empty values for names of list items and types of profiles. */
function decoded(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map((each) => (typeof each === 'object' && each !== null ? { name: '', ...decoded(each) } : each));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, key.endsWith('Profile') ? { type: '', ...(inner as Json) } : decoded(inner)]),
  );
}

describe('Pod Security policies agree with the checks of the admission plugin', () => {
  const lines = podSecurityLines().map((text) => decoded(JSON.parse(text)));
  /** Pods that a server decodes, and does not reject for missing containers. */
  const pods = lines.filter((line) => line.error === undefined && line.spec.containers !== undefined);

  it('for every recorded Pod', () => {
    expect(pods).toHaveLength(128);
    for (const { id, metadata = {}, spec } of pods) {
      const pod = { metadata: { name: 'settings', namespace: 'shop', ...metadata }, spec };
      expectAgreement(pod, failuresOf('v1 Pod pods', { apiVersion: 'v1', kind: 'Pod', ...pod }), id);
    }
  });

  const metadata = { name: 'settings', namespace: 'shop' };
  it.each([
    ['v1 PodTemplate podtemplates', (template: Json) => ({ template })],
    ['v1 ReplicationController replicationcontrollers', (template: Json) => ({ spec: { template } })],
    ['apps/v1 Deployment deployments', (template: Json) => ({ spec: { template } })],
    ['apps/v1 ReplicaSet replicasets', (template: Json) => ({ spec: { template } })],
    ['apps/v1 StatefulSet statefulsets', (template: Json) => ({ spec: { template } })],
    ['apps/v1 DaemonSet daemonsets', (template: Json) => ({ spec: { template } })],
    ['batch/v1 Job jobs', (template: Json) => ({ spec: { template } })],
    ['batch/v1 CronJob cronjobs', (template: Json) => ({ spec: { jobTemplate: { spec: { template } } } })],
  ])('as template of %s', (what, holding) => {
    const [apiVersion, kind] = what.split(' ');
    for (const { id, metadata: own = {}, spec } of pods) {
      const template = { metadata: own, spec };
      expectAgreement(template, failuresOf(what, { apiVersion, kind, metadata, ...holding(template) }), id);
    }
  });

  it('for random Pods', () => {
    fc.assert(
      fc.property(anyPod, (pod) => {
        expectAgreement(pod, failuresOf('v1 Pod pods', { apiVersion: 'v1', kind: 'Pod', ...pod }), JSON.stringify(pod));
      }),
      { numRuns: 300 },
    );
  });
});

/** Each field is optional. */
function some(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Json> {
  return fc.record(fields, { requiredKeys: [] });
}

const profile = fc.record({ type: fc.constantFrom('RuntimeDefault', 'Localhost', 'Unconfined') });
const seLinuxOptions = some({
  type: fc.constantFrom('container_t', 'container_engine_t', 'spc_t'),
  user: fc.constantFrom('', 'system_u'),
  role: fc.constantFrom('', 'system_r'),
  level: fc.constant('s0'),
});
const shared = {
  runAsNonRoot: fc.boolean(),
  runAsUser: fc.constantFrom(0, 1000),
  seccompProfile: profile,
  appArmorProfile: profile,
  seLinuxOptions,
  windowsOptions: some({ hostProcess: fc.boolean() }),
};
const capabilities = fc.array(fc.constantFrom('ALL', 'CHOWN', 'NET_BIND_SERVICE', 'SYS_ADMIN'), { maxLength: 2 });
const handler = some({
  httpGet: some({ port: fc.constant(80), host: fc.constantFrom('', '127.0.0.1') }),
  tcpSocket: some({ port: fc.constant(80), host: fc.constantFrom('', '127.0.0.1') }),
});
const container = fc
  .tuple(
    fc.record({ name: fc.constantFrom('a', 'b'), image: fc.constant('image:1') }),
    some({
      securityContext: some({
        ...shared,
        privileged: fc.boolean(),
        allowPrivilegeEscalation: fc.boolean(),
        procMount: fc.constantFrom('Default', 'Unmasked'),
        capabilities: some({ add: capabilities, drop: capabilities }),
      }),
      ports: fc.array(some({ containerPort: fc.constant(80), hostPort: fc.constantFrom(0, 80) }), { maxLength: 2 }),
      livenessProbe: handler,
      readinessProbe: handler,
      startupProbe: handler,
      lifecycle: some({ postStart: handler, preStop: handler }),
    }),
  )
  .map(([one, other]) => ({ ...one, ...other }));
const volume = fc.oneof(
  fc.constantFrom(
    ...['configMap', 'emptyDir', 'image', 'hostPath', 'nfs', 'gitRepo'].map((type) => ({ name: 'v', [type]: {} })),
  ),
  fc.constant({ name: 'v' }),
);
const spec = fc
  .tuple(
    fc.record({ containers: fc.array(container, { minLength: 1, maxLength: 2 }) }),
    some({
      initContainers: fc.array(container, { maxLength: 1 }),
      ephemeralContainers: fc.array(container, { maxLength: 1 }),
      hostNetwork: fc.boolean(),
      hostPID: fc.boolean(),
      hostIPC: fc.boolean(),
      hostUsers: fc.boolean(),
      os: fc.record({ name: fc.constantFrom('linux', 'windows') }),
      volumes: fc.array(volume, { maxLength: 2 }),
      securityContext: some({
        ...shared,
        sysctls: fc.array(
          fc.record({ name: fc.constantFrom('net.ipv4.tcp_rmem', 'net.core.somaxconn', 'net.ipv4.tcp_notsent_lowat') }),
          { maxLength: 2 },
        ),
      }),
    }),
  )
  .map(([one, other]) => ({ ...one, ...other }));
const annotation = 'container.apparmor.security.beta.kubernetes.io/a';
const anyPod: fc.Arbitrary<Json> = fc.record({
  metadata: fc.record({
    name: fc.constant('settings'),
    namespace: fc.constant('shop'),
    annotations: some({
      [annotation]: fc.constantFrom('', 'runtime/default', 'localhost/a', 'localhost/', 'unconfined', 'a\nlocalhost/'),
      other: fc.constant('unconfined'),
    }),
  }),
  spec,
});
