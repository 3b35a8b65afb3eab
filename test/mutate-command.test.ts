// `preadmit mutate`: output, written files, untouched files and messages.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';

function policy(
  name: string,
  expression: string,
  patchType = 'ApplyConfiguration',
  reinvocationPolicy = 'Never',
): string {
  const kind = 'MutatingAdmissionPolicy';
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] };
  const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    reinvocationPolicy,
    mutations: [{ patchType, [field]: { expression } }],
  };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    { apiVersion, kind, metadata: { name }, spec },
    { apiVersion, kind: `${kind}Binding`, metadata: { name }, spec: { policyName: name } },
  ]
    .map((document) => `${JSON.stringify(document)}\n`)
    .join('---\n');
}

const TEAM = policy('team', 'Object{metadata: Object.metadata{labels: {"team": "shop"}}}');
const REPLICAS = policy(
  'replicas',
  '[JSONPatch{op: "test", path: "/kind", value: "Deployment"}, JSONPatch{op: "replace", path: "/spec/replicas", value: 2}]',
  'JSONPatch',
);
const COUNTER = policy(
  'counter',
  'Object{metadata: Object.metadata{annotations: {"runs": string(int(object.metadata.?annotations["runs"].orValue("0")) + 1)}}}',
);

const WEB = `# The front.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # public
spec:
  replicas: 1 # at night
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: web, image: 'web:1'} # pinned
`;

function folder(files: Readonly<Record<string, string>>): GitFolder {
  const repository = new GitFolder();
  onTestFinished(() => repository.remove());
  for (const [path, text] of Object.entries(files)) repository.write(path, text);
  repository.commit();
  return repository;
}

function run(directory: string, ...args: readonly string[]) {
  return runPrinted(directory, ['mutate', ...args]);
}

const textOf = ({ path }: GitFolder, name: string): string => readFileSync(join(path, name), 'utf8');

test('changes only the necessary lines, and a second run changes nothing', async () => {
  const repository = folder({ 'policies.yaml': `${TEAM}---\n${REPLICAS}`, 'web.yaml': WEB });
  const first = await run(repository.path, '--write');
  expect(first).toMatchObject({ status: 0, out: 'wrote web.yaml\n' });
  const expected = WEB.replace('# public\n', '# public\n  labels:\n    team: shop\n').replace(
    'replicas: 1',
    'replicas: 2',
  );
  expect(textOf(repository, 'web.yaml')).toBe(expected);
  const second = await run(repository.path, '--write');
  expect(second).toEqual({ status: 0, out: '', err: 'preadmit: 0 of 1 object changed by policies\n' });
  expect(textOf(repository, 'web.yaml')).toBe(expected);
});

test('prints objects, a diff and patches, each change with its policy', async () => {
  const { path } = folder({ 'policies.yaml': `${TEAM}---\n${REPLICAS}`, 'web.yaml': WEB });
  const yaml = await run(path);
  expect(yaml.out).toContain('#   spec.replicas: changed by MutatingAdmissionPolicy replicas\n');
  expect(parse(yaml.out)).toMatchObject({ metadata: { labels: { team: 'shop' } }, spec: { replicas: 2 } });
  expect(parse(yaml.out).spec).not.toHaveProperty('progressDeadlineSeconds');
  const diff = await run(path, '--format', 'diff');
  expect(diff.out).toContain('@@ -3,8 +3,10 @@\n');
  expect(diff.out).toContain('-  replicas: 1 # at night\n+  replicas: 2 # at night\n');
  const [entry] = JSON.parse((await run(path, '--format', 'json-patch')).out);
  expect(entry).toMatchObject({ path: 'web.yaml', line: 3, kind: 'Deployment', name: 'web' });
  expect(entry.patch).toEqual([
    { op: 'replace', path: '/spec/replicas', value: 2, policy: 'replicas' },
    { op: 'add', path: '/metadata/labels', value: { team: 'shop' }, policy: 'team' },
  ]);
  const [described] = JSON.parse((await run(path, '--format', 'json')).out);
  expect(described.changes[1]).toMatchObject({ field: 'spec.replicas', op: 'replace', before: 1, after: 2 });
});

test('skips changes that a second run would repeat, and reports them', async () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: counted\n';
  const repository = folder({
    'policies.yaml': COUNTER,
    'counted.yaml': text,
    'other.yaml': text.replace('counted', 'other'),
  });
  const { status, err } = await run(repository.path, '--write');
  expect(status).toBe(1);
  expect(err).toContain(
    'counted.yaml:2 ConfigMap default/counted: not written: metadata.annotations: added by MutatingAdmissionPolicy counter: a second run would change it again',
  );
  expect(textOf(repository, 'counted.yaml')).toBe(text);
});

test('skips files that several render targets share', async () => {
  const shared = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shared\n  labels: *common\n';
  const text = `${shared.replace('*common', '&common {app: web}')}data: *common\n`;
  const repository = folder({ 'policies.yaml': TEAM, 'shared.yaml': text });
  const { status, err } = await run(repository.path, '--write');
  expect(status).toBe(1);
  expect(err).toContain('not written: metadata.labels.team');
  expect(textOf(repository, 'shared.yaml')).toBe(text);
});

test('keeps line endings, the last line and the items of a List', async () => {
  const one = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } };
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [one] }, null, 4);
  const windows = 'apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: windows';
  const repository = folder({ 'policies.yaml': TEAM, 'list.json': list, 'windows.yaml': windows });
  expect((await run(repository.path, '--write')).status).toBe(0);
  expect(textOf(repository, 'windows.yaml')).toBe(`${windows}\r\n  labels:\r\n    team: shop`);
  const labelled = { ...one, metadata: { name: 'one', labels: { team: 'shop' } } };
  expect(JSON.parse(textOf(repository, 'list.json')).items).toEqual([labelled]);
  expect(textOf(repository, 'list.json')).toContain('"name": "one",\n                "labels": {"team": "shop"}\n');
});

test('does not write files that are not valid UTF-8', async () => {
  const repository = folder({ 'policies.yaml': TEAM });
  const wide = Buffer.from('\ufeffapiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: wide\n', 'utf16le');
  repository.write('wide.yaml', wide);
  repository.commit();
  const { status, out } = await run(repository.path, '--write');
  expect([status, out]).not.toEqual([0, 'wrote wide.yaml\n']);
  expect(readFileSync(join(repository.path, 'wide.yaml'))).toEqual(wide);
});

test('quotes file names in its diff, so that it cannot patch another file', async () => {
  const name = 'a\n--- a/other.yaml\n+++ b/"other".yaml';
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n';
  const { path } = folder({ 'policies.yaml': TEAM, [name]: text });
  const { out } = await run(path, '--format', 'diff');
  const quoted = String.raw`a\n--- a/other.yaml\n+++ b/\"other\".yaml`;
  expect(out.split('\n').filter((line) => /^(?:---|\+\+\+) /.test(line))).toEqual([
    `--- "a/${quoted}"`,
    `+++ "b/${quoted}"`,
  ]);
  writeFileSync(join(path, 'change.patch'), out);
  execFileSync('git', ['apply', 'change.patch'], { cwd: path });
  expect(readFileSync(join(path, name), 'utf8')).toBe(`${text}  labels:\n    team: shop\n`);
});

test('reports an error that aborts the request', async () => {
  const fault = policy('fault', '[JSONPatch{op: "add", path: "/data/b", value: "no base64"}]', 'JSONPatch');
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: one\ndata:\n  a: aHVudGVyMg==\n';
  const { status, err } = await run(folder({ 'policies.yaml': fault, 'secret.yaml': secret }).path);
  expect(status).toBe(1);
  expect(err).toContain('secret.yaml:2 Secret one: fault fails: Internal error occurred: illegal base64 data');
});

const CONTAINERS = '/spec/template/spec/containers';
const METRICS = policy(
  'a-metrics',
  `object.spec.template.spec.containers.exists(c, c.name == "metrics") ? [] : [JSONPatch{op: "add", path: "${CONTAINERS}/-", value: {"name": "metrics", "image": "metrics:1"}}]`,
  'JSONPatch',
);
const PROXY = policy(
  'b-proxy',
  `object.spec.template.spec.containers.exists(c, c.name == "proxy") ? [] : [JSONPatch{op: "add", path: "${CONTAINERS}/0", value: {"name": "proxy", "image": "proxy:1"}}]`,
  'JSONPatch',
);
const CONTAINER = 'Object.spec.template.spec.containers';
const variable = (name: string): string =>
  `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, ${CONTAINER}{name: c.name, env: [${CONTAINER}.env{name: "${name}", value: "x"}]})}}}}`;
const ZONE = policy('c-zone', variable('ZONE'));
const STAGE = policy('d-stage', variable('STAGE'));

interface DescribedChange {
  readonly field: string;
  readonly after: { readonly name?: string } | undefined;
  readonly by: readonly { readonly name: string }[];
}

test('attributes each new item to the policy that inserted it', async () => {
  const repository = folder({ 'web.yaml': WEB, 'policies.yaml': [METRICS, PROXY].join('---\n') });
  const { out } = await run(repository.path, '--format', 'json');
  const [entry] = JSON.parse(out) as readonly { readonly changes: readonly DescribedChange[] }[];
  expect(entry?.changes.map(({ after, by }) => [after?.name, by.map(({ name }) => name)])).toEqual([
    ['proxy', ['b-proxy']],
    ['metrics', ['a-metrics']],
  ]);
  const patch = await run(repository.path, '--format', 'json-patch');
  const [steps] = JSON.parse(patch.out) as readonly { readonly patch: readonly { value: unknown; policy: string }[] }[];
  expect(steps?.patch.map(({ policy: name }) => name)).toEqual(['a-metrics', 'b-proxy']);
});

test('attributes nested items to the inserting policy, and lists all contributing policies', async () => {
  const repository = folder({ 'web.yaml': WEB, 'policies.yaml': [METRICS, PROXY, ZONE, STAGE].join('---\n') });
  const { out } = await run(repository.path, '--format', 'json');
  const [entry] = JSON.parse(out) as readonly { readonly changes: readonly DescribedChange[] }[];
  expect(entry?.changes.map(({ field, by }) => [field, by.map(({ name }) => name)])).toEqual([
    ['spec.template.spec.containers[0]', ['b-proxy', 'c-zone', 'd-stage']],
    ['spec.template.spec.containers[0].env', ['c-zone', 'd-stage']],
    ['spec.template.spec.containers[1]', ['a-metrics', 'c-zone', 'd-stage']],
  ]);
  const patch = await run(repository.path, '--format', 'json-patch');
  const [steps] = JSON.parse(patch.out) as readonly { readonly patch: readonly { path: string; policy: string }[] }[];
  expect(steps?.patch.map(({ path, policy: name }) => [path.slice(CONTAINERS.length), name])).toEqual([
    ['/1', 'a-metrics'],
    ['/0/env', 'd-stage'],
    ['/0', 'b-proxy'],
  ]);
});
