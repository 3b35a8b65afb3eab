// kustomize in the sandbox: order, restrictions, origins, charts of the repository.
import { describe, expect, test } from 'vitest';
import { failureOf, kustomize, textsOf } from '../../support/render.ts';

const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: calm\n';
const SPACE = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: market\n';

describe('kustomize', () => {
  test('sorts as its program does, or keeps the order of the files', () => {
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

  test('reads files outside the folder only where it may', () => {
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

  test('tells where an object comes from and what changed it, and changes nothing for that', () => {
    const files = {
      'overlay/kustomization.yaml':
        'resources: [../base]\nnamespace: market\npatches:\n- path: calm.yaml\nconfigMapGenerator:\n- {name: made, literals: [a=b]}\n',
      'overlay/calm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: loud\n',
      'base/kustomization.yaml': 'resources: [settings.yaml]\n',
      'base/settings.yaml': SETTINGS,
    };
    const outcome = kustomize(files, { root: 'overlay', provenance: true });
    expect(textsOf(outcome)).toEqual(textsOf(kustomize(files, { root: 'overlay' })));
    const change = (kind: string) => ({
      configuredIn: 'overlay/kustomization.yaml',
      configuredBy: { apiVersion: 'builtin', kind },
    });
    expect(outcome).toMatchObject({
      objects: [
        {
          origin: change('ConfigMapGenerator'),
          transformations: [change('PatchTransformer'), change('NamespaceTransformer')],
        },
        {
          origin: { path: 'base/settings.yaml' },
          transformations: [change('PatchTransformer'), change('NamespaceTransformer')],
        },
      ],
    });
  });

  test('keeps the annotations that a kustomization asks for itself', () => {
    const files = {
      'kustomization.yaml': 'resources: [settings.yaml]\nbuildMetadata: [originAnnotations]\n',
      'settings.yaml': SETTINGS,
    };
    const outcome = kustomize(files, { provenance: true });
    expect(textsOf(outcome)[0]).toContain('config.kubernetes.io/origin');
    expect(outcome).toMatchObject({ objects: [{ origin: { path: 'settings.yaml' } }] });
  });

  test('renders charts of the repository where it is asked to', () => {
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

  test('says what it would have to fetch', () => {
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

  test('warns in the words of the program', () => {
    const files = {
      'kustomization.yaml': 'resources: [settings.yaml]\ncommonLabels: {team: market}\n',
      'settings.yaml': SETTINGS,
    };
    expect(kustomize(files).warnings).toEqual([expect.stringContaining("Warning: 'commonLabels' is deprecated")]);
  });
});
