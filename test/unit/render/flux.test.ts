// Renders small Flux repositories, from the bootstrap Kustomization to the objects of each Kustomization.
import { describe, expect, test } from 'vitest';
import { objectsOf, renderRepository, rootNamed } from '../../support/render-repository.ts';

const OWN = 'sourceRef: {kind: GitRepository, name: flux-system}';

function kustomization(name: string, spec: string): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec:
  prune: true
${spec
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`;
}

function configMap(name: string, data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`;
}

function labels(name: string): Record<string, string> {
  return { 'kustomize.toolkit.fluxcd.io/name': name, 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };
}

function applied(files: Record<string, string>, name = 'app'): readonly Readonly<Record<string, unknown>>[] {
  return objectsOf(rootNamed(renderRepository(files), `Flux Kustomization flux-system/${name}`));
}

function failureIn(files: Record<string, string>, name = 'Flux Kustomization flux-system/app') {
  return rootNamed(renderRepository(files), name).failure;
}

describe('a Flux Kustomization', () => {
  test('applies its folder, and the declarations in it', () => {
    const files = {
      'cluster/flux.yaml': kustomization('flux-system', `path: ./cluster\n${OWN}`),
      'cluster/app.yaml': kustomization('app', `path: ./app\n${OWN}\ntargetNamespace: market`),
      'app/.hidden.yaml': configMap('hidden', '{a: b}'),
      'app/notes.txt': 'no manifest',
      'app/base/kustomization.yaml': 'namePrefix: k-\nresources: [c.yaml]\n',
      'app/base/c.yaml': configMap('c', '{a: b}'),
      'app/base/unused.yaml': configMap('unused', '{a: b}'),
    };
    const rendered = renderRepository(files);
    expect(rendered.roots.map(({ name, declaredBy }) => [name, declaredBy])).toEqual([
      ['Flux Kustomization flux-system/flux-system', []],
      ['Flux Kustomization flux-system/app', ['Flux Kustomization flux-system/flux-system']],
    ]);
    expect(objectsOf(rootNamed(rendered, 'Flux Kustomization flux-system/app'))).toMatchObject([
      { metadata: { name: 'hidden', namespace: 'market', labels: labels('app') } },
      { metadata: { name: 'k-c', namespace: 'market', labels: labels('app') } },
    ]);
    const [manifest] = rootNamed(rendered, 'Flux Kustomization flux-system/app').manifests;
    expect(manifest?.place(['kind'], 'key').file.path).toBe('app/.hidden.yaml');
  });

  test('merges its fields into the kustomization of the folder', () => {
    const spec = `path: ./app
${OWN}
namePrefix: p-
nameSuffix: -s
targetNamespace: market
commonMetadata: {labels: {team: blue}, annotations: {note: x}}
components: [../component, ../missing]
ignoreMissingComponents: true
images: [{name: web, newTag: "2"}]
patches: [{patch: '[{"op": "add", "path": "/spec/replicas", "value": 3}]', target: {kind: Deployment}}]`;
    const files = {
      'ks.yaml': kustomization('app', spec),
      'component/kustomization.yaml': 'kind: Component\nlabels: [{pairs: {part: one}}]\n',
      'app/kustomization.yaml':
        'namespace: other\nimages: [{name: web, newName: shop, digest: "sha256:1"}]\nresources: [d.yaml]\n',
      'app/d.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: c, image: web}]}}}\n',
    };
    const rendered = renderRepository(files);
    expect(rendered.roots).toHaveLength(1);
    expect(applied(files)).toEqual([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          name: 'p-d-s',
          namespace: 'market',
          labels: { ...labels('app'), part: 'one', team: 'blue' },
          annotations: { note: 'x' },
        },
        spec: { replicas: 3, template: { spec: { containers: [{ name: 'c', image: 'shop:2' }] } } },
      },
    ]);
  });

  test('skips files that the source ignores', () => {
    const files = {
      'ks.yaml': kustomization('app', `path: ./app\n${OWN}`),
      '.sourceignore': '# not ours\n**/draft/\n*.skip.yaml\n',
      'app/a.yaml': configMap('a', '{}'),
      'app/draft/b.yaml': configMap('b', '{}'),
      'app/c.skip.yaml': configMap('c', '{}'),
      'app/below/.sourceignore': '/e.yaml\n',
      'app/below/e.yaml': configMap('e', '{}'),
      'app/below/more/e.yaml': configMap('kept', '{}'),
    };
    expect(applied(files)).toMatchObject([{ metadata: { name: 'a' } }, { metadata: { name: 'kept' } }]);
  });

  test('substitutes variables, and its own values win', () => {
    const spec = `path: ./app
${OWN}
postBuild:
  substitute: {own: mine}
  substituteFrom:
  - {kind: ConfigMap, name: first}
  - {kind: Secret, name: second}
  - {kind: ConfigMap, name: absent, optional: true}`;
    const files = {
      'ks.yaml': kustomization('app', spec),
      'vars.yaml': `${configMap('first', '{own: a, one: b, two: c, size: "5"}')}---\napiVersion: v1\nkind: Secret\nmetadata: {name: second, namespace: flux-system}\ndata: {two: ZA==}\nstringData: {three: e}\n`,
      'app/a.yaml': configMap('a', '{v: "${own} ${one} ${two} ${three} ${four:=f}", size: "${size}", w: "$${one}"}'),
      'app/b.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}\ndata: {v: "\${one}"}\n`,
    };
    expect(applied(files)).toMatchObject([
      { data: { v: 'mine b d e ${four:=f}', size: 5, w: '${one}' } },
      { data: { v: '${one}' } },
    ]);
  });

  test('does not guess values that only the cluster has', () => {
    const spec = `path: ./app
${OWN}
postBuild:
  substituteFrom:
  - {kind: ConfigMap, name: first}
  - {kind: Secret, name: sealed}
  - {kind: ConfigMap, name: last}`;
    const sealed =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: sealed, namespace: flux-system}\nstringData: {one: "ENC[AES256_GCM,data:x]", plain: p}\nsops: {mac: x}\n';
    const files = {
      'ks.yaml': kustomization('app', spec),
      'vars.yaml': `${configMap('first', '{one: a, two: b}')}---\n${configMap('last', '{three: c}')}`,
      'app/a.yaml': configMap('a', '{v: "${one} ${two} ${three} ${plain:=x}"}'),
    };
    expect(applied({ ...files, 'sealed.yaml': sealed })).toMatchObject([{ data: { v: '${one} b c p' } }]);
    expect(applied(files)).toMatchObject([{ data: { v: '${one} ${two} c ${plain:=x}' } }]);
  });

  test('does not choose between two ConfigMaps of one name', () => {
    const variables = (data: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars, namespace: flux-system}\ndata: ${data}\n`;
    const files = {
      'ks.yaml': kustomization(
        'app',
        `path: ./app\n${OWN}\npostBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}`,
      ),
      'east/vars.yaml': variables('{same: s, town: Lübeck}'),
      'west/vars.yaml': variables('{same: s, town: Trier}'),
      'app/a.yaml': configMap('a', '{v: "${same} ${town}"}'),
    };
    expect(applied(files)).toMatchObject([{ data: { v: 's ${town}' } }]);
  });

  test('reads variables from objects rendered for its cluster, in any order', () => {
    const cluster = (name: string, town: string) => ({
      [`${name}/flux-system/sync.yaml`]: kustomization('flux-system', `path: ./${name}\n${OWN}`),
      [`${name}/a-apps.yaml`]: kustomization(
        'apps',
        `path: ./apps\n${OWN}\npostBuild: {substituteFrom: [{kind: ConfigMap, name: vars}, {kind: ConfigMap, name: later}]}`,
      ),
      [`${name}/settings/kustomization.yaml`]: `namespace: flux-system\ngeneratorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: vars, literals: [town=${town}]}]\n`,
      [`${name}/z-later.yaml`]: kustomization('later', `path: ./later\n${OWN}\npostBuild: {substitute: {size: "7"}}`),
    });
    const files = {
      ...cluster('east', 'Lübeck'),
      ...cluster('west', 'Trier'),
      'later/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: later, namespace: flux-system}\ndata: {size: "x${size}"}\n',
      'apps/a.yaml': configMap('a', '{v: "${town} ${size}"}'),
    };
    const { roots } = renderRepository(files);
    const apps = roots.filter(({ name }) => name === 'Flux Kustomization flux-system/apps');
    expect(apps.map((root) => objectsOf(root)[0]?.['data'])).toEqual([{ v: 'Lübeck x7' }, { v: 'Trier x7' }]);
  });

  test('uses configured data of cluster objects, and leaves the rest unknown', () => {
    const spec = `path: ./app
${OWN}
postBuild:
  substituteFrom:
  - {kind: ConfigMap, name: first}
  - {kind: Secret, name: sealed}
  - {kind: ConfigMap, name: cluster, optional: true}`;
    const files = {
      'ks.yaml': kustomization('app', spec),
      'vars.yaml': configMap('first', '{one: a, two: b}'),
      'sealed.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata: {name: sealed, namespace: flux-system}\nstringData: {key: "ENC[AES256_GCM,data:x]"}\nsops: {mac: x}\n',
      'app/a.yaml': configMap('a', '{v: "${one} ${two} ${key} ${three}"}'),
    };
    const told = (data: Record<string, Record<string, string>>) => ({
      clusterData: new Map(Object.entries(data).map(([name, texts]) => [name, new Map(Object.entries(texts))])),
    });
    const valueWith = (data: Record<string, Record<string, string>>) => {
      const root = rootNamed(renderRepository(files, {}, told(data)), 'Flux Kustomization flux-system/app');
      return objectsOf(root)[0]?.['data'];
    };
    expect(valueWith({})).toEqual({ v: 'a b ${key} ${three}' });
    expect(valueWith({ 'Secret/flux-system/sealed': { key: 'k' } })).toEqual({ v: 'a b k ${three}' });
    expect(valueWith({ 'ConfigMap/flux-system/cluster': { two: 'c' } })).toEqual({ v: 'a c ${key} ${three}' });
    expect(valueWith({ 'ConfigMap/other/cluster': { two: 'c' } })).toEqual({ v: 'a b ${key} ${three}' });
  });

  test("fails as a whole with the controller's message", () => {
    const files = {
      'ks.yaml': kustomization('app', `path: ./app\n${OWN}\npostBuild: {substitute: {a: b}}`),
      'app/a.yaml': configMap('a', '{v: "${a[@]}"}'),
      'app/b.yaml': configMap('b', '{}'),
    };
    expect(failureIn(files)).toMatchObject({
      message: "var substitution failed for 'a': envsubst error: variable substitution failed: missing closing brace",
    });
    expect(failureIn({ ...files, 'app/a.yaml': 'replicas: 1\n' })?.message).toContain('missing Resource metadata');
    expect(failureIn({ 'ks.yaml': kustomization('app', `path: ./gone\n${OWN}`) })).toMatchObject({
      reason: 'missing-file',
    });
  });

  test('removes the metadata of SOPS', () => {
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: "ENC[AES256_GCM,data:x]"}\nsops: {mac: x}\n';
    const files = {
      'ks.yaml': kustomization('app', `path: ./app\n${OWN}\ndecryption: {provider: sops}`),
      'app/s.yaml': secret,
    };
    expect(applied(files)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's', labels: labels('app') },
        stringData: { a: 'ENC[AES256_GCM,data:x]' },
      },
    ]);
  });

  test('applies nothing while suspended', () => {
    const files = {
      'ks.yaml': kustomization('app', `path: ./app\n${OWN}\nsuspend: true`),
      'app/a.yaml': configMap('a', '{}'),
    };
    expect(renderRepository(files).roots).toEqual([]);
  });

  test('is not confused with sources of other repositories', () => {
    const repository = (name: string, url: string) =>
      `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {url: "${url}"}\n`;
    const of = (kind: string, name: string) =>
      kustomization('app', `path: ./app\nsourceRef: {kind: ${kind}, name: ${name}}`);
    const files = {
      'app/a.yaml': configMap('a', '{}'),
      'sources.yaml': `${repository('flux-system', 'ssh://git@example.com/team/fleet')}---\n${repository('again', 'https://example.com/team/fleet.git')}---\n${repository('vendor', 'https://example.com/vendor/charts')}`,
    };
    expect(applied({ ...files, 'ks.yaml': of('GitRepository', 'again') })).toHaveLength(1);
    expect(failureIn({ ...files, 'ks.yaml': of('GitRepository', 'vendor') })).toMatchObject({
      reason: 'unknown-source',
      message:
        'its source GitRepository/flux-system/vendor (https://example.com/vendor/charts) is not in this repository',
    });
    const bucket = { ...files, 'ks.yaml': of('OCIRepository', 'fleet') };
    expect(failureIn(bucket)).toMatchObject({ reason: 'unknown-source' });
    const told = renderRepository(
      { 'deploy/app/a.yaml': configMap('a', '{}'), 'ks.yaml': of('OCIRepository', 'fleet') },
      { sources: new Map([['OCIRepository/flux-system/fleet', 'deploy']]) },
    );
    expect(objectsOf(rootNamed(told, 'Flux Kustomization flux-system/app'))).toHaveLength(1);
  });

  test('finds an artifact that contains this repository', () => {
    const of = (name: string, path: string) =>
      kustomization(name, `path: ./${path}\nsourceRef: {kind: OCIRepository, name: fleet}`);
    const files = {
      'lab/apps/a.yaml': configMap('a', '{}'),
      'base/b.yaml': configMap('b', '{}'),
      'lab/flux/sync.yaml': `${of('apps', 'lab/apps')}---\n${of('base', 'base')}`,
    };
    const [apps] = renderRepository(files).roots.filter(({ name }) => name.endsWith('/apps'));
    expect(apps?.assumes).toEqual([
      'OCIRepository/flux-system/fleet contains this repository: 2 of 2 paths of its Kustomizations exist there',
    ]);
    // With the path of one Kustomization, it may be any artifact.
    const one = { ...files, 'lab/flux/sync.yaml': of('apps', 'lab/apps') };
    expect(rootNamed(renderRepository(one), 'Flux Kustomization flux-system/apps').failure).toMatchObject({
      reason: 'unknown-source',
    });
  });

  test('finds the folder that an artifact is copied from', () => {
    const generator = `apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: parts, namespace: flux-system}
spec:
  sources: [{alias: repo, kind: GitRepository, name: flux-system}]
  artifacts:
  - {name: folder, copy: [{from: "@repo/app/", to: "@artifact/"}]}
  - {name: contents, copy: [{from: "@repo/app/**", to: "@artifact/app/"}]}
  - {name: pattern, copy: [{from: "@repo/app/*.yaml", to: "@artifact/"}]}
  - {name: file, copy: [{from: "@repo/app/a.yaml", to: "@artifact/app/"}]}
  - {name: below, copy: [{from: "@repo/fleet/app/**", to: "@artifact/app/"}, {from: "@repo/fleet/base", to: "@artifact/"}]}
  - {name: twice, copy: [{from: "@repo/app", to: "@artifact/app/"}]}
  - {name: renamed, copy: [{from: "@repo/app/**", to: "@artifact/shop/"}]}
  - {name: named, copy: [{from: "@repo/app/a.yaml", to: "@artifact/app/b.yaml"}]}
  - {name: part, copy: [{from: "@repo/app/**", to: "@artifact/app/", exclude: ["*.md"]}]}
  - {name: unpacked, copy: [{from: "@repo/app/**", to: "@artifact/app/", strategy: Extract}]}
  - {name: torn, copy: [{from: "@repo/app/**", to: "@artifact/app/"}, {from: "@repo/fleet/base/**", to: "@artifact/base/"}]}
`;
    const of = (name: string) =>
      kustomization('app', `path: ./app\nsourceRef: {kind: ExternalArtifact, name: ${name}}`);
    const one = { 'app/a.yaml': configMap('a', '{}'), 'parts.yaml': generator };
    const files = {
      ...one,
      'fleet/app/kustomization.yaml': 'resources: [../base]',
      'fleet/base/kustomization.yaml': 'resources: [a.yaml]',
      'fleet/base/a.yaml': configMap('below', '{}'),
    };
    const names = (name: string) =>
      applied({ ...files, 'ks.yaml': of(name) }).map(({ metadata }) => (metadata as { readonly name: string }).name);
    for (const name of ['folder', 'contents', 'pattern', 'file']) expect(names(name), name).toEqual(['a']);
    expect(names('below')).toEqual(['below']);
    for (const name of ['twice', 'renamed', 'named', 'part', 'unpacked', 'torn']) {
      expect(failureIn({ ...files, 'ks.yaml': of(name) }), name).toMatchObject({ reason: 'unknown-source' });
    }
  });
});

describe('a HelmRelease', () => {
  const CHART = {
    'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'charts/shop/values.yaml': 'size: 1\ntown: none\nextra: {a: 1, b: 2}\n',
    'charts/shop/prod.yaml': 'size: 7\nextra: {a: 5}\n',
    'charts/shop/crds/crd.yaml':
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\n',
    'charts/shop/templates/web.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}", namespace: "{{ .Release.Namespace }}"}
data: {size: "{{ .Values.size }}", town: "{{ .Values.town }}", extra: '{{ toJson .Values.extra }}'}
`,
  };
  const LABELS = { 'helm.toolkit.fluxcd.io/name': 'shop', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' };
  const IN_TREE = 'chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: flux-system}}}';
  const NAME = 'HelmRelease flux-system/shop';

  function release(spec: string): string {
    return kustomization('shop', spec)
      .replace('kustomize.toolkit.fluxcd.io/v1', 'helm.toolkit.fluxcd.io/v2')
      .replace('kind: Kustomization', 'kind: HelmRelease');
  }

  function installed(spec: string, more: Record<string, string> = {}) {
    const rendered = renderRepository({ ...CHART, 'release.yaml': release(spec), ...more });
    return objectsOf(rootNamed(rendered, NAME));
  }

  test('installs a chart of the repository with its name and labels', () => {
    expect(installed(`${IN_TREE}\ntargetNamespace: market\nvalues: {size: 3}`)).toEqual([
      expect.objectContaining({ metadata: { name: 'shops.example.com', labels: LABELS } }),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'market-shop', namespace: 'market', labels: LABELS },
        data: { size: '3', town: 'none', extra: '{"a":1,"b":2}' },
      },
    ]);
    expect(installed(`${IN_TREE}\ninstall: {crds: Skip}\nreleaseName: blue`)).toMatchObject([
      { metadata: { name: 'blue', namespace: 'flux-system' } },
    ]);
  });

  test('reads values from objects in order, then its own', () => {
    const spec = `${IN_TREE}
install: {crds: Skip}
valuesFrom:
- {kind: ConfigMap, name: one}
- {kind: ConfigMap, name: two, valuesKey: more}
- {kind: ConfigMap, name: three, valuesKey: town, targetPath: town}
- {kind: ConfigMap, name: absent, optional: true}
values: {extra: {b: 9}}`;
    const more = {
      'one.yaml': configMap('one', '{values.yaml: "size: 5\\nextra: {c: 3}"}'),
      'two.yaml': configMap('two', '{more: "size: 6"}'),
      'three.yaml': configMap('three', '{town: Trier}'),
    };
    expect(installed(spec, more)).toMatchObject([{ data: { size: '6', town: 'Trier', extra: '{"a":1,"b":9,"c":3}' } }]);
  });

  test('keeps a placeholder for a single cluster value, and is rendered without a whole values object', () => {
    const reference = 'kind: Secret, name: in-cluster';
    expect(
      installed(`${IN_TREE}\ninstall: {crds: Skip}\nvaluesFrom: [{${reference}, valuesKey: t, targetPath: town}]`),
    ).toMatchObject([{ data: { town: '${_in_cluster}' } }]);
    const rendered = renderRepository({
      ...CHART,
      'release.yaml': release(`${IN_TREE}\nvaluesFrom: [{${reference}}]`),
    });
    const lacking = 'the values of Secret flux-system/in-cluster, key values.yaml, which is not in the repository';
    const [root, doubt] = rendered.roots.filter(({ name }) => name === NAME);
    expect(root?.manifests.map(({ dependsOn }) => dependsOn)).toContain(lacking);
    expect(doubt).toMatchObject({
      manifests: [],
      failure: { isDoubt: true, message: `it is rendered without ${lacking}` },
    });
  });

  test('reads its values files instead of the values of the chart', () => {
    const spec = `chart: {spec: {chart: ./charts/shop, valuesFiles: [charts/shop/prod.yaml], sourceRef: {kind: GitRepository, name: flux-system}}}\ninstall: {crds: Skip}`;
    expect(installed(spec)).toMatchObject([{ data: { size: '7', town: '', extra: '{"a":5}' } }]);
  });

  test.each([
    [
      'of a source',
      'chart: {spec: {chart: ./charts/shop, valuesFiles: [charts/shop/none.yaml], sourceRef: {kind: GitRepository, name: flux-system}}}',
      "no values file found at path '/charts/shop/none.yaml' (reference 'charts/shop/none.yaml')",
    ],
    [
      'of a packaged chart',
      'chart: {spec: {chart: shop, version: 1.0.0, valuesFiles: [none.yaml], sourceRef: {kind: HelmRepository, name: market}}}',
      "no values file found at path 'none.yaml'",
    ],
  ])('fails like source-controller if a values file %s is missing, or ignores it', (_, spec, message) => {
    const failureOf = (written: string) =>
      rootNamed(renderRepository({ ...CHART, 'release.yaml': release(written) }), NAME).failure;
    expect(failureOf(spec)).toMatchObject({ reason: 'unknown-source', message });
    expect(failureOf(spec.replace('valuesFiles:', 'ignoreMissingValuesFiles: true, valuesFiles:'))).toBeUndefined();
  });

  test('applies its post-renderers, and keeps locations', () => {
    const spec = `${IN_TREE}
commonMetadata: {labels: {team: blue}}
postRenderers:
- kustomize: {patches: [{target: {kind: ConfigMap}, patch: '[{"op": "add", "path": "/data/first", "value": "1"}]'}]}
- kustomize: {patches: [{target: {kind: ConfigMap}, patch: '[{"op": "move", "from": "/data/first", "path": "/data/second"}]'}]}`;
    expect(installed(spec)).toMatchObject([
      { metadata: { labels: LABELS } },
      { metadata: { labels: { ...LABELS, team: 'blue' } }, data: { second: '1' } },
    ]);
    const root = rootNamed(renderRepository({ ...CHART, 'release.yaml': release(spec) }), NAME);
    expect(root.manifests.at(-1)?.place(['kind'], 'key').file.path).toBe('charts/shop/templates/web.yaml');
  });

  test('uses a vendored copy only if its version matches', () => {
    const repository =
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: market, namespace: flux-system}\nspec: {url: https://charts.example.com}\n';
    const of = (version: string) =>
      `chart: {spec: {chart: shop, version: "${version}", sourceRef: {kind: HelmRepository, name: market}}}`;
    expect(installed(of('1.0.0'), { 'repository.yaml': repository })).toHaveLength(2);
    const rendered = renderRepository({
      ...CHART,
      'repository.yaml': repository,
      'release.yaml': release(of('1.0.1')),
    });
    expect(rootNamed(rendered, NAME).failure).toMatchObject({
      reason: 'unknown-source',
      message: 'chart shop 1.0.1 of https://charts.example.com is not in the repository',
    });
  });
});
