// Any content of an Application or ApplicationSet gives a result, and nothing throws.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argoApplication } from '../../../../src/render/argo/application.ts';
import { argoApplicationSet } from '../../../../src/render/argo/application-set.ts';
import { expandVariables } from '../../../../src/render/argo/build-environment.ts';
import { pathMatcher } from '../../../../src/render/argo/glob.ts';
import { entryAt } from '../../../../src/render/argo/tree-path.ts';
import { tree } from '../../../support/render.ts';
import { outlineOf, renderedRepository } from '../../../support/rendered-repository.ts';

const HERE = 'https://git.example/shop/fleet';
const FIELDS = [
  ...['repoURL', 'path', 'chart', 'ref', 'helm', 'kustomize', 'directory', 'plugin', 'targetRevision', 'valueFiles'],
  ...[
    'values',
    'valuesObject',
    'parameters',
    'fileParameters',
    'images',
    'replicas',
    'patches',
    'components',
    'include',
  ],
  ...['list', 'git', 'matrix', 'merge', 'clusters', 'elements', 'elementsYaml', 'generators', 'mergeKeys', 'selector'],
  ...['template', 'metadata', 'name', 'spec', 'source', 'sources', 'destination', 'namespace', 'syncPolicy'],
  ...['directories', 'files', 'syncOptions', 'managedNamespaceMetadata', 'labels', 'templatePatch', 'commonLabels'],
];
const TEXTS = [
  ...[
    HERE,
    'apps',
    'chart',
    '.',
    '..',
    '../..',
    '/',
    '',
    'apps/../..',
    '{{x}}',
    '{{',
    '}}',
    '{{.x}}',
    '$a/b',
    '$$',
    `\${`,
  ],
  ...['CreateNamespace=true', '**/*', '[', '{a,b', '\\', 'x=y', '@', 'a: [', 'k: v', 'HEAD'],
];

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...TEXTS),
    fc.constantFrom(null, true, 1, 1.5),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('any'), { maxKeys: 6 }),
  ),
})).any;
const object = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 });

const FILES = {
  'apps/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  'apps/two/kustomization.yaml': 'resources: []\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
};

function outline(kind: string, spec: unknown): readonly string[] {
  const written = { apiVersion: 'argoproj.io/v1alpha1', kind, metadata: { name: 'x', namespace: 'argocd' }, spec };
  const options = { repositoryUrls: [HERE], clusters: [{ name: 'a', server: 'https://a' }] };
  const controllers = [argoApplication(options), argoApplicationSet(options)];
  return outlineOf(renderedRepository({ ...FILES, 'argo/x.json': JSON.stringify(written) }, controllers));
}

describe('hostile declarations', () => {
  it('accepts Applications of any shape', () => {
    fc.assert(
      fc.property(object, object, (source, spec) => {
        const given = { source: { repoURL: HERE, path: 'apps', ...source }, ...spec };
        expect(outline('Application', given).some((line) => line.startsWith('Application argocd/x'))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('accepts ApplicationSets of any shape', () => {
    fc.assert(
      fc.property(object, object, fc.boolean(), (generator, template, goTemplate) => {
        const list = { list: { elements: [{ x: 'apps' }] } };
        outline('ApplicationSet', {
          goTemplate,
          generators: [list, generator],
          template: { metadata: { name: 'a' }, spec: template },
        });
      }),
      { numRuns: 40 },
    );
  });

  it('accepts any text as pattern or path', () => {
    const files = tree(FILES, { 'apps/loop': 'loop', 'apps/out': '../../etc', 'apps/up': '../chart' });
    expect(entryAt(files, 'apps/loop')).toBeUndefined();
    expect(entryAt(files, 'apps/out/passwd')).toBeUndefined();
    expect(entryAt(files, 'apps/up/Chart.yaml')).toEqual({ kind: 'file', path: 'chart/Chart.yaml' });
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, path) => {
        for (const style of ['glob', 'path', 'pathspec', 'doublestar'] as const) pathMatcher(pattern, style)?.(path);
        entryAt(files, path);
        expandVariables(pattern, new Map([['a', path]]));
      }),
    );
  });
});

describe('patterns', () => {
  const rows: readonly (readonly [
    style: 'glob' | 'path' | 'pathspec' | 'doublestar',
    pattern: string,
    path: string,
    is: boolean,
  ])[] = [
    ['glob', '*.yaml', 'a/b.yaml', true],
    ['glob', '{a,b}.yaml', 'b.yaml', true],
    ['glob', '[!a].yaml', 'a.yaml', false],
    ['glob', '[!a].yaml', 'b.yaml', true],
    ['path', 'apps/*', 'apps/a', true],
    ['path', 'apps/*', 'apps/a/b', false],
    ['path', 'apps/[^a]', 'apps/b', true],
    ['path', 'a.b', 'axb', false],
    ['pathspec', 'apps', 'apps/a/b.json', true],
    ['pathspec', 'apps/*.json', 'apps/a/b.json', true],
    ['pathspec', '**/config.json', 'a/b/config.json', true],
    ['doublestar', 'env/**/*.yaml', 'env/a.yaml', true],
    ['doublestar', 'env/**/*.yaml', 'env/a/b.yaml', true],
    ['doublestar', 'env/*.yaml', 'env/a/b.yaml', false],
  ];
  it.each(rows)('%s %s matches %s: %s', (style, pattern, path, is) => {
    expect(pathMatcher(pattern, style)?.(path)).toBe(is);
  });
});

describe('variables', () => {
  const rows = [
    [`$A-\${A}`, '1-1'],
    ['$$A $B.', '$A .'],
    ['a $', 'a $'],
    [`\${} x`, ' x'],
    ['$1', ''],
  ] as const;
  it.each(rows)('%s expands to %s', (text, expected) => {
    expect(expandVariables(text, new Map([['A', '1']]))).toBe(expected);
  });
});
