// A complete check of a repository and of a change from a fork, with charts, bases and repositories of local servers behind a proxy.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { checkChanges } from '../../../../src/door/run/check-changes.ts';
import { type CheckOptions, checkRepository } from '../../../../src/door/run/check-repository.ts';
import { text } from '../../../../src/report/format/text/text.ts';
import { chartArchive } from '../../../support/chart-archive.ts';
import { GitFolder } from '../../../support/git-fixture.ts';
import { AUTHORITY, LocalHosts } from '../../../support/local-hosts.ts';

const CHARTS = 'charts.preadmit.test';
const GIT = 'git.preadmit.test';
const PRIVATE = 'private.preadmit.test';
const ARCHIVE = chartArchive({
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.0\n',
  'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {owner: "{{ .Values.owner }}"}\n',
});
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: owner}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]}
  validations: [{expression: object.data.owner == 'blue', message: blue owns everything}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: owner}
spec: {policyName: owner, validationActions: [Deny]}
`;
const RELEASE = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  chart: {spec: {chart: shop, version: ~1.2, sourceRef: {kind: HelmRepository, name: stable}}}
  values:
    owner: green
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: stable, namespace: apps}
spec: {url: https://${CHARTS}}
`;
const APPS = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: apps}
spec: {path: ./apps, sourceRef: {kind: GitRepository, name: apps}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: apps, namespace: apps}
spec: {url: https://${GIT}/acme/bases, ref: {branch: main}}
`;

let hosts: LocalHosts;
let bases: GitFolder;
let commit = '';

beforeAll(() => {
  vi.stubEnv('GIT_SSL_CAINFO', AUTHORITY);
  bases = new GitFolder();
  for (const folder of ['web', 'apps']) {
    bases.write(`${folder}/kustomization.yaml`, 'resources: [map.yaml]\n');
    bases.write(
      `${folder}/map.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${folder}}\ndata: {owner: red}\n`,
    );
  }
  commit = bases.commit();
  bases.git('tag', 'v1.0.0');
});
afterAll(() => {
  vi.unstubAllEnvs();
  bases.remove();
});
beforeEach(async () => {
  hosts = await LocalHosts.start();
  onTestFinished(() => hosts.close());
  const digest = createHash('sha256').update(ARCHIVE).digest('hex');
  hosts.git(`${GIT}/acme/bases`, bases.path);
  hosts.on(`${CHARTS}/index.yaml`, `entries: {shop: [{version: 1.2.0, digest: ${digest}, urls: [shop.tgz]}]}`);
  hosts.on(`${CHARTS}/shop.tgz`, ARCHIVE);
  hosts.status(`${PRIVATE}/index.yaml`, 403);
});

function repository(configuration = 'fetch: [charts, bases, git]\n'): GitFolder {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  return folder
    .write('.preadmit.yaml', configuration)
    .write('policy.yaml', POLICY)
    .write('release.yaml', RELEASE)
    .write('apps.yaml', APPS)
    .write('overlay/kustomization.yaml', `resources:\n- https://${GIT}/acme/bases//web?ref=v1.0.0\n`);
}

function options({ path }: GitFolder, isRestricted = false): CheckOptions {
  return {
    directory: path,
    paths: [],
    overrides: {},
    fetching: {
      credentials: new Map(),
      privateHosts: new Set([CHARTS, GIT, PRIVATE]),
      now: () => 0,
      transport: hosts.transport(),
      environment: hosts.environment,
      retryMilliseconds: 0,
      isRestricted,
    },
  };
}

test('the configuration enables it, and the report names hosts and resolutions', async () => {
  const folder = repository();
  folder.commit();
  const { report } = await checkRepository(options(folder));
  expect(report.diagnostics).toEqual([]);
  expect(report.findings.map(({ primary }) => primary.path).sort()).toEqual([
    'apps.yaml',
    'overlay/kustomization.yaml',
    'release.yaml',
  ]);
  expect(report.fetched).toEqual([
    { host: CHARTS, charts: 1, bases: 0, git: 0, failed: 0 },
    { host: GIT, charts: 0, bases: 1, git: 1, failed: 0 },
  ]);
  const shown = text.render(report, { color: false, width: 500, showSkipped: false, quiet: false });
  expect(shown).toContain(`fetched 1 chart, 1 base, 1 repository from 2 hosts: ${CHARTS} (1), ${GIT} (2)`);
  expect(shown).toContain(`chart shop ~1.2 of https://${CHARTS} resolved to 1.2.0 (sha256:`);
  expect(shown).toContain(`repository https://${GIT}/acme/bases main resolved to commit ${commit}`);
  expect(shown).toContain(`base https://${GIT}/acme/bases//web?ref=v1.0.0 was fetched (commit ${commit})`);
});

test('nothing is fetched without the setting', async () => {
  const folder = repository('{}\n');
  folder.commit();
  const { report } = await checkRepository(options(folder));
  expect(hosts.tunnels).toEqual([]);
  expect(report.diagnostics.map(({ help }) => /--fetch \w+/.exec(help ?? '')?.[0]).sort()).toEqual([
    '--fetch bases',
    '--fetch charts',
    '--fetch git',
  ]);
  expect(report.verdict.conclusion).toBe('undecided');
});

test('a host that refuses leaves the verdict undecided, and is named', async () => {
  const folder = repository();
  folder.write('release.yaml', RELEASE.replace(CHARTS, PRIVATE).replace('green', 'blue'));
  folder.commit();
  const { report } = await checkRepository(options(folder));
  expect(report.diagnostics).toMatchObject([
    {
      code: 'not-rendered',
      message: expect.stringContaining(`${PRIVATE} denied access with status 403`),
      help: expect.stringContaining('fetch-tokens'),
    },
  ]);
  expect(report.verdict.notRendered).toBe(1);
});

test("a change's own setting takes effect only after the merge", async () => {
  const folder = repository('{}\n');
  const base = folder.commit();
  folder.write('.preadmit.yaml', 'fetch: [charts]\n').write('release.yaml', RELEASE.replace('green', 'red'));
  await checkChanges(options(folder), { base, head: folder.commit() });
  expect(hosts.tunnels).toEqual([]);
});

test('a change from a fork cannot choose a host', async () => {
  const folder = repository();
  const base = folder.commit();
  folder.write('release.yaml', RELEASE.replace('green', 'red').replace(CHARTS, PRIVATE));
  folder.write('overlay/kustomization.yaml', `resources:\n- https://${GIT}/acme/bases//apps?ref=v1.0.0\n`);
  const { report } = await checkChanges(options(folder, true), { base, head: folder.commit() });
  expect(new Set(hosts.tunnels)).toEqual(new Set([`${CHARTS}:443`, `${GIT}:443`]));
  const notRendered = report.diagnostics.filter(({ code }) => code === 'not-rendered');
  expect(notRendered).toMatchObject([
    { message: expect.stringContaining(`${PRIVATE} is not a host of the base branch`) },
  ]);
  expect(report.findings.some(({ primary }) => primary.path === 'overlay/kustomization.yaml')).toBe(true);
});

test('a fork that is not compared contacts no host', async () => {
  const folder = repository();
  folder.commit();
  const { report } = await checkRepository(options(folder, true));
  expect(hosts.tunnels).toEqual([]);
  expect(report.verdict.notRendered).toBe(3);
});

test('the command line reads proxies, authorities and private hosts from the environment', async () => {
  const folder = repository('{}\n');
  folder.commit();
  const top = path.join(import.meta.dirname, '../../../..');
  // The loader must be found from the project, not from the checked folder.
  const loader = ['--import', import.meta.resolve('tsx')];
  const args = [...loader, path.join(top, 'src/cli.ts'), 'check', '--fetch', 'charts,git', '--fetch=bases'];
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...hosts.environment,
    NODE_EXTRA_CA_CERTS: AUTHORITY,
    GIT_SSL_CAINFO: AUTHORITY,
    PREADMIT_FETCH_PRIVATE_HOSTS: `${CHARTS} ${GIT}`,
  };
  const { code, out } = await new Promise<{ code: unknown; out: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder.path, env: environment }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, out: stdout + stderr }),
    );
  });
  expect(out).toContain('fetched 1 chart, 1 base, 1 repository');
  expect(out).toContain('Denied: 3 denied');
  expect(code).toBe(1);
  expect(new Set(hosts.tunnels)).toEqual(new Set([`${CHARTS}:443`, `${GIT}:443`]));
});
