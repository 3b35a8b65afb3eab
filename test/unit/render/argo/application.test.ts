import { describe, expect, it } from 'vitest';
import { argoApplication } from '../../../../src/render/argo/application.ts';
import { argoApplicationSet } from '../../../../src/render/argo/application-set.ts';
import type { ArgoOptions } from '../../../../src/render/argo/argo-options.ts';
import type { RenderedSources } from '../../../../src/render/sources/sources-input.ts';
import { objectsOf, outlineOf, renderedRepository } from '../../../support/rendered-repository.ts';

const HERE = 'https://git.example/shop/fleet.git';

function render(
  files: Readonly<Record<string, string>>,
  options: ArgoOptions = { repositoryUrls: [HERE] },
): RenderedSources {
  return renderedRepository(files, [argoApplication(options), argoApplicationSet(options)]);
}

/** `spec` is indented by two spaces. */
function application(name: string, spec: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  namespace: argocd
spec:
  project: default
  destination: {server: 'https://kubernetes.default.svc', namespace: market}
${spec}`;
}

function source(path: string, rest = ''): string {
  return `  source:\n    repoURL: ${HERE}\n    path: ${path}\n${rest}`;
}

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\ndata:\n  colour: blue\n';
const IN_CLUSTER = ' → https://kubernetes.default.svc';

const CHART = {
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/values.yaml': 'colour: red\nlist: []\n',
  'charts/shop/templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
data: {{ .Values | toJson }}
`,
};

function valuesOf(sources: RenderedSources, name = 'Application argocd/shop'): unknown {
  return objectsOf(sources, name).find(({ kind }) => kind === 'ConfigMap')?.data;
}

describe('an Application with a folder of manifests', () => {
  const apps = application('shop', source('apps/shop'));

  it('applies the files unchanged, in the namespace of its destination', () => {
    const sources = render({
      'argo/shop.yaml': apps,
      'apps/shop/config.yaml': CONFIG,
      'apps/shop/more/deep.yaml': CONFIG,
    });
    expect(outlineOf(sources)).toEqual([`Application argocd/shop${IN_CLUSTER} in market`, '  ConfigMap shop']);
    expect([...sources.inputs]).toEqual([['apps/shop/config.yaml', true]]);
  });

  it('keeps the location of every field', () => {
    const [root] = render({ 'argo/shop.yaml': apps, 'apps/shop/config.yaml': CONFIG }).roots;
    const { file, range } = root?.manifests[0]?.place(['data', 'colour'], 'value') ?? {};
    expect([file?.path, file?.text.slice(range?.start, range?.end)]).toEqual(['apps/shop/config.yaml', 'blue']);
  });

  it('descends with recurse, and applies include and exclude', () => {
    const options = "    directory: {recurse: true, include: '{*.yaml,more/*}', exclude: 'more/b*'}\n";
    const sources = render({
      'argo/shop.yaml': application('shop', source('apps/shop', options)),
      'apps/shop/one.yaml': CONFIG.replace('name: shop', 'name: one'),
      'apps/shop/two.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"two"}}',
      'apps/shop/more/a.yaml': CONFIG.replace('name: shop', 'name: a'),
      'apps/shop/more/b.yaml': CONFIG.replace('name: shop', 'name: b'),
      'apps/shop/readme.md': 'no manifest',
    });
    expect(outlineOf(sources).slice(1)).toEqual(['  ConfigMap a', '  ConfigMap one']);
  });

  it('skips marked files and files that are not manifests, and marks hooks that no sync applies', () => {
    const hook = (name: string, annotation: string): string =>
      CONFIG.replace('name: shop', `name: ${name}\n  annotations: {${annotation}}`);
    const sources = render({
      'argo/shop.yaml': apps,
      'apps/shop/1.yaml': `# +argocd:skip-file-rendering\n${CONFIG}`,
      'apps/shop/2.yaml': hook('skipped', 'argocd.argoproj.io/hook: Skip'),
      'apps/shop/3.yaml': hook('tested', "'helm.sh/hook': test"),
      'apps/shop/4.yaml': hook('migrated', 'argocd.argoproj.io/hook: PreSync'),
      'apps/shop/5.yaml': 'just: values\n',
      'apps/shop/6.yaml': hook('cleaned', 'argocd.argoproj.io/hook: PostDelete'),
      'apps/shop/7.yaml': hook('both', "argocd.argoproj.io/hook: 'Skip, PreSync'"),
      'apps/shop/8.yaml': hook('misspelt', 'argocd.argoproj.io/hook: presync'),
      'apps/shop/9.yaml': hook('defined', "'helm.sh/hook': crd-install"),
    });
    expect(outlineOf(sources).slice(1)).toEqual([
      '  ConfigMap skipped, never applied: argocd.argoproj.io/hook: Skip',
      '  ConfigMap tested, never applied: helm.sh/hook: test',
      '  ConfigMap migrated',
      '  ConfigMap cleaned',
      '  ConfigMap both',
      '  ConfigMap misspelt, never applied: argocd.argoproj.io/hook: presync',
      '  ConfigMap defined',
    ]);
  });

  it('applies nothing if a manifest is unreadable', () => {
    const sources = render({
      'argo/shop.yaml': apps,
      'apps/shop/a.yaml': CONFIG,
      'apps/shop/b.yaml': `${CONFIG}  - x\n`,
    });
    expect(outlineOf(sources)[0]).toContain('Failed to unmarshal "b.yaml"');
    expect(outlineOf(sources)).toHaveLength(1);
  });

  it('reports Jsonnet files', () => {
    const sources = render({ 'argo/shop.yaml': apps, 'apps/shop/a.yaml': CONFIG, 'apps/shop/b.jsonnet': '{}' });
    expect(outlineOf(sources)).toContain('  ConfigMap shop');
    expect(outlineOf(sources)).toContain(
      'Application argocd/shop: apps/shop/b.jsonnet is Jsonnet, which preadmit does not evaluate',
    );
  });

  it('ignores subfolders without recurse', () => {
    const sources = render({
      'argo/shop.yaml': apps,
      'apps/shop/config.yaml': CONFIG,
      'apps/shop/other/kustomization.yaml': 'resources: [x.yaml]\n',
      'apps/shop/other/x.yaml': CONFIG,
    });
    expect(outlineOf(sources)).toContain('kustomization apps/shop/other');
  });
});

describe('an Application with a kustomization', () => {
  const files = {
    'apps/shop/kustomization.yaml': 'resources: [deployment.yaml]\nimages: [{name: web, newTag: v1}]\npatches: []\n',
    'apps/shop/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
`,
  };

  it('builds it once, through the Application', () => {
    const sources = render({ ...files, 'argo/shop.yaml': application('shop', source('apps/shop')) });
    expect(outlineOf(sources)).toEqual([`Application argocd/shop${IN_CLUSTER} in market`, '  Deployment web']);
  });

  it('writes the options into the kustomization', () => {
    const options = `    kustomize:
      namePrefix: blue-
      nameSuffix: '-1'
      namespace: other
      images: ['web=registry.example:5000/web:v2', side@sha256:abc]
      replicas: [{name: web, count: '3'}]
      commonLabels: {team: a}
      commonAnnotations: {app: $ARGOCD_APP_NAME, commit: $ARGOCD_APP_REVISION}
      commonAnnotationsEnvsubst: true
      patches:
      - target: {kind: Deployment}
        patch: '- {op: add, path: /spec/paused, value: true}'
`;
    const sources = render({ ...files, 'argo/shop.yaml': application('shop', source('apps/shop', options)) });
    expect(objectsOf(sources, 'Application argocd/shop')).toEqual([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          annotations: { app: 'shop', commit: `\${ARGOCD_APP_REVISION}` },
          labels: { team: 'a' },
          name: 'blue-web-1',
          namespace: 'other',
        },
        spec: {
          paused: true,
          replicas: 3,
          selector: { matchLabels: { app: 'web', team: 'a' } },
          template: {
            metadata: {
              annotations: { app: 'shop', commit: `\${ARGOCD_APP_REVISION}` },
              labels: { app: 'web', team: 'a' },
            },
            spec: { containers: [{ image: 'registry.example:5000/web:v2', name: 'web' }] },
          },
        },
      },
    ]);
  });

  it('rejects a duplicate label unless it is forced', () => {
    const options = '    kustomize: {commonLabels: {team: b}}\n';
    const kustomization = 'resources: [deployment.yaml]\ncommonLabels: {team: a}\n';
    const given = { ...files, 'apps/shop/kustomization.yaml': kustomization };
    const sources = render({ ...given, 'argo/shop.yaml': application('shop', source('apps/shop', options)) });
    expect(outlineOf(sources)).toContain(
      'Application argocd/shop: label team already in kustomization file. Use --force to override.',
    );
    const forced = options.replace('{commonLabels', '{forceCommonLabels: true, commonLabels');
    const other = render({ ...given, 'argo/shop.yaml': application('shop', source('apps/shop', forced)) });
    expect(objectsOf(other, 'Application argocd/shop')).toMatchObject([{ metadata: { labels: { team: 'b' } } }]);
  });

  it('adds components, and skips missing ones if configured', () => {
    const options = '    kustomize: {components: [../../parts/a, ../../parts/b], ignoreMissingComponents: true}\n';
    const sources = render({
      ...files,
      'argo/shop.yaml': application('shop', source('apps/shop', options)),
      'parts/a/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: part-\n',
    });
    expect(outlineOf(sources)).toContain('  Deployment part-web');
  });
});

describe('an Application with a chart', () => {
  it('passes name, namespace and values to Helm in order', () => {
    const options = `    helm:
      releaseName: blue
      valueFiles: [values-a.yaml, /shared/b.yaml, missing.yaml]
      ignoreMissingValueFiles: true
      values: 'colour: lost'
      valuesObject: {colour: object, kept: true}
      parameters:
      - {name: number, value: '1'}
      - {name: text, value: '1', forceString: true}
      - {name: two, value: 'a,b $ARGOCD_APP_NAME'}
      - {name: list, value: '{a,b}'}
      fileParameters: [{name: file, path: note.txt}]
`;
    const sources = render({
      ...CHART,
      'argo/shop.yaml': application('shop', source('charts/shop', options)),
      'charts/shop/values-a.yaml': 'a: 1\n',
      'charts/shop/note.txt': 'a note',
      'shared/b.yaml': 'b: 2\n',
    });
    expect(objectsOf(sources, 'Application argocd/shop')).toMatchObject([
      { kind: 'ConfigMap', metadata: { name: 'blue', namespace: 'market' } },
    ]);
    expect(valuesOf(sources)).toEqual({
      ...{ a: 1, b: 2, colour: 'object', kept: true, number: 1, text: '1', two: 'a,b shop', list: ['a', 'b'] },
      file: 'a note',
    });
  });

  it('reads values files of another source only if that is this repository', () => {
    const sourcesOf = (url: string): string => `  sources:
  - {repoURL: ${HERE}, path: charts/shop, helm: {valueFiles: [$settings/env/blue.yaml]}}
  - {repoURL: ${url}, ref: settings}
`;
    const files = { ...CHART, 'env/blue.yaml': 'colour: blue\n' };
    const same = render({ ...files, 'argo/shop.yaml': application('shop', sourcesOf('git@git.example:shop/fleet')) });
    expect(valuesOf(same)).toEqual({ colour: 'blue', list: [] });
    const other = render({ ...files, 'argo/shop.yaml': application('shop', sourcesOf('https://git.example/else')) });
    expect(outlineOf(other)).toContain(
      'Application argocd/shop: the values file $settings/env/blue.yaml is in another repository, https://git.example/else',
    );
  });

  it('expands globs of values files in order, and keeps the position of explicit files', () => {
    const options = "    helm: {valueFiles: ['env/**/*.yaml', env/a.yaml]}\n";
    const sources = render({
      ...CHART,
      'argo/shop.yaml': application('shop', source('charts/shop', options)),
      'charts/shop/env/a.yaml': 'colour: a\n',
      'charts/shop/env/b.yaml': 'colour: b\nb: 1\n',
      'charts/shop/env/deep/c.yaml': 'colour: c\nc: 1\n',
    });
    expect(valuesOf(sources)).toEqual({ colour: 'a', list: [], b: 1, c: 1 });
  });

  it('merges .argocd-source files over the source', () => {
    const sources = render({
      ...CHART,
      'argo/shop.yaml': application('shop', source('charts/shop', '    helm: {valuesObject: {colour: app}}\n')),
      'charts/shop/.argocd-source.yaml': 'helm: {valuesObject: {all: 1}}\n',
      'charts/shop/.argocd-source-shop.yaml': 'path: elsewhere\nhelm: {parameters: [{name: image, value: v2}]}\n',
    });
    expect(valuesOf(sources)).toEqual({ colour: 'app', list: [], all: 1, image: 'v2' });
  });

  it('reports sources outside the repository, and applies the rest', () => {
    const sources = render({
      ...CHART,
      'argo/shop.yaml': application(
        'shop',
        `  sources:
  - {repoURL: https://charts.example, chart: redis, targetRevision: 1.2.3}
  - {repoURL: https://git.example/other, path: apps}
  - {repoURL: ${HERE}, path: charts/shop, plugin: {name: secrets}}
  - {repoURL: ${HERE}, path: nowhere}
  - {repoURL: ${HERE}, path: charts/shop, targetRevision: 0123456789abcdef0123456789abcdef01234567}
  - {repoURL: ${HERE}, path: charts/shop}
`,
      ),
    });
    expect(outlineOf(sources)).toEqual([
      'Application argocd/shop: chart redis 1.2.3 of https://charts.example is not in the repository',
      'Application argocd/shop: its source apps of https://git.example/other is in another repository',
      'Application argocd/shop: the plugin secrets generates its manifests',
      'Application argocd/shop: nowhere: app path does not exist',
      'Application argocd/shop: its source is pinned to commit 0123456789abcdef0123456789abcdef01234567',
      `Application argocd/shop${IN_CLUSTER} in market`,
      '  ConfigMap market/shop',
    ]);
  });
});

describe('the repository of an Application', () => {
  const files = {
    'argo/shop.yaml': application('shop', source('apps/shop')),
    'argo/else.yaml': application('else', '  source: {repoURL: https://git.example/else, path: nowhere}\n'),
    'apps/shop/config.yaml': CONFIG,
  };

  it('is the one most Applications name, recorded as an assumption', () => {
    const sources = render(files, {});
    expect(outlineOf(sources)).toContain('  ConfigMap shop');
    const [root] = sources.roots.filter(({ manifests }) => manifests.length > 0);
    expect(root?.assumes).toEqual([
      `${HERE} is this repository: most Applications whose paths exist here use this address`,
    ]);
  });

  it('is not guessed if addresses are configured', () => {
    const sources = render(files, { repositoryUrls: ['https://git.example/else'] });
    expect(outlineOf(sources)).toContain(
      `Application argocd/shop: its source apps/shop of ${HERE} is in another repository`,
    );
  });
});

describe('a Namespace that an Application creates', () => {
  const creating = (rest = ''): string =>
    application('shop', `${source('apps/shop')}  syncPolicy:\n    syncOptions: [CreateNamespace=true]\n${rest}`);
  const managed = '    managedNamespaceMetadata:\n      labels: {team: a}\n';

  it('has the managed labels with their locations', () => {
    const sources = render({ 'argo/shop.yaml': creating(managed), 'apps/shop/config.yaml': CONFIG });
    expect(objectsOf(sources, 'Application argocd/shop')[0]).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: 'market',
        labels: { team: 'a' },
        annotations: { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' },
      },
    });
    const { file, range } = sources.roots[0]?.manifests[0]?.place(['metadata', 'labels', 'team'], 'entry') ?? {};
    expect(file?.text.slice(range?.start, range?.end)).toBe('team: a');
  });

  it('is dropped if the Namespace is also applied', () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: market, labels: {team: b}}\n';
    const sources = render({ 'argo/shop.yaml': creating(), 'apps/shop/namespace.yaml': namespace });
    expect(objectsOf(sources, 'Application argocd/shop')).toMatchObject([{ metadata: { labels: { team: 'b' } } }]);
  });
});
