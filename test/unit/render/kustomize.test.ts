// kustomize in the sandbox: order, restrictions, origins, charts of the repository.
import { describe, expect, test } from 'vitest';
import { failureOf, kustomize, textsOf } from '../../support/render.ts';

const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: calm\n';
const SPACE = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: market\n';

describe('kustomize', () => {
  test('sorts like the kustomize program, or keeps the order of the files', () => {
    const files = {
      'kustomization.yaml': 'resources: [settings.yaml, space.yaml]\n',
      'settings.yaml': SETTINGS,
      'space.yaml': SPACE,
    };
    const kinds = (order: 'legacy' | 'files') =>
      textsOf(kustomize(files, { order })).map((text) => /kind: (\w+)/.exec(text)?.[1]);
    expect(kinds('legacy')).toEqual(['Namespace', 'ConfigMap']);
    expect(kinds('files')).toEqual(['ConfigMap', 'Namespace']);
  });

  test('reads files outside the folder only if allowed', () => {
    const files = { 'overlay/kustomization.yaml': 'resources: [../settings.yaml]\n', 'settings.yaml': SETTINGS };
    expect(textsOf(kustomize(files, { root: 'overlay' }))).toHaveLength(1);
    expect(failureOf(kustomize(files, { root: 'overlay', anyFile: false }))).toMatchObject({
      failure: 'outside-root',
      message: expect.stringContaining("security; file 'settings.yaml' is not in or below 'overlay'"),
    });
  });

  test('follows links inside the tree', () => {
    const files = { 'app/kustomization.yaml': 'resources: [linked/settings.yaml]\n', 'real/settings.yaml': SETTINGS };
    expect(textsOf(kustomize(files, { root: 'app' }, { 'app/linked': '../real' }))).toEqual([
      'apiVersion: v1\ndata:\n  mode: calm\nkind: ConfigMap\nmetadata:\n  name: settings\n',
    ]);
  });

  test('reports the origin of objects and the step behind each field, without changing the result', () => {
    const files = {
      'overlay/kustomization.yaml': `resources: [../base]
namespace: market
patches:
- path: calm.yaml
- {target: {kind: ConfigMap, name: settings}, patch: '[{"op": "remove", "path": "/data/size"}]'}
configMapGenerator:
- {name: made, behavior: merge, literals: [mode=loud]}
`,
      'overlay/calm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: loud\n',
      'base/kustomization.yaml':
        'resources: [settings.yaml]\nconfigMapGenerator:\n- {name: made, literals: [mode=calm, size=3]}\n',
      'base/settings.yaml': `${SETTINGS}  size: "3"\n`,
    };
    const outcome = kustomize(files, { root: 'overlay', provenance: true });
    expect(textsOf(outcome)).toEqual(textsOf(kustomize(files, { root: 'overlay' })));
    expect(outcome).toEqual({
      warnings: [],
      steps: [
        { by: 'ConfigMapGenerator', in: 'base', config: { name: 'made', literals: ['mode=calm', 'size=3'] } },
        {
          by: 'ConfigMapGenerator',
          in: 'overlay',
          config: { name: 'made', behavior: 'merge', literals: ['mode=loud'] },
        },
        { by: 'PatchTransformer', in: 'overlay', config: { path: 'calm.yaml' } },
        {
          by: 'PatchTransformer',
          in: 'overlay',
          config: {
            target: { kind: 'ConfigMap', name: 'settings' },
            patch: '[{"op": "remove", "path": "/data/size"}]',
          },
        },
        { by: 'NamespaceTransformer', in: 'overlay', config: { metadata: { namespace: 'market' } } },
      ],
      objects: [
        {
          text: expect.stringContaining('mode: loud'),
          origin: expect.objectContaining({ configuredIn: 'base/kustomization.yaml' }),
          written: { apiVersion: 'v1', kind: 'ConfigMap', name: 'made' },
          changes: [
            { step: 1, path: [] },
            { step: 0, path: ['data', 'size'] },
            { step: 'rename', path: ['metadata', 'name'] },
            { step: 4, path: ['metadata', 'namespace'] },
          ],
        },
        {
          text: expect.stringContaining('mode: loud'),
          origin: { path: 'base/settings.yaml' },
          written: { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' },
          changes: [
            { step: 3, path: ['data', 'size'], removed: true },
            { step: 2, path: ['data', 'mode'] },
            { step: 4, path: ['metadata', 'namespace'] },
          ],
        },
      ],
    });
  });

  test('matches list items by name', () => {
    const deployment = (containers: string) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers: ${containers}\n`;
    const files = {
      'kustomization.yaml': 'resources: [web.yaml]\npatches:\n- path: side.yaml\nimages:\n- {name: web, newTag: "2"}\n',
      'web.yaml': deployment('[{name: web, image: "web:1", args: [a, b]}]'),
      'side.yaml': deployment('[{name: side, image: "side:1"}]'),
    };
    const outcome = kustomize(files, { provenance: true });
    const containers = ['spec', 'template', 'spec', 'containers'];
    expect(outcome).toMatchObject({
      steps: [
        { by: 'PatchTransformer' },
        { by: 'ImageTagTransformer', config: { ImageTag: { name: 'web', newTag: '2' } } },
      ],
      objects: [
        {
          changes: [
            { step: 0, path: [...containers, 0] },
            { step: 1, path: [...containers, 1, 'image'] },
          ],
        },
      ],
    });
  });

  test('keeps origin annotations that a kustomization requests', () => {
    const files = {
      'kustomization.yaml': 'resources: [settings.yaml]\nbuildMetadata: [originAnnotations]\n',
      'settings.yaml': SETTINGS,
    };
    const outcome = kustomize(files, { provenance: true });
    expect(textsOf(outcome)[0]).toContain('config.kubernetes.io/origin');
    expect(outcome).toMatchObject({ objects: [{ origin: { path: 'settings.yaml' } }] });
  });

  test('renders charts of the repository if enabled', () => {
    const files = {
      'kustomization.yaml':
        'helmCharts:\n- name: shop\n  releaseName: blue\n  namespace: market\n  valuesInline: {mode: loud}\n  kubeVersion: 1.36.0\n',
      'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'charts/shop/values.yaml': 'mode: calm\nsize: 3\n',
      'charts/shop/templates/settings.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n  namespace: {{ .Release.Namespace }}\ndata:\n  mode: {{ .Values.mode }}\n  size: "{{ .Values.size }}"\n  version: {{ .Capabilities.KubeVersion }}\n',
    };
    expect(textsOf(kustomize(files, { enableHelm: true }))).toEqual([
      'apiVersion: v1\ndata:\n  mode: loud\n  size: "3"\n  version: v1.36.0\nkind: ConfigMap\nmetadata:\n  name: blue\n  namespace: market\n',
    ]);
    expect(failureOf(kustomize(files))).toMatchObject({
      failure: 'helm-chart',
      message: expect.stringContaining('must specify --enable-helm'),
    });
  });

  test.each([
    [`nameTemplate: '{{ lower "NT" }}-1'`, 'nt-1'],
    ['releaseName: blue, nameTemplate: other', 'cannot set --name-template and also specify a name'],
    [`nameTemplate: '{{ env "HOME" }}'`, 'function "env" not defined'],
  ])('a chart with %s', (settings, expected) => {
    const outcome = kustomize(
      {
        'kustomization.yaml': `helmCharts:\n- {name: shop, ${settings}}\n`,
        'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'charts/shop/values.yaml': '{}\n',
        'charts/shop/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n',
      },
      { enableHelm: true },
    );
    const told = 'failure' in outcome ? outcome.message : textsOf(outcome).join('');
    expect(told).toContain(expected);
    expect('usedChance' in outcome).toBe(false);
  });

  test('reports what it would fetch', () => {
    const chart = {
      'kustomization.yaml': 'helmCharts:\n- {name: shop, repo: "https://charts.example.com", version: 1.0.0}\n',
    };
    expect(failureOf(kustomize(chart, { enableHelm: true }))).toMatchObject({
      failure: 'helm-chart',
      message: expect.stringContaining(
        "chart 'shop' of 'https://charts.example.com' is not at 'charts/shop-1.0.0/shop'",
      ),
    });
    const base = { 'kustomization.yaml': 'resources: ["https://example.com/settings.yaml"]\n' };
    expect(failureOf(kustomize(base))).toMatchObject({
      failure: 'remote-base',
      message: expect.stringContaining('nothing is fetched while rendering'),
    });
  });

  test('returns warnings of kustomize', () => {
    const files = {
      'kustomization.yaml': 'resources: [settings.yaml]\ncommonLabels: {team: market}\n',
      'settings.yaml': SETTINGS,
    };
    expect(kustomize(files).warnings).toEqual([expect.stringContaining("Warning: 'commonLabels' is deprecated")]);
  });
});
