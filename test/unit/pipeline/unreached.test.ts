import { describe, expect, it } from 'vitest';
import { checkState } from '../../../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../../../src/settings/configuration.ts';
import { engine } from '../../support/render.ts';
import { statesInGit } from '../../support/states-in-git.ts';

type Texts = Readonly<Record<string, string>>;

/** Paths of files that no controller applies. */
function unreached(texts: Texts, repositoryUrl?: string): readonly string[] {
  const { tree, ...state } = statesInGit(new Map(), new Map(Object.entries(texts))).head;
  if (tree === undefined) throw new Error('no tree');
  const rendering = { tree, engine, ...(repositoryUrl !== undefined && { repositoryUrl }) };
  const { coverage } = checkState({ ...state, configuration: defaultConfiguration(), today: '2026-11-22', rendering });
  return [...new Set(coverage.skipped.filter(({ reason }) => reason === 'unreached').map(({ path }) => path))];
}

const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop}\n`;
const app = (name: string, path: string, url = 'https://git.example/shop/platform.git'): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  source: {repoURL: "${url}", path: "${path}"}\n  destination: {server: "https://kubernetes.default.svc", namespace: shop}\n`;
const flux = (name: string, path: string, source = 'GitRepository, name: flux-system', spec = ''): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  path: "${path}"\n  sourceRef: {kind: ${source}}\n${spec}`;

describe('unreached files', () => {
  it.each<[string, Texts, string | undefined, readonly string[]]>([
    ['without controllers', { 'web/a.yaml': map('a') }, undefined, []],
    [
      'of a repository whose address an Application names',
      { 'root/app.yaml': app('web', 'web'), 'web/a.yaml': map('a'), 'tools/b.yaml': map('b') },
      'git@git.example:shop/platform',
      ['tools/b.yaml'],
    ],
    [
      'of a fork',
      { 'root/app.yaml': app('web', 'web'), 'web/a.yaml': map('a'), 'tools/b.yaml': map('b') },
      'https://git.example/me/platform',
      ['tools/b.yaml'],
    ],
    [
      'of a repository that has folders of another one',
      { 'root/app.yaml': app('web', 'web'), 'web/a.yaml': map('a'), 'tools/b.yaml': map('b') },
      'https://git.example/shop/other',
      [],
    ],
    [
      'beside an Application, in its folder',
      { 'root/app.yaml': app('web', 'web'), 'root/b.yaml': map('b'), 'web/a.yaml': map('a'), 'tools/c.yaml': map('c') },
      undefined,
      ['tools/c.yaml'],
    ],
    [
      'that a plugin may read',
      {
        'root/app.yaml': app('web', 'web'),
        'root/plugin.yaml': app('tools', 'tools').replace('path: "tools"', 'path: tools, plugin: {name: cdk8s}'),
        'web/a.yaml': map('a'),
        'tools/b.yaml': map('b'),
        'other/c.yaml': map('c'),
      },
      undefined,
      ['other/c.yaml'],
    ],
    [
      'of Flux, with a variable in a path',
      {
        'clusters/main/flux-system.yaml': flux('flux-system', './clusters/main'),
        'clusters/main/web.yaml': flux('web', './web/$' + '{STAGE}'),
        'web/live/a.yaml': map('a'),
        'tools/b.yaml': map('b'),
      },
      undefined,
      ['tools/b.yaml'],
    ],
    [
      'of a suspended Kustomization',
      {
        'clusters/main/flux-system.yaml': flux('flux-system', './clusters/main'),
        'clusters/main/web.yaml': flux('web', './web', undefined, '  suspend: true\n'),
        'web/a.yaml': map('a'),
      },
      undefined,
      ['web/a.yaml'],
    ],
    [
      'of an artifact that contains a folder',
      {
        'deploy/main/one.yaml': flux('one', './apps/one', 'OCIRepository, name: platform'),
        'deploy/main/two.yaml': flux('two', './apps/two', 'OCIRepository, name: platform'),
        'deploy/apps/one/a.yaml': map('a'),
        'deploy/apps/two/b.yaml': map('b'),
        'deploy/apps/three/c.yaml': map('c'),
      },
      undefined,
      ['deploy/apps/three/c.yaml'],
    ],
    [
      'in hidden folders and tests, even if they contain objects of controllers',
      {
        'root/app.yaml': app('web', 'web'),
        'web/a.yaml': map('a'),
        '.archive/app.yaml': app('old', 'old'),
        'old/b.yaml': map('b'),
        'tests/app.yaml': app('test', 'test-data'),
        'test-data/c.yaml': map('c'),
      },
      undefined,
      ['.archive/app.yaml', 'old/b.yaml', 'test-data/c.yaml', 'tests/app.yaml'],
    ],
  ])('%s', (_, texts, url, expected) => {
    expect([...unreached(texts, url)].sort()).toEqual([...expected].sort());
  });

  it('are not determined if only a part of the repository is checked', () => {
    const texts = { 'root/app.yaml': app('web', 'web'), 'web/a.yaml': map('a'), 'tools/b.yaml': map('b') };
    const { tree, files, ...state } = statesInGit(new Map(), new Map(Object.entries(texts))).head;
    if (tree === undefined) throw new Error('no tree');
    const { coverage } = checkState({
      ...state,
      files: files.map(({ file }) => ({ file, selected: file.path.startsWith('tools/') })),
      configuration: defaultConfiguration(),
      rendering: { tree, engine },
    });
    expect(coverage.skipped.map(({ reason }) => reason)).not.toContain('unreached');
    expect(coverage.evaluated).toBe(1);
  });
});
