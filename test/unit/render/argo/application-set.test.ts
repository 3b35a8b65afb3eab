import { describe, expect, it } from 'vitest';
import { argoApplication } from '../../../../src/render/argo/application.ts';
import { argoApplicationSet } from '../../../../src/render/argo/application-set.ts';
import type { ArgoOptions } from '../../../../src/render/argo/argo-options.ts';
import type { RenderedSources } from '../../../../src/render/sources/sources-input.ts';
import { objectsOf, outlineOf, renderedRepository } from '../../../support/rendered-repository.ts';

const HERE = 'https://git.example/shop/fleet.git';
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\n';

function render(files: Readonly<Record<string, string>>, options: ArgoOptions = {}): RenderedSources {
  const given = { repositoryUrls: [HERE], ...options };
  return renderedRepository(files, [argoApplication(given), argoApplicationSet(given)]);
}

interface SetParts {
  readonly generators: string;
  readonly name: string;
  readonly spec?: string;
  readonly path?: string;
  readonly labels?: string;
  readonly server?: string;
}

/** The parts are templates of the manifest. */
function applicationSet({
  generators,
  name,
  spec = '',
  path = 'apps',
  labels = '{}',
  server = 'https://a',
}: SetParts): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
${spec}  generators:
${generators}  template:
    metadata:
      name: '${name}'
      labels: ${labels}
    spec:
      project: default
      destination: {server: '${server}', namespace: market}
      source: {repoURL: ${HERE}, path: '${path}'}
`;
}

function applications(parts: SetParts, files: Readonly<Record<string, string>> = {}, options: ArgoOptions = {}) {
  const sources = render({ 'apps/config.yaml': CONFIG, ...files, 'argo/all.yaml': applicationSet(parts) }, options);
  return objectsOf(sources, 'ApplicationSet argocd/all') as unknown as readonly {
    readonly metadata: { readonly name: string; readonly labels: { readonly both?: string } };
  }[];
}

function names(parts: SetParts, files: Readonly<Record<string, string>> = {}, options: ArgoOptions = {}) {
  return applications(parts, files, options).map(({ metadata }) => metadata.name);
}

function unknownOf(parts: SetParts, files: Readonly<Record<string, string>> = {}): readonly string[] {
  const { roots } = render({ 'apps/config.yaml': CONFIG, ...files, 'argo/all.yaml': applicationSet(parts) });
  return roots.flatMap(({ failure }) => (failure === undefined ? [] : [failure.message]));
}

const GO = '  goTemplate: true\n';
const STRICT = `${GO}  goTemplateOptions: [missingkey=error]\n`;

describe('an ApplicationSet with plain templates', () => {
  const generators = `  - list:
      elements:
      - {env: test, values: {colour: red}}
      - {env: live}
`;

  it('creates an Application for each element and renders it', () => {
    const sources = render({
      'argo/all.yaml': applicationSet({
        generators,
        name: 'shop-{{ env }}',
        path: 'apps/{{env}}',
        server: 'https://{{env}}',
      }),
      'apps/test/config.yaml': CONFIG,
      'apps/live/config.yaml': CONFIG,
    });
    expect(outlineOf(sources)).toEqual([
      'ApplicationSet argocd/all',
      '  Application argocd/shop-test',
      '  Application argocd/shop-live',
      'Application argocd/shop-test → https://test in market',
      '  ConfigMap shop',
      'Application argocd/shop-live → https://live in market',
      '  ConfigMap shop',
    ]);
    expect(sources.roots[1]?.declaredBy).toEqual(['ApplicationSet argocd/all']);
  });

  it('locates fields in the template, or in the element if the template is one of its parameters', () => {
    const placeOfName = (name: string): string | undefined => {
      const sources = render({ 'apps/config.yaml': CONFIG, 'argo/all.yaml': applicationSet({ generators, name }) });
      const { file, range } = sources.roots[0]?.manifests[0]?.place(['metadata', 'name'], 'value') ?? {};
      return file?.text.slice(range?.start, range?.end);
    };
    expect(placeOfName('web-{{env}}')).toBe("'web-{{env}}'");
    expect(placeOfName('{{env}}')).toBe('test');
  });

  it('keeps text that is not a parameter', () => {
    const labels = '{"a{{env}}": "{{values.colour}}", b: "{{ other }}"}';
    expect(applications({ generators, name: '{{env}}', labels }).map(({ metadata }) => metadata.labels)).toEqual([
      { atest: 'red', b: '{{ other }}' },
      { alive: '{{values.colour}}', b: '{{ other }}' },
    ]);
  });

  it('accepts only strings', () => {
    expect(unknownOf({ generators: '  - list: {elements: [{a: 1}]}\n', name: 'x' })).toEqual([
      'error parsing value as string',
    ]);
  });
});

describe('a git generator', () => {
  const files = {
    'apps/one/config.yaml': CONFIG,
    'apps/Two_x/config.yaml': CONFIG,
    'apps/.hidden/config.yaml': CONFIG,
    'apps/no/config.yaml': CONFIG,
  };

  it('selects folders except hidden and excluded ones', () => {
    const generators = `  - git:
      repoURL: ${HERE}
      directories: [{path: 'apps/*'}, {path: apps/no, exclude: true}]
`;
    const parts = { generators, name: '{{path.basenameNormalized}}-{{path[0]}}', path: '{{path}}' };
    expect(names(parts, files)).toEqual(['two-x-apps', 'one-apps']);
    const go = { generators, spec: STRICT, name: '{{index .path.segments 1 | lower}}', path: '{{.path.path}}' };
    expect(names(go, files)).toEqual(['two_x', 'one']);
  });

  it('reads the content of selected files', () => {
    const generators = `  - git:
      repoURL: ${HERE}
      pathParamPrefix: own
      values: {both: '{{ own.path.filename }}-{{ cluster.name }}'}
      files: [{path: 'clusters/*.json'}]
`;
    const given = {
      'clusters/a.json': '{"cluster":{"name":"a","size":1000000},"list":[{"x":true}]}',
      'clusters/deep/b.json': '[{"cluster":{"name":"b"}},{"cluster":{"name":"c"}}]',
    };
    const labels = '{size: "{{cluster.size}}", first: "{{list.0.x}}", path: "{{own.path}}", both: "{{values.both}}"}';
    const made = applications({ generators, name: '{{cluster.name}}', labels }, given);
    expect(made.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(made[0]?.metadata.labels).toEqual({ size: '1e+06', first: 'true', path: 'clusters', both: 'a.json-a' });
  });

  it('is unknown for another repository', () => {
    const generators = "  - git: {repoURL: https://git.example/else, directories: [{path: 'apps/*'}]}\n";
    expect(unknownOf({ generators, name: 'x' })).toEqual([
      'its git generator reads another repository, https://git.example/else',
    ]);
  });
});

describe('combined generators', () => {
  it('combines every set of a matrix with every other, and the second generator may use the first', () => {
    const generators = `  - matrix:
      generators:
      - list: {elements: [{env: test}, {env: live}]}
      - git: {repoURL: ${HERE}, directories: [{path: 'apps/{{env}}/*'}]}
`;
    const files = { 'apps/test/a/x.yaml': CONFIG, 'apps/live/a/x.yaml': CONFIG, 'apps/live/b/x.yaml': CONFIG };
    expect(names({ generators, name: '{{env}}-{{path.basename}}' }, files)).toEqual(['test-a', 'live-a', 'live-b']);
  });

  it('merges sets by their keys', () => {
    const generators = `  - merge:
      mergeKeys: [env]
      generators:
      - list: {elements: [{env: test, size: s}, {env: live, size: s}]}
      - list: {elements: [{env: live, size: xl}, {env: none, size: m}]}
`;
    expect(names({ generators, name: '{{env}}-{{size}}' })).toEqual(['test-s', 'live-xl']);
    const twice = generators.replace('env: none', 'env: live');
    expect(unknownOf({ generators: twice, name: 'x' })[0]).toContain('Duplicate key was {"env":"live"}');
  });

  it('filters sets by a selector', () => {
    const generators = `  - list: {elements: [{env: test, server: 'https://a'}, {env: live, server: 'https://b'}]}
    selector: {matchLabels: {server: 'https://b'}}
`;
    expect(names({ generators, name: '{{env}}' })).toEqual(['live']);
  });

  it('nests generators and stops at too many sets', () => {
    const list = `list: {elements: [${Array.from({ length: 150 }, (_, index) => `{k: '${index}'}`).join(', ')}]}`;
    const generators = `  - matrix: {generators: [{${list}}, {${list.replaceAll('k:', 'l:')}}]}\n`;
    expect(unknownOf({ generators, name: 'x' })).toEqual(['it creates more than 10000 Applications']);
  });

  it('creates the known Applications if other generators are unknown', () => {
    const generators = `  - list: {elements: [{env: test}]}\n  - clusters: {}\n  - pullRequest: {github: {owner: o, repo: r}}\n`;
    expect(names({ generators, name: '{{env}}' })).toEqual(['test']);
    expect(unknownOf({ generators, name: '{{env}}' })).toEqual([
      'its clusters generator needs the list of clusters that Argo CD manages',
      'its pullRequest generator queries a Git host for pull requests',
    ]);
  });
});

describe('a clusters generator', () => {
  const clusters = [
    { name: 'Live_1', server: 'https://live', labels: { env: 'live' }, annotations: { note: 'n' } },
    { name: 'test', server: 'https://test', labels: { env: 'test' } },
  ];

  it("uses the configured clusters and Argo CD's own cluster", () => {
    const generators = "  - clusters: {values: {both: '{{name}}:{{metadata.labels.env}}'}}\n";
    const labels = '{both: "{{values.both}}"}';
    const made = applications({ generators, name: '{{nameNormalized}}', labels }, {}, { clusters });
    expect(made.map(({ metadata }) => [metadata.name, metadata.labels.both])).toEqual([
      ['live-1', 'Live_1:live'],
      ['test', 'test:test'],
      ['in-cluster', 'in-cluster:{{metadata.labels.env}}'],
    ]);
  });

  it('selects clusters by labels', () => {
    const generators = '  - clusters: {selector: {matchLabels: {env: live}}}\n';
    expect(names({ generators, spec: GO, name: '{{.metadata.labels.env}}-{{.name}}' }, {}, { clusters })).toEqual([
      'live-Live_1',
    ]);
  });
});

describe('Go templates', () => {
  const generators = '  - list: {elements: [{env: test, count: 3, live: true}]}\n';

  it('offers the functions of sprig and the controller, with numbers as doubles', () => {
    const labels = `{a: '{{ .env | upper | quote }}', b: '{{ normalize "A_b" }}', c: '{{ printf "%T" .count }}', d: '{{ if .live }}on{{ end }}'}`;
    expect(applications({ generators, spec: GO, name: '{{.env}}', labels })[0]?.metadata.labels).toEqual({
      ...{ a: '"TEST"', b: 'a-b', c: 'float64', d: 'on' },
    });
  });

  it.each([
    [
      'slugify "feat/a_b c-with-long-name-indeed-and-more-of-it-so-that-it-is-cut"',
      'feat-a-b-c-with-long-name-indeed-and-more-of-it-so',
    ],
    ['slugify 23 "feat/a_b c-with-long-name"', 'feat-a-b-c-with-long'],
    ['slugify 10 true "ABC-def/ghi"', 'abc-def'],
    ['slugify 10 false "ABC-def/ghi"', 'abc-def-gh'],
    ['slugify 0 true "ABC-def/ghi"', 'abc-def-ghi'],
    ['slugify "Über.Größe"', 'ber-gr-e'],
    ['slugify "--a__b--"', 'a-b'],
  ])("%s gives the controller's result", (call, expected) => {
    expect(names({ generators, spec: GO, name: `x{{ ${call} }}` })).toEqual([`x${expected}`]);
  });

  it('fails for a missing key if an option requires it', () => {
    expect(names({ generators, spec: GO, name: 'x{{.other}}' })).toEqual(['x<no value>']);
    expect(unknownOf({ generators, spec: STRICT, name: 'x{{.other}}' })[0]).toContain(
      'map has no entry for key "other"',
    );
  });

  it('cannot access the machine', () => {
    expect(unknownOf({ generators, spec: GO, name: '{{ env "HOME" }}' })[0]).toContain('function "env" not defined');
  });

  it('patches the template except project and namespace', () => {
    const spec = `${GO}  templatePatch: |
    metadata: {namespace: other, annotations: {e: '{{.env}}'}}
    spec:
      project: stolen
      source: {path: null, targetRevision: v1}
      {{- if .live }}
      syncPolicy: {syncOptions: [CreateNamespace=true]}
      {{- end }}
`;
    expect(applications({ generators, spec, name: '{{.env}}' })[0]).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: 'test',
        namespace: 'argocd',
        labels: {},
        annotations: { e: 'test' },
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
      },
      spec: {
        project: 'default',
        destination: { server: 'https://a', namespace: 'market' },
        source: { repoURL: HERE, targetRevision: 'v1' },
        syncPolicy: { syncOptions: ['CreateNamespace=true'] },
      },
    });
  });

  it('stops endless templates', () => {
    const name = '{{ range $i := until 100000000 }}x{{ end }}';
    expect(unknownOf({ generators, spec: GO, name })).toHaveLength(1);
  });
});

describe('apps of apps', () => {
  const app = (name: string, path: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  destination: {name: in-cluster, namespace: ${name}}
  source: {repoURL: ${HERE}, path: ${path}}
`;

  it('renders nested Applications, and their folders are not roots', () => {
    const sources = render({
      'root.yaml': app('root', 'argo/live'),
      'argo/live/kustomization.yaml': 'resources: [../base]\nnameSuffix: -live\n',
      'argo/base/kustomization.yaml': 'resources: [shop.yaml]\n',
      'argo/base/shop.yaml': app('shop', 'apps/shop'),
      'apps/shop/kustomization.yaml': 'resources: [config.yaml]\n',
      'apps/shop/config.yaml': CONFIG,
    });
    expect(outlineOf(sources)).toEqual([
      'Application argocd/root → https://kubernetes.default.svc in root',
      '  Application argocd/shop-live',
      'Application argocd/shop-live → https://kubernetes.default.svc in shop',
      '  ConfigMap shop',
    ]);
  });

  it('renders an Application whose folder contains its own declaration', () => {
    const sources = render({
      'argo/kustomization.yaml': 'resources: [root.yaml, config.yaml]\n',
      'argo/root.yaml': app('root', 'argo'),
      'argo/config.yaml': CONFIG,
    });
    expect(outlineOf(sources)).toEqual([
      'Application argocd/root → https://kubernetes.default.svc in root',
      '  ConfigMap shop',
      '  Application argocd/root',
    ]);
  });
});
