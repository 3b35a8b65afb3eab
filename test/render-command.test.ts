// `preadmit render`: output, messages and exit codes.
import { expect, onTestFinished, test } from 'vitest';
import { Folder, GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';

const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n';
const SPACE = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: market\n';
const FILES = {
  'base/kustomization.yaml': 'resources: [settings.yaml, space.yaml]\n',
  'base/settings.yaml': SETTINGS,
  'base/space.yaml': SPACE,
  'overlay/kustomization.yaml': 'resources: [../base]\nnamespace: market\ncommonLabels: {team: market}\n',
  'loose/kustomization.yaml': 'resources: [../base/settings.yaml]\n',
  'broken/kustomization.yaml': 'resources: [absent.yaml]\n',
  'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'shop/values.yaml': 'mode: calm\nsize: 1\n',
  'shop/crds/stall.yaml': 'kind: CustomResourceDefinition\n',
  'shop/templates/settings.yaml':
    '{{- /* words */ -}}\nname: {{ .Release.Name }}\nnamespace: {{ .Release.Namespace }}\nmode: {{ .Values.mode }}\nsize: {{ .Values.size }}\nminor: {{ .Capabilities.KubeVersion.Minor }}\n',
};

function run(directory: string, ...args: readonly string[]) {
  return runPrinted(directory, ['render', ...args]);
}

function written<T extends Folder>(folder: T): T {
  onTestFinished(() => folder.remove());
  for (const [path, text] of Object.entries(FILES)) folder.write(path, text);
  return folder;
}

test('writes a kustomization like kustomize, with its warnings on standard error', async () => {
  const { path } = written(new GitFolder());
  const labels = 'metadata:\n  labels:\n    team: market\n  name:';
  expect(await run(path, 'overlay', '--format', 'yaml')).toEqual({
    status: 0,
    out: `${SPACE.replace('metadata:\n  name:', labels)}---\n${SETTINGS.replace('metadata:\n  name:', labels)}  namespace: market\n`,
    err: expect.stringMatching(/^preadmit: # Warning: 'commonLabels' is deprecated.*\n$/),
  });
});

test('writes a chart like helm template', async () => {
  const { path } = written(new GitFolder()).write('production.yaml', 'mode: loud\n').write('more.yaml', 'size: 2\n');
  expect(await run(path, 'shop')).toEqual({
    status: 0,
    out: '---\n# Source: shop/templates/settings.yaml\nname: release-name\nnamespace: default\nmode: calm\nsize: 1\nminor: 36\n',
    err: '',
  });
  const options = [
    '--release',
    'blue',
    '--namespace',
    'market',
    '--values',
    'production.yaml',
    '--values',
    'more.yaml',
  ];
  expect((await run(path, 'shop', ...options, '--include-crds', '--kubernetes-version', '1.35')).out).toBe(
    '---\n# Source: shop/crds/stall.yaml\nkind: CustomResourceDefinition\n---\n# Source: shop/templates/settings.yaml\nname: blue\nnamespace: market\nmode: loud\nsize: 2\nminor: 35\n',
  );
});

test('reports rendering errors with the message of the engine', async () => {
  const { path } = written(new GitFolder());
  expect(await run(path, 'broken')).toEqual({
    status: 1,
    out: '',
    err: "preadmit: accumulating resources: accumulation err='accumulating resources from 'absent.yaml': open broken/absent.yaml: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on 'broken/absent.yaml' : lstat broken/absent.yaml: no such file or directory\n",
  });
});

test('may read files of the repository unless a load restrictor forbids it', async () => {
  const { path } = written(new GitFolder());
  expect((await run(path, 'loose')).status).toBe(0);
  expect(await run(path, 'loose', '--load-restrictor', 'LoadRestrictionsRootOnly')).toMatchObject({
    status: 1,
    err: expect.stringContaining('security; file'),
  });
});

test('uses the working directory as repository outside Git, and restricts other folders to their own files', async () => {
  const here = written(new Folder());
  const elsewhere = new Folder();
  onTestFinished(() => elsewhere.remove());
  expect((await run(here.path, 'loose')).status).toBe(0);
  expect((await run(elsewhere.path, `${here.path}/overlay`)).status).toBe(0);
  expect(await run(elsewhere.path, `${here.path}/loose`)).toMatchObject({
    status: 1,
    err: expect.stringContaining('security; file'),
  });
  expect((await run(elsewhere.path, `${here.path}/shop`)).status).toBe(0);
});

test.each([
  [['overlay', 'base'], 'expected one folder'],
  [['nowhere'], 'there is no folder `nowhere`'],
  [['overlay', '--release', 'blue'], '`--release` does not apply to a kustomization'],
  [['shop', '--enable-helm'], '`--enable-helm` does not apply to a chart'],
  [['shop', '--values', 'absent.yaml'], 'cannot read the values file `absent.yaml`: no such file or folder'],
  [['shop', '--format', 'json'], '`--format json` cannot be combined with a folder'],
])('%j is rejected', async (args, words) => {
  const { path } = written(new GitFolder());
  expect(await run(path, ...args)).toMatchObject({ status: 2, out: '', err: expect.stringContaining(words) });
});

test('lists every root of a repository with its objects or its failure', async () => {
  const folder = written(new GitFolder());
  folder.git('add', '-A');
  const { status, out } = await run(folder.path);
  expect(status).toBe(1);
  expect(out.split('\n').map((line) => line.replace(/not rendered: .*/, 'not rendered'))).toEqual([
    'kustomization broken (broken/kustomization.yaml:1): not rendered',
    'kustomization loose (loose/kustomization.yaml:1): 1 object',
    'kustomization overlay (overlay/kustomization.yaml:1): 2 objects',
    'chart shop (shop/Chart.yaml:1): 2 objects',
    '4 roots: 3 rendered, 0 incomplete, 1 not rendered',
    '',
  ]);
  const yaml = await run(folder.path, '--format', 'yaml');
  expect(yaml.out).toContain(
    '---\n# Root: kustomization overlay\n# Origin: base/space.yaml:2\napiVersion: v1\nkind: Namespace\n',
  );
  const json = JSON.parse((await run(folder.path, '--format', 'json')).out);
  expect(json.roots[0]).toMatchObject({ name: 'kustomization broken', notRendered: { reason: 'missing-file' } });
  expect(json.roots[1].objects[0].object.metadata.name).toBe('settings');
});

test("lists the namespace of an Application's destination with its objects", async () => {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  folder.write('web/settings.yaml', SETTINGS).write(
    'app.yaml',
    `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {repoURL: https://example.com/shop, path: web}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
`,
  );
  folder.commit();
  const { roots } = JSON.parse((await run(folder.path, '--format', 'json')).out);
  expect(roots).toMatchObject([{ name: 'Application argocd/web', objects: [{ namespace: 'shop' }] }]);
});

test('compares the applied objects of two commits, field by field', async () => {
  const folder = written(new GitFolder());
  folder.removeFolder('broken');
  folder.removeFolder('shop');
  const base = folder.commit();
  folder.write(
    'overlay/kustomization.yaml',
    'resources: [../base, more.yaml]\nnamespace: market\ncommonLabels: {team: shop}\n',
  );
  folder.write('overlay/more.yaml', SETTINGS.replace('settings', 'more'));
  folder.write('loose/kustomization.yaml', 'resources: [../base/space.yaml]\n');
  const head = folder.commit();
  expect(await run(folder.path, '--format', 'diff', base, head)).toEqual({
    status: 0,
    err: '',
    out: [
      '- ConfigMap settings (kustomization loose)',
      '+ ConfigMap market/more (kustomization overlay)',
      '~ ConfigMap market/settings (kustomization overlay)',
      '    metadata.labels.team: "market" → "shop"',
      '+ Namespace market (kustomization loose)',
      '~ Namespace market (kustomization overlay)',
      '    metadata.labels.team: "market" → "shop"',
      '',
    ].join('\n'),
  });
  expect(await run(folder.path, '--format', 'diff', head, head)).toEqual({ status: 0, err: '', out: '' });
});

test.each([
  [['--format', 'diff', 'HEAD'], 'expected two commits'],
  [['--format', 'json', 'overlay'], '`--format json` cannot be combined with a folder'],
  [['--release', 'a'], '`--release` needs a folder'],
])('%j is an invalid combination', async (args, words) => {
  const { path } = written(new GitFolder());
  expect(await run(path, ...args)).toMatchObject({ status: 2, err: expect.stringContaining(words) });
});

test('takes a Flux source with the address of the remote for this repository, and marks objects that Flux never applies', async () => {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  folder
    .write(
      'flux.yaml',
      `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: platform, namespace: flux-system}
spec: {interval: 1h, url: 'https://git.example.com/shop/platform.git', ref: {branch: main}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 10m, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: platform}}
`,
    )
    .write('apps/settings.yaml', `${SETTINGS}  annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}\n`);
  folder.commit('base');
  folder.git('remote', 'add', 'origin', 'https://git.example.com/shop/platform');
  const { status, out } = await run(folder.path, '--format', 'yaml');
  expect(status).toBe(0);
  expect(out).toContain('\n# Never applied: kustomize.toolkit.fluxcd.io/ssa: Ignore\n');
});
