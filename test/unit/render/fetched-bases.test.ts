// Fetched bases and repositories are rendered like files of the repository; missing ones are reported.
import { describe, expect, test } from 'vitest';
import { argoApplication } from '../../../src/render/argo/application.ts';
import { fluxHelmRelease } from '../../../src/render/flux/flux-helm-release.ts';
import { fluxKustomization } from '../../../src/render/flux/flux-kustomization.ts';
import {
  type Fetched,
  type FetchedRemotes,
  type Remote,
  remoteKey,
} from '../../../src/render/sources/remote/remote.ts';
import { treeOf } from '../../../src/source/tree/file-tree.ts';
import { objectsOf, outlineOf, renderedRepository } from '../../support/rendered-repository.ts';

const BASE = 'https://git.example.com/acme/bases//web?ref=v1';
const NESTED = 'https://git.example.com/acme/more?ref=main';
const FILE = 'https://files.example.com/v1/install.yaml';
const CONTENT = 'https://files.example.com/v1/dash.json';
const GIT = 'https://git.example.com/acme/apps';

function map(name: string, more = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
}

function treeAt(commit: string, files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
  const tree = treeOf({ files: new Map(Object.entries(files)), links: new Map(Object.entries(links)) });
  return { tree, commit: commit.repeat(40), ref: 'refs/tags/v1', isPinned: true };
}

function fileOf(text: string, digit: string): Fetched {
  return { bytes: new TextEncoder().encode(text), digest: `sha256:${digit.repeat(64)}` };
}

const FETCHED: Readonly<Record<string, Fetched>> = {
  [BASE]: treeAt('a', {
    'web/kustomization.yaml': `resources: [web.yaml, ../shared, "${NESTED}"]\n`,
    'web/web.yaml': map('web'),
    'shared/kustomization.yaml': 'resources: [shared.yaml]\n',
    'shared/shared.yaml': map('shared'),
  }),
  [NESTED]: {
    ...treeAt('b', { 'kustomization.yaml': 'resources: [m.yaml]\n', 'm.yaml': map('nested') }),
    isPinned: false,
  },
  [FILE]: fileOf(map('installed'), '1'),
  [CONTENT]: fileOf('{"a": 1}', '2'),
  [GIT]: treeAt('c', {
    'apps/kustomization.yaml': 'resources: [app.yaml]\n',
    'apps/app.yaml': map('app'),
    'plain/a.yaml': map('plain'),
    'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'chart/values.yaml': 'name: own\n',
    'chart/templates/a.yaml': map('"{{ .Values.name }}"'),
    'env/blue.yaml': 'name: blue\n',
  }),
};

/** Fetches in rounds, as a run does. */
function render(files: Readonly<Record<string, string>>, fetched = FETCHED) {
  const controllers = [fluxKustomization({}), fluxHelmRelease({}), argoApplication({})];
  const remotes = new Map<string, Fetched>();
  for (let round = 0; ; round++) {
    const sources = renderedRepository(files, controllers, { remotes: remotes as FetchedRemotes });
    const wanted = sources.missing.filter((each) => fetched[addressIn(each)] !== undefined);
    if (wanted.length === 0 || round > 5) return { ...sources, rounds: round };
    for (const each of wanted) remotes.set(remoteKey(each), fetched[addressIn(each)] as Fetched);
  }
}

function addressIn(remote: Remote): string {
  return 'base' in remote ? remote.base : 'git' in remote ? remote.git : remote.repository;
}

describe('remote entries of a kustomization', () => {
  const files = {
    'overlays/prod/kustomization.yaml': `namePrefix: prod-
resources:
- ../../local
- ${BASE}
- ${FILE}
configMapGenerator:
- name: dash
  files: [${CONTENT}, own.json=${CONTENT}]
generatorOptions: {disableNameSuffixHash: true}
`,
    'local/kustomization.yaml': 'resources: [l.yaml]\n',
    'local/l.yaml': map('local'),
  };

  test('are built with what was fetched, to any depth', () => {
    const sources = render(files);
    expect(outlineOf(sources)).toEqual([
      'kustomization overlays/prod',
      '  ConfigMap prod-dash',
      '  ConfigMap prod-installed',
      '  ConfigMap prod-local',
      '  ConfigMap prod-nested',
      '  ConfigMap prod-shared',
      '  ConfigMap prod-web',
    ]);
    expect(sources.missing).toEqual([]);
    expect(objectsOf(sources, 'kustomization overlays/prod')[0]?.data).toEqual({
      'dash.json': '{"a": 1}',
      'own.json': '{"a": 1}',
    });
    expect(sources.roots[0]?.assumes).toEqual([
      `base ${BASE} was fetched (commit ${'a'.repeat(40)})`,
      `base ${FILE} was fetched (sha256:${'1'.repeat(64)})`,
      `base ${CONTENT} was fetched (sha256:${'2'.repeat(64)})`,
      `base ${NESTED} resolved to commit ${'b'.repeat(40)}`,
    ]);
  });

  test('have findings on the kustomization, because they cannot be edited here', () => {
    const { roots } = render(files);
    const web = roots[0]?.manifests[5];
    expect(web?.place(['metadata', 'name'], 'value').file.path).toBe('overlays/prod/kustomization.yaml');
  });

  test('are reported by their address', () => {
    const { roots, missing } = renderedRepository(files, []);
    expect(roots[0]?.holes?.[0]).toMatchObject({
      message: `base ${BASE} is not in the repository`,
      help: expect.stringContaining('`--fetch bases`'),
    });
    expect(missing).toEqual([
      { base: BASE, as: 'any' },
      { base: FILE, as: 'any' },
      { base: CONTENT, as: 'file' },
    ]);
  });

  test('that could not be fetched say why', () => {
    const { roots, missing } = render(files, {
      ...FETCHED,
      [BASE]: { failure: 'git.example.com denied access', help: 'h' },
    });
    expect(roots[0]?.holes?.[0]).toMatchObject({
      message: `base ${BASE} is not in the repository and could not be fetched: git.example.com denied access`,
      help: 'h',
    });
    expect(missing).toEqual([]);
  });

  test('of components are folders', () => {
    const component = 'https://git.example.com/acme/components//c?ref=v1';
    const sources = render(
      {
        'kustomization.yaml': `resources: [l.yaml]\ncomponents: ["${component}"]\n`,
        'l.yaml': map('local'),
      },
      {
        [component]: treeAt('d', {
          'c/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -c\n',
        }),
      },
    );
    expect(outlineOf(sources)).toEqual(['kustomization .', '  ConfigMap local-c']);
  });

  test('cannot be replaced or extended by files of the repository', () => {
    const sources = render({
      ...files,
      [`.preadmit-fetched/${'a'.repeat(16)}/web/web.yaml`]: map('evil'),
      [`.preadmit-fetched/${'a'.repeat(16)}/web/kustomization.yml`]: 'resources: []\n',
    });
    expect(outlineOf(sources)).toContain('  ConfigMap prod-web');
    expect(outlineOf(sources)).not.toContain('  ConfigMap prod-evil');
  });

  test('with origin annotations are not built, because they would name the wrong place', () => {
    const { roots } = render({
      'kustomization.yaml': `buildMetadata: [originAnnotations]\nresources: ["${FILE}"]\n`,
    });
    expect(roots[0]?.failure).toMatchObject({
      reason: 'remote-base',
      message: expect.stringContaining('origin annotations'),
    });
  });
});

describe('another repository', () => {
  const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: ./apps, sourceRef: {kind: GitRepository, name: apps}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: plain, namespace: flux-system}
spec: {path: ./plain, sourceRef: {kind: GitRepository, name: apps}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: c, namespace: flux-system}
spec: {chart: {spec: {chart: ./chart, sourceRef: {kind: GitRepository, name: apps}}}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: apps, namespace: flux-system}
spec: {url: ${GIT}, ref: {tag: v1}}
`;
  const argo = (path: string, more = ''): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${path}, namespace: argocd}
spec:
  destination: {namespace: live}
  source: {repoURL: ${GIT}, path: ${path}, targetRevision: v1${more}}
`;

  test('of Flux is applied, with the folder that the declaration names', () => {
    const sources = render({ 'flux.yaml': flux });
    expect(outlineOf(sources)).toEqual([
      'Flux Kustomization flux-system/apps',
      '  ConfigMap app',
      'Flux Kustomization flux-system/plain',
      '  ConfigMap plain',
      'HelmRelease flux-system/c in flux-system',
      '  ConfigMap own',
    ]);
    const [root] = sources.roots;
    expect(root?.assumes).toContain(`repository ${GIT} v1 was fetched (commit ${'c'.repeat(40)})`);
    expect(root?.manifests[0]?.place(['metadata'], 'key').file.path).toBe('flux.yaml');
  });

  test('of Argo CD is applied: kustomize, Helm, folders, and values files of references', () => {
    const sources = render({
      'a.yaml': argo('apps'),
      'b.yaml': argo('plain'),
      'c.yaml': argo('chart'),
      'd.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: values, namespace: argocd}
spec:
  destination: {namespace: live}
  sources:
  - {repoURL: ${GIT}, path: chart, helm: {valueFiles: [$values/env/blue.yaml]}}
  - {repoURL: ${GIT}, ref: values}
`,
    });
    expect(outlineOf(sources)).toEqual([
      'Application argocd/apps in live',
      '  ConfigMap app',
      'Application argocd/plain in live',
      '  ConfigMap plain',
      'Application argocd/chart in live',
      '  ConfigMap own',
      'Application argocd/values in live',
      '  ConfigMap blue',
    ]);
    const plain = sources.roots[1]?.manifests[0];
    expect(plain?.place(['metadata', 'name'], 'value').file.path).toBe('b.yaml');
  });

  test('is not left by paths', () => {
    const sources = render({
      'a.yaml': argo('../../own'),
      'b.yaml': argo('chart', ', helm: {valueFiles: [../../../own/values.yaml]}'),
      'own/values.yaml': 'name: stolen\n',
      'own/a.yaml': map('own'),
    });
    expect(outlineOf(sources).filter((line) => line.startsWith('Application'))).toEqual([
      expect.stringContaining('app path does not exist'),
      expect.stringContaining('outside repository root'),
    ]);
  });

  test('is reported as before if it was not fetched', () => {
    const { roots, missing } = renderedRepository({ 'flux.yaml': flux }, [fluxKustomization({})]);
    expect(roots[0]?.failure).toMatchObject({
      message: `its source GitRepository/flux-system/apps (${GIT}) is not in this repository`,
      help: expect.stringContaining('`--fetch git`'),
    });
    expect(missing).toEqual([{ git: GIT, revision: { as: 'tag', text: 'v1' } }]);
  });

  test.each([
    ['{commit: abc, tag: v1}', { as: 'commit', text: 'abc' }],
    ['{semver: 1.x, tag: v1, branch: b}', { as: 'semver', text: '1.x' }],
    ['{name: refs/heads/x, semver: 1.x}', { as: 'ref', text: 'refs/heads/x' }],
    ['{branch: b}', { as: 'branch', text: 'b' }],
    ['{}', { as: 'branch', text: 'master' }],
  ])('of Flux at %s', (ref, revision) => {
    const files = { 'flux.yaml': flux.replace('{tag: v1}', ref) };
    expect(renderedRepository(files, [fluxKustomization({})]).missing).toEqual([{ git: GIT, revision }]);
  });

  test.each([
    'ssh://git@git.example.com/acme/apps',
    'git@git.example.com:acme/apps',
    'http://git.example.com/acme/apps',
  ])('at %s is not fetched', (url) => {
    const files = { 'flux.yaml': flux.replace(GIT, url), 'argo.yaml': argo('apps').replace(GIT, url) };
    expect(renderedRepository(files, [fluxKustomization({}), argoApplication({})]).missing).toEqual([]);
  });
});
