// A complete check of a repository and of a change, with charts fetched from simulated servers.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkChanges } from '../../../src/door/run/check-changes.ts';
import { checkRepository } from '../../../src/door/run/check-repository.ts';
import type { Transport } from '../../../src/workspace/network/transport.ts';
import { chartArchive } from '../../support/chart-archive.ts';
import { GitFolder } from '../../support/git-fixture.ts';

const ARCHIVE = chartArchive({
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.0\n',
  'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {owner: "{{ .Values.owner }}"}\n',
});
const DIGEST = createHash('sha256').update(ARCHIVE).digest('hex');
const WORLD: Readonly<Record<string, Uint8Array>> = {
  'https://charts.example.com/index.yaml': new TextEncoder().encode(
    `entries: {shop: [{version: 1.2.0, digest: ${DIGEST}, urls: [shop.tgz]}]}`,
  ),
  'https://charts.example.com/shop.tgz': ARCHIVE,
};
const RELEASE = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  chart: {spec: {chart: shop, version: 1.2.0, sourceRef: {kind: HelmRepository, name: stable}}}
  values:
    owner: green
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: stable, namespace: apps}
spec: {url: https://charts.example.com}
`;
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

const made: GitFolder[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) folder.remove();
});

function repository(): GitFolder {
  const folder = new GitFolder();
  made.push(folder);
  return folder.write('policy.yaml', POLICY).write('release.yaml', RELEASE);
}

function options({ path }: GitFolder) {
  const asked: string[] = [];
  const transport: Transport = async ({ url }) => {
    asked.push(url);
    const body = WORLD[url];
    return { status: body === undefined ? 404 : 200, headers: {}, body: body ?? new Uint8Array() };
  };
  const fetching = { credentials: new Map(), privateHosts: new Set<string>(), now: () => 0, transport };
  const overrides = { fetch: ['charts'] as const };
  return { asked, options: { directory: path, paths: [], overrides, fetching } };
}

test('a release is evaluated with its chart, findings are on the line of its value, and the digest is recorded', async () => {
  const folder = repository();
  folder.commit();
  const { options: given, asked } = options(folder);
  const { report } = await checkRepository(given);
  expect(asked).toEqual(Object.keys(WORLD));
  expect(report.diagnostics).toEqual([]);
  expect(report.findings.map(({ primary }) => `${primary.path}:${primary.startLine}`)).toEqual(['release.yaml:7']);
  expect(JSON.stringify(report.targets)).toContain(`sha256:${DIGEST}`);
});

test('nothing is fetched without the option', async () => {
  const folder = repository();
  folder.commit();
  const { options: given, asked } = options(folder);
  const { report } = await checkRepository({ ...given, overrides: {} });
  expect(asked).toEqual([]);
  expect(report.diagnostics.map(({ code, help }) => [code, help])).toEqual([
    ['not-rendered', 'vendor the chart, fetch it with `--fetch charts`, or check the rendered manifests'],
  ]);
});

test('a comparison fetches the charts of both states once', async () => {
  const folder = repository();
  const base = folder.commit();
  folder.write('release.yaml', RELEASE.replace('green', 'red'));
  const head = folder.commit();
  const { options: given, asked } = options(folder);
  const { report } = await checkChanges(given, { base, head });
  expect(asked).toEqual(Object.keys(WORLD));
  expect(report.comparison?.objects).toMatchObject({ updated: 2, created: 0 });
});

test('a cache folder inside the repository is rejected before any request', async () => {
  const folder = repository();
  folder.commit();
  const { options: given, asked } = options(folder);
  const fetching = { ...given.fetching, cache: join(folder.path, '.cache') };
  await expect(checkRepository({ ...given, fetching })).rejects.toMatchObject({ code: 'cache-in-repository' });
  expect(asked).toEqual([]);
});
