// Locations of fields in unusual declarations: generated Applications, several sources, split values, patches.
import { describe, expect, test } from 'vitest';
import { argoApplication } from '../../../../src/render/argo/application.ts';
import { argoApplicationSet } from '../../../../src/render/argo/application-set.ts';
import { fluxHelmRelease } from '../../../../src/render/flux/flux-helm-release.ts';
import { fluxKustomization } from '../../../../src/render/flux/flux-kustomization.ts';
import { type Files, type PlacesOf, placesIn } from '../../../support/places.ts';
import { renderedRepository } from '../../../support/rendered-repository.ts';

type Row = readonly [field: string, expected: string];

const REPOSITORY = 'https://git.example.com/shop';
const OPTIONS = { repositoryUrls: [REPOSITORY] };
const CONTROLLERS = [fluxKustomization({}), fluxHelmRelease({}), argoApplication(OPTIONS), argoApplicationSet(OPTIONS)];

/** Several fields of one root. */
function cases(name: string, files: Files, root: string, rows: readonly Row[]): void {
  let places: Omit<PlacesOf, 'renderings'> | undefined;
  describe(name, () => {
    test.each(rows)('%s', (field, expected) => {
      if (places === undefined) {
        const { roots } = renderedRepository(files, CONTROLLERS);
        const found = roots.filter((each) => each.name === root);
        const failure = found.find((each) => each.failure !== undefined)?.failure;
        if (found.length === 0 || failure !== undefined) {
          throw new Error(failure?.message ?? roots.map((each) => each.name).join(', '));
        }
        places = placesIn(found.flatMap(({ manifests }) => manifests));
      }
      const place = places.place(field);
      expect(place, place).toBe(expected);
    });
  });
}

const DEPLOYMENT =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: web\n        image: shop:1\n';
const IMAGE = 'Deployment/shop spec.template.spec.containers[0].image';

const CHART = {
  'charts/shop/Chart.yaml':
    'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: cache, version: 1.0.0}]\n',
  'charts/shop/values.yaml':
    'replicas: 1\nimage:\n  tag: "1"\nhosts: [one.example.com]\nresources: {}\nnote: plain\ncache:\n  size: 1\n',
  'charts/shop/templates/_names.tpl': '{{- define "shop.image" -}}\nshop:{{ .Values.image.tag }}\n{{- end }}\n',
  'charts/shop/templates/shop.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\n  namespace: {{ .Release.Namespace }}\n  annotations:\n    note: {{ tpl .Values.note . | quote }}\n    host: {{ index .Values.hosts 0 }}\nspec:\n  replicas: {{ .Values.replicas }}\n  template:\n    spec:\n      containers:\n        - name: web\n          image: {{ include "shop.image" . }}\n          resources:\n            {{- toYaml .Values.resources | nindent 12 }}\n',
  'charts/shop/charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n',
  'charts/shop/charts/cache/values.yaml': 'size: 0\nkind: memory\n',
  'charts/shop/charts/cache/templates/cache.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cache\ndata:\n  size: "{{ .Values.size }}"\n  kind: {{ .Values.kind }}\n',
};

cases(
  'a HelmRelease with all forms of values',
  {
    ...CHART,
    'apps/release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
  namespace: flux-system
spec:
  targetNamespace: market
  chart:
    spec:
      chart: ./charts/shop
      sourceRef: {kind: GitRepository, name: flux-system}
      valuesFiles: [charts/shop/values.yaml, charts/shop/production.yaml]
  valuesFrom:
  - kind: ConfigMap
    name: values
    valuesKey: tag
    targetPath: image.tag
  - {kind: Secret, name: secret}
  values:
    hosts:
    - two.example.com
    resources:
      limits: {cpu: 2}
    note: "of {{ .Release.Name }}"
`,
    'apps/values.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: flux-system}\ndata:\n  tag: "7"\n',
    'apps/secret.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: secret, namespace: flux-system}\nstringData:\n  values.yaml: |\n    cache:\n      size: 5\n',
    'charts/shop/production.yaml': 'replicas: 3\n',
  },
  'HelmRelease flux-system/shop',
  [
    ['Deployment/shop spec.replicas', 'charts/shop/production.yaml:1 replicas: «3»'],
    [IMAGE, 'apps/values.yaml:5 tag: «"7"»'],
    ['Deployment/shop metadata.annotations.host', 'apps/release.yaml:21 - «two.example.com»'],
    ['Deployment/shop metadata.annotations.note', 'apps/release.yaml:24 note: «"of {{ .Release.Name }}"»'],
    [
      'Deployment/shop spec.template.spec.containers[0].resources.limits.cpu',
      'apps/release.yaml:23 limits: {cpu: «2»}',
    ],
    ['Deployment/shop spec.template.spec.containers[0].resources.limits', 'apps/release.yaml:23 «limits»: {cpu: 2}'],
    ['Deployment/shop metadata.namespace', 'apps/release.yaml:7 targetNamespace: «market»'],
    ['ConfigMap/cache data.size', 'apps/secret.yaml:7 size: «5»'],
    ['ConfigMap/cache data.kind', 'charts/shop/charts/cache/values.yaml:2 kind: «memory»'],
    ['ConfigMap/cache metadata.name', 'charts/shop/charts/cache/templates/cache.yaml:4 name: «cache»'],
    ['Deployment/shop spec.template.spec.containers[0].name', 'charts/shop/templates/shop.yaml:14 - name: «web»'],
  ],
);

cases(
  'a Flux Kustomization with patches of each form, components and metadata',
  {
    'clusters/sync.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  namePrefix: eu-
  commonMetadata:
    labels:
      team: market
  components: [../parts/debug]
  patches:
  - patch: |
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: shop
      spec:
        replicas: 6
        minReadySeconds: \${SECONDS:=9}
  - target: {kind: Deployment, name: shop}
    patch: |-
      [{"op": "add", "path": "/metadata/annotations", "value": {"zone": "\${ZONE}"}}]
  postBuild:
    substituteFrom:
    - {kind: Secret, name: variables}
`,
    'clusters/variables.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: variables, namespace: flux-system}\nstringData:\n  ZONE: south\n',
    'apps/shop.yaml': DEPLOYMENT,
    'parts/debug/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages:\n- name: shop\n  newTag: debug\n',
  },
  'Flux Kustomization flux-system/apps',
  [
    ['Deployment/eu-shop spec.replicas', 'clusters/sync.yaml:19 replicas: «6»'],
    ['Deployment/eu-shop metadata.name', 'clusters/sync.yaml:7 namePrefix: «eu-»'],
    ['Deployment/eu-shop metadata.labels.team', 'clusters/sync.yaml:10 team: «market»'],
    ['Deployment/eu-shop metadata.annotations.zone', 'clusters/variables.yaml:5 ZONE: «south»'],
    ['Deployment/eu-shop spec.minReadySeconds', `clusters/sync.yaml:20 minReadySeconds: «\${SECONDS:=9}»`],
    ['Deployment/eu-shop spec.template.spec.containers[0].image', 'parts/debug/kustomization.yaml:5 newTag: «debug»'],
    ['Deployment/eu-shop spec.template.spec.containers[0].name', 'apps/shop.yaml:10 - name: «web»'],
  ],
);

function application(source: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop
  namespace: argocd
spec:
  destination: {namespace: market, server: https://kubernetes.default.svc}
  source:
    repoURL: ${REPOSITORY}
${source}`;
}

cases(
  'an Application with all kustomize options',
  {
    'deploy/kustomization.yaml': 'resources: [shop.yaml]\nreplicas: [{name: shop, count: 2}]\n',
    'deploy/shop.yaml': DEPLOYMENT,
    'apps/shop.yaml': application(`    path: deploy
    kustomize:
      nameSuffix: -green
      namespace: kitchen
      commonLabels:
        tier: front
      commonAnnotations:
        owner: market
      images:
      - shop=registry.example.com/shop:12
      replicas:
      - name: shop
        count: 8
      patches:
      - target: {kind: Deployment}
        patch: |-
          - op: add
            path: /spec/paused
            value: true
`),
  },
  'Application argocd/shop',
  [
    ['Deployment/shop-green metadata.name', 'apps/shop.yaml:12 nameSuffix: «-green»'],
    ['Deployment/shop-green metadata.namespace', 'apps/shop.yaml:13 namespace: «kitchen»'],
    ['Deployment/shop-green metadata.labels.tier', 'apps/shop.yaml:15 tier: «front»'],
    ['Deployment/shop-green metadata.annotations.owner', 'apps/shop.yaml:17 owner: «market»'],
    [
      'Deployment/shop-green spec.template.spec.containers[0].image',
      'apps/shop.yaml:19 - «shop=registry.example.com/shop:12»',
    ],
    ['Deployment/shop-green spec.replicas', 'apps/shop.yaml:22 count: «8»'],
    ['Deployment/shop-green spec.paused', 'apps/shop.yaml:28 value: «true»'],
  ],
);

cases(
  'an Application of several sources with values files by reference',
  {
    ...CHART,
    'values/production.yaml': 'replicas: 4\ncache:\n  size: 9\n',
    'values/host': 'three.example.com',
    'apps/shop.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  destination: {namespace: market, server: https://kubernetes.default.svc}
  sources:
  - repoURL: ${REPOSITORY}
    path: charts/shop
    helm:
      valueFiles: [$values/values/production.yaml]
      parameters:
      - name: image.tag
        value: "9"
  - {repoURL: ${REPOSITORY}, ref: values}
  - {repoURL: ${REPOSITORY}, path: plain}
`,
    'plain/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\ndata:\n  a: b\n',
  },
  'Application argocd/shop',
  [
    ['Deployment/shop spec.replicas', 'values/production.yaml:1 replicas: «4»'],
    ['ConfigMap/cache data.size', 'values/production.yaml:3 size: «9»'],
    [IMAGE, 'apps/shop.yaml:13 value: «"9"»'],
    ['Deployment/shop metadata.annotations.host', 'charts/shop/values.yaml:4 hosts: [«one.example.com»]'],
    ['ConfigMap/plain data.a', 'plain/map.yaml:6 a: «b»'],
  ],
);

cases(
  'an Application created by a list generator',
  {
    ...CHART,
    'apps/set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: shops, namespace: argocd}
spec:
  goTemplate: true
  generators:
  - list:
      elements:
      - {cluster: east, replicas: "3"}
      - {cluster: west, replicas: "5"}
  template:
    metadata:
      name: shop-{{ .cluster }}
    spec:
      destination: {namespace: market, server: https://kubernetes.default.svc}
      source:
        repoURL: ${REPOSITORY}
        path: charts/shop
        helm:
          parameters:
          - name: replicas
            value: "{{ .replicas }}"
          valuesObject:
            note: of {{ .cluster }}
`,
  },
  'Application argocd/shop-west',
  [
    ['Deployment/shop spec.replicas', 'apps/set.yaml:10 - {cluster: west, replicas: «"5"»}'],
    ['Deployment/shop metadata.annotations.note', 'apps/set.yaml:24 note: «of {{ .cluster }}»'],
    [IMAGE, 'charts/shop/values.yaml:3 tag: «"1"»'],
  ],
);
