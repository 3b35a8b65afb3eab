// The objects of the Flux operator: what a FluxInstance and a ResourceSet make Flux apply.
import { describe, expect, test } from 'vitest';
import { objectsOf, renderRepository, rootNamed } from '../../support/render-repository.ts';

const OWN = 'kind: GitRepository, url: "https://git.example.com/shop/platform", ref: refs/heads/main';

function instance(spec: string): string {
  return `apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\nspec:\n  distribution: {version: 2.x}\n${spec}`;
}

function resourceSet(spec: string): string {
  return `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: apps, namespace: flux-system}\nspec:\n${spec}`;
}

function kustomization(path: string, kind = 'GitRepository'): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ${path}, sourceRef: {kind: ${kind}, name: flux-system}}\n`;
}

const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

function outline(files: Record<string, string>): readonly string[] {
  return renderRepository(files).roots.map(
    ({ name, declaredBy, entry, failure }) =>
      `${[...declaredBy, name].join(' > ')} (${entry})${failure === undefined ? '' : `: ${failure.message}`}`,
  );
}

describe('a FluxInstance', () => {
  const files = {
    'cluster/flux.yaml': instance(`  sync: {${OWN}, path: cluster/flux}\n`),
    'cluster/flux/apps.yaml': kustomization('cluster/apps'),
    'cluster/apps/map.yaml': map('one'),
  };
  const installs =
    'FluxInstance flux-system/flux (cluster/flux.yaml): it installs Flux 2.x, whose manifests are not in the repository';

  test('is the root of the chain that its sync starts', () => {
    const sync = 'FluxInstance flux-system/flux > Flux Kustomization flux-system/flux-system';
    expect(outline(files)).toEqual([
      installs,
      'FluxInstance flux-system/flux (cluster/flux.yaml)',
      `${sync} (cluster/flux.yaml)`,
      `${sync} > Flux Kustomization flux-system/apps (cluster/flux.yaml)`,
    ]);
  });

  test('stays the root if its chain applies its own file', () => {
    const own = { ...files, 'cluster/apps/flux.yaml': files['cluster/flux.yaml'], 'cluster/flux.yaml': map('other') };
    const entries = renderRepository(own).roots.map(({ entry }) => entry);
    expect(new Set(entries)).toEqual(new Set(['cluster/apps/flux.yaml']));
  });

  test('is the only root of a Kustomization in its folder that applies itself', () => {
    const self = { ...files, 'cluster/flux/apps.yaml': kustomization('cluster') };
    const entries = renderRepository(self).roots.map(({ entry }) => entry);
    expect(new Set(entries)).toEqual(new Set(['cluster/flux.yaml']));
  });

  test('declares a source and a Kustomization, with the patches that are about them', () => {
    const patches = `  kustomize:
    patches:
      - target: {kind: Deployment}
        patch: '[{"op": "remove", "path": "/nowhere"}]'
      - target: {kind: "(GitRepository|Bucket)"}
        patch: '[{"op": "add", "path": "/spec/ignore", "value": "docs/"}]'
`;
    const text = instance(
      `  cluster: {multitenant: true}\n  sync: {${OWN}, path: cluster/flux, name: own}\n${patches}`,
    );
    const [, declared] = renderRepository({ ...files, 'cluster/flux.yaml': text }).roots;
    if (declared === undefined) throw new Error('no objects');
    expect(objectsOf(declared)).toMatchObject([
      {
        kind: 'GitRepository',
        metadata: { name: 'own', namespace: 'flux-system', labels: { 'fluxcd.controlplane.io/name': 'flux' } },
        spec: { interval: '1m0s', ignore: 'docs/', ref: { name: 'refs/heads/main' } },
      },
      {
        kind: 'Kustomization',
        spec: { path: 'cluster/flux', serviceAccountName: 'kustomize-controller', sourceRef: { name: 'own' } },
      },
    ]);
    expect(declared.manifests[1]?.place(['spec', 'path'], 'value').file.text.slice(0, 10)).toBe('apiVersion');
  });

  test('of another repository leads to nothing in this one', () => {
    const text = instance(
      '  sync: {kind: GitRepository, url: "https://git.example.com/other/fleet", ref: main, path: a, name: fleet}\n',
    );
    const failures = renderRepository(
      { 'flux.yaml': text },
      { repositoryUrl: 'https://git.example.com/shop/platform' },
    );
    expect(rootNamed(failures, 'Flux Kustomization flux-system/fleet').failure?.message).toContain(
      'not in this repository',
    );
  });

  test('without a sync only installs Flux, and a disabled one nothing', () => {
    expect(outline({ 'cluster/flux.yaml': instance('') })).toEqual([installs]);
    const disabled = instance('').replace(
      'name: flux,',
      'name: flux, annotations: {fluxcd.controlplane.io/reconcile: Disabled},',
    );
    expect(outline({ 'flux.yaml': disabled })).toEqual([]);
  });
});

describe('a ResourceSet', () => {
  const set = 'ResourceSet flux-system/apps';

  test('applies templates without inputs once, and follows what they declare', () => {
    const spec = `  inputs: [{name: a}, {name: b}]
  resources:
    - ${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } })}
  resourcesTemplate: |
    ${kustomization('apps').replaceAll('\n', '\n    ')}
    ---
    ${map('one').replaceAll('\n', '\n    ')}
`;
    const rendered = renderRepository({ 'set.yaml': resourceSet(spec), 'apps/map.yaml': map('two') });
    expect(objectsOf(rootNamed(rendered, set))).toMatchObject([
      { metadata: { name: 'one', labels: { 'resourceset.fluxcd.controlplane.io/name': 'apps' } } },
      { kind: 'Kustomization', metadata: { name: 'apps' } },
    ]);
    expect(objectsOf(rootNamed(rendered, 'Flux Kustomization flux-system/apps'))).toMatchObject([
      { metadata: { name: 'two' } },
    ]);
  });

  test('is unknown where its templates depend on inputs', () => {
    const spec =
      '  inputs: [{name: a}]\n  resources:\n    - {apiVersion: v1, kind: ConfigMap, metadata: {name: "<< inputs.name >>"}}\n';
    expect(outline({ 'set.yaml': resourceSet(spec) })).toEqual([
      `${set} (set.yaml): 1 of its templates depends on inputs, which preadmit does not render`,
    ]);
    const provided = spec
      .replace('inputs: [{name: a}]', 'inputsFrom: [{name: previews}]')
      .replace('<< inputs.name >>', 'one');
    expect(outline({ 'set.yaml': resourceSet(provided) })).toEqual([
      `${set} (set.yaml): 1 of its templates depends on inputs of providers, which are known only in the cluster`,
    ]);
  });
});
