// Locations of fields of a HelmRelease with post-renderers: the patch or image in the release, or the chart.
import { describe, expect, test } from 'vitest';
import { fluxHelmRelease } from '../../../../src/render/flux/flux-helm-release.ts';
import { placesIn } from '../../../support/places.ts';
import { renderedRepository } from '../../../support/rendered-repository.ts';

const CHART = {
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/values.yaml': 'replicas: 1\nimage: {repository: shop, tag: "1"}\n',
  'charts/shop/crds/stall.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: stalls.example.com\n',
  'charts/shop/templates/shop.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: {{ .Values.replicas }}\n  template:\n    spec:\n      containers:\n        - name: web\n          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"\n          fixed: true\n        - name: log\n          image: log:1\n',
  'charts/shop/templates/hook.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hook\n  annotations: {helm.sh/hook: pre-install}\ndata:\n  size: small\n',
};

const RELEASE = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
  namespace: flux-system
spec:
  chart:
    spec:
      chart: ./charts/shop
      sourceRef: {kind: GitRepository, name: flux-system}
  values:
    replicas: 5
  commonMetadata:
    labels: {team: market}
  postRenderers:
  - kustomize:
      images:
      - name: log
        newTag: "9"
      patches:
      - target: {kind: Deployment}
        patch: |
          - op: add
            path: /spec/paused
            value: true
          - op: replace
            path: /spec/template/spec/containers/0/fixed
            value: false
  - kustomize:
      patches:
      - patch: |
          apiVersion: apps/v1
          kind: Deployment
          metadata:
            name: shop
          spec:
            paused: false
            minReadySeconds: 4
`;

const CONTAINERS = 'Deployment/shop spec.template.spec.containers';

function placesOf(release: string) {
  const { roots } = renderedRepository({ ...CHART, 'apps/release.yaml': release }, [fluxHelmRelease({})]);
  const root = roots.find(({ name }) => name === 'HelmRelease flux-system/shop');
  if (root === undefined || root.failure !== undefined) throw new Error(root?.failure?.message ?? 'no such root');
  return placesIn(root.manifests);
}

describe('a HelmRelease with post-renderers', () => {
  const rows: readonly (readonly [field: string, expected: string])[] = [
    [`${CONTAINERS}[1].image`, 'apps/release.yaml:19 newTag: «"9"»'],
    [`${CONTAINERS}[0].fixed`, 'apps/release.yaml:28 value: «false»'],
    ['Deployment/shop spec.paused', 'apps/release.yaml:37 paused: «false»'],
    ['Deployment/shop spec.minReadySeconds', 'apps/release.yaml:38 minReadySeconds: «4»'],
    ['Deployment/shop spec.replicas', 'apps/release.yaml:12 replicas: «5»'],
    [`${CONTAINERS}[0].image`, 'charts/shop/values.yaml:2 image: {repository: shop, tag: «"1"»}'],
    [`${CONTAINERS}[1].name`, 'charts/shop/templates/shop.yaml:13 - name: «log»'],
    ['Deployment/shop metadata.name', 'charts/shop/templates/shop.yaml:4 name: «shop»'],
    ['Deployment/shop metadata.labels.team', 'apps/release.yaml:14 labels: {team: «market»}'],
    ['ConfigMap/hook data.size', 'charts/shop/templates/hook.yaml:7 size: «small»'],
    [
      'CustomResourceDefinition/stalls.example.com metadata.name',
      'charts/shop/crds/stall.yaml:4 name: «stalls.example.com»',
    ],
  ];
  test.each(rows)('%s', (field, expected) => {
    const place = placesOf(RELEASE).place(field);
    expect(place, place).toBe(expected);
  });

  test('lists earlier locations down to the template', () => {
    expect(placesOf(RELEASE).also('Deployment/shop spec.paused')).toEqual([
      'written in apps/release.yaml:25 «value»: true',
      'written in charts/shop/templates/shop.yaml:5 «spec»:',
      'rendered by apps/release.yaml:2 kind: «HelmRelease»',
    ]);
  });

  test('skips hooks if configured', () => {
    const patched = RELEASE.replace('target: {kind: Deployment}', 'target: {kind: ConfigMap}')
      .replace('/spec/paused', '/data/size')
      .replace('value: true', 'value: large')
      .replace(/ {10}- op: replace\n.*\n.*\n/, '');
    expect(placesOf(patched).place('ConfigMap/hook data.size')).toBe('apps/release.yaml:25 value: «large»');
    const without = patched.replace('  postRenderers:', '  postRenderStrategy: nohooks\n  postRenderers:');
    expect(placesOf(without).place('ConfigMap/hook data.size')).toBe('charts/shop/templates/hook.yaml:7 size: «small»');
  });

  test('distinguishes equal patches of two post-renderers', () => {
    const patch =
      '  - kustomize:\n      patches:\n      - {target: {kind: Deployment}, patch: \'[{"op": "add", "path": "/spec/paused", "value": true}]\'}\n';
    const twice = RELEASE.replace(/ {2}- kustomize:[\s\S]*/, patch + patch);
    const places = placesOf(twice);
    expect(places.place('Deployment/shop spec.paused')).toMatch(/^apps\/release.yaml:21 /);
    expect(places.also('Deployment/shop spec.paused')[0]).toMatch(/^written in apps\/release.yaml:18 /);
  });
});
