// Fetched charts are rendered like charts in the repository; missing charts are reported.
import { expect, test } from 'vitest';
import { argoApplication } from '../../../src/render/argo/application.ts';
import { fluxHelmRelease } from '../../../src/render/flux/flux-helm-release.ts';
import {
  type FetchedChart,
  type FetchedRemotes,
  type Remote,
  remoteKey,
} from '../../../src/render/sources/remote/remote.ts';
import { objectsOf, outlineOf, renderedRepository } from '../../support/rendered-repository.ts';

const REPOSITORY = 'https://charts.example.com';
const FILES = {
  'release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  chart: {spec: {chart: shop, version: 1.x, sourceRef: {kind: HelmRepository, name: stable}, valuesFiles: [values.yaml, big.yaml]}}
  values: {name: released}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: stable, namespace: apps}
spec: {url: ${REPOSITORY}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: oci, namespace: apps}
spec: {chartRef: {kind: OCIRepository, name: shop}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: shop, namespace: apps}
spec: {url: oci://registry.example.com/team/shop, ref: {tag: 1.2.0}}
`,
  'application.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {namespace: live}
  source:
    repoURL: registry.example.com/team
    chart: shop
    targetRevision: 1.2.0
    helm: {parameters: [{name: name, value: applied}]}
`,
  'kustomized/kustomization.yaml': `helmCharts:
- {name: shop, repo: ${REPOSITORY}, version: 1.2.0, releaseName: k, valuesInline: {name: kustomized}}
`,
  'umbrella/Chart.yaml': `apiVersion: v2\nname: umbrella\nversion: 1.0.0\ndependencies:\n- {name: shop, version: 1.x, repository: "${REPOSITORY}"}\n`,
  'umbrella/Chart.lock': `dependencies:\n- {name: shop, version: 1.2.0, repository: "${REPOSITORY}"}\n`,
  'umbrella/values.yaml': 'shop: {name: below}\n',
};
const CHART = new Map(
  Object.entries({
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.0\n',
    'values.yaml': 'name: plain\nsize: 1\n',
    'big.yaml': 'size: 5\n',
    'templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.name }}"}\ndata: {size: "{{ .Values.size }}"}\n',
  }).map(([path, text]) => [path, new TextEncoder().encode(text)]),
);
const DIGEST = `sha256:${'ab'.repeat(32)}`;

function render(charts: FetchedRemotes) {
  const controllers = [fluxHelmRelease({}), argoApplication({})];
  return renderedRepository(FILES, controllers, { remotes: charts });
}

function fetched(references: readonly Remote[]): ReadonlyMap<string, FetchedChart> {
  return new Map(
    references.map((reference) => [remoteKey(reference), { files: CHART, version: '1.2.0', digest: DIGEST }]),
  );
}

test('reports a missing chart once, with its origin', () => {
  const { roots, missing } = render(new Map());
  expect(missing).toEqual([
    { repository: REPOSITORY, name: 'shop', version: '1.2.0' },
    { repository: REPOSITORY, name: 'shop', version: '1.x' },
    { repository: 'oci://registry.example.com/team', name: 'shop', version: '1.2.0' },
  ]);
  expect(roots.map(({ failure }) => failure?.message)).toEqual([
    `chart shop 1.2.0 of ${REPOSITORY} is not in the repository`,
    `chart shop 1.2.0 of ${REPOSITORY} is not in the repository`,
    `chart shop 1.x of ${REPOSITORY} is not in the repository`,
    'chart shop 1.2.0 of oci://registry.example.com/team is not in the repository',
    'chart shop 1.2.0 of oci://registry.example.com/team is not in the repository',
  ]);
  expect(roots.every(({ failure }) => failure?.help.includes('`--fetch charts`'))).toBe(true);
});

test('renders a fetched chart for every reference, and records it', () => {
  const sources = render(fetched(render(new Map()).missing));
  expect(sources.missing).toEqual([]);
  expect(outlineOf(sources)).toEqual([
    'kustomization kustomized',
    '  ConfigMap kustomized',
    'chart umbrella',
    '  ConfigMap below',
    'HelmRelease apps/web in apps',
    '  ConfigMap released',
    'HelmRelease apps/oci in apps',
    '  ConfigMap plain',
    'Application argocd/web in live',
    '  ConfigMap applied',
  ]);
  expect(objectsOf(sources, 'HelmRelease apps/web')[0]?.data).toEqual({ size: '5' });
  const assumed = sources.roots.map(({ assumes = [] }) => assumes.at(-1));
  expect(assumed[2]).toBe(`chart shop 1.x of ${REPOSITORY} resolved to 1.2.0 (${DIGEST})`);
  expect(assumed.every((sentence) => sentence?.includes(DIGEST))).toBe(true);
});

test('locates fields of a fetched chart in this repository', () => {
  const { roots } = render(fetched(render(new Map()).missing));
  const place = (name: string, path: readonly string[]) => {
    const found = roots.find((root) => root.name === name)?.manifests[0]?.place(path, 'value');
    return found && `${found.file.path}:${found.file.positionAt(found.range.start).line}`;
  };
  expect(place('HelmRelease apps/web', ['metadata', 'name'])).toBe('release.yaml:6');
  expect(place('HelmRelease apps/web', ['data', 'size'])).toBe('release.yaml:2');
  expect(place('chart umbrella', ['metadata', 'name'])).toBe('umbrella/values.yaml:1');
});

test('reports why a fetch failed, and does not request the chart again', () => {
  const asked = render(new Map()).missing;
  const { roots, missing } = render(
    new Map(asked.map((reference) => [remoteKey(reference), { failure: 'charts.example.com answers 404' }])),
  );
  expect(missing).toEqual([]);
  for (const { failure } of roots) {
    expect(failure?.message).toMatch(
      /^chart shop .* is not in the repository and could not be fetched: .* answers 404$/,
    );
  }
});

test('counts the APIs that a fetched chart or dependency defines as served', () => {
  const definition = (group: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.${group}}
spec:
  group: ${group}
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true}]
`;
  const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  own: {{ .Capabilities.APIVersions.Has "own.example.com/v1" | quote }}
  below: {{ .Capabilities.APIVersions.Has "below.example.com/v1/Widget" | quote }}
  other: {{ .Capabilities.APIVersions.Has "other.example.com/v1" | quote }}
`;
  const files = new Map([
    ...CHART,
    ...Object.entries({
      'templates/a.yaml': template,
      'crds/own.yaml': definition('own.example.com'),
      'charts/lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.0.0\n',
      'charts/lib/crds/below.yaml': definition('below.example.com'),
    }).map(([path, text]) => [path, new TextEncoder().encode(text)] as const),
  ]);
  const remotes = new Map(
    render(new Map()).missing.map((reference) => [remoteKey(reference), { files, version: '1.2.0', digest: DIGEST }]),
  );
  const cluster = { minor: 36, kubernetesVersion: '1.36.0', apiVersions: [] };
  const sources = renderedRepository(FILES, [fluxHelmRelease({})], { remotes, clusterAt: () => cluster });
  const [object] = objectsOf(sources, 'HelmRelease apps/web').filter(({ kind }) => kind === 'ConfigMap');
  expect(object?.data).toEqual({ own: 'true', below: 'true', other: 'false' });
});
