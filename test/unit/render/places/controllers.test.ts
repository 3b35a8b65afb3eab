// Locations of fields that Flux and Argo CD apply: in the declaration, in its referenced objects, or in the built files.
import { describe, expect, test } from 'vitest';
import { argoApplication } from '../../../../src/render/argo/application.ts';
import { fluxHelmRelease } from '../../../../src/render/flux/flux-helm-release.ts';
import { fluxKustomization } from '../../../../src/render/flux/flux-kustomization.ts';
import { type Files, type PlacesOf, placesIn } from '../../../support/places.ts';
import { renderedRepository } from '../../../support/rendered-repository.ts';

type Row = readonly [field: string, expected: string];

const REPOSITORY = 'https://git.example.com/shop';
const CONTROLLERS = [fluxKustomization({}), fluxHelmRelease({}), argoApplication({ repositoryUrls: [REPOSITORY] })];

/** Several fields of one root. */
function cases(name: string, files: Files, root: string, rows: readonly Row[]): void {
  let places: Omit<PlacesOf, 'renderings'> | undefined;
  describe(name, () => {
    test.each(rows)('%s', (field, expected) => {
      if (places === undefined) {
        const { roots } = renderedRepository(files, CONTROLLERS);
        const found = roots.find((each) => each.name === root);
        if (found === undefined || found.failure !== undefined) {
          throw new Error(found?.failure?.message ?? roots.map((each) => each.name).join(', '));
        }
        places = placesIn(found.manifests);
      }
      const place = places.place(field);
      expect(place, place).toBe(expected);
    });
  });
}

const SETTINGS = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  zone: \${ZONE}
  address: https://\${HOST}/\${ZONE}
  size: \${SIZE:=3}
  plain: written
`;

const VARIABLES =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: variables, namespace: flux-system}\ndata:\n  HOST: shop.example.com\n  ZONE: south\n';

const SYNC = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: apps
  namespace: flux-system
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  targetNamespace: market
  images:
  - name: shop
    newTag: "4"
  patches:
  - target: {kind: Deployment}
    patch: |-
      - op: replace
        path: /spec/replicas
        value: 8
  postBuild:
    substitute:
      ZONE: north
    substituteFrom:
    - {kind: ConfigMap, name: variables}
`;

const DEPLOYMENT =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: web\n        image: shop:1\n';

const FLUX = {
  'clusters/sync.yaml': SYNC,
  'clusters/variables.yaml': VARIABLES,
  'apps/settings.yaml': SETTINGS,
  'apps/shop.yaml': DEPLOYMENT,
};

const OF_FLUX: readonly Row[] = [
  ['ConfigMap/settings data.zone', 'clusters/sync.yaml:21 ZONE: «north»'],
  ['ConfigMap/settings data.address', 'clusters/sync.yaml:21 ZONE: «north»'],
  ['ConfigMap/settings data.size', `apps/settings.yaml:8 size: «\${SIZE:=3}»`],
  ['ConfigMap/settings data.plain', 'apps/settings.yaml:9 plain: «written»'],
  ['ConfigMap/settings metadata.namespace', 'clusters/sync.yaml:9 targetNamespace: «market»'],
  [
    'ConfigMap/settings metadata.labels."kustomize.toolkit.fluxcd.io/name"',
    'clusters/sync.yaml:2 kind: «Kustomization»',
  ],
  ['Deployment/shop spec.replicas', 'clusters/sync.yaml:18 value: «8»'],
  ['Deployment/shop spec.template.spec.containers[0].image', 'clusters/sync.yaml:12 newTag: «"4"»'],
  ['Deployment/shop spec.template.spec.containers[0].name', 'apps/shop.yaml:10 - name: «web»'],
];
cases('a Flux Kustomization of a folder', FLUX, 'Flux Kustomization flux-system/apps', OF_FLUX);

const OF_OWN: readonly Row[] = [
  ['Deployment/shop spec.replicas', 'clusters/sync.yaml:18 value: «8»'],
  ['Deployment/shop spec.template.spec.containers[0].image', 'clusters/sync.yaml:12 newTag: «"4"»'],
  ['Deployment/shop metadata.annotations.owner', 'apps/kustomization.yaml:3 owner: «market»'],
  ['Deployment/shop metadata.namespace', 'clusters/sync.yaml:9 targetNamespace: «market»'],
];
cases(
  'a Flux Kustomization over a kustomization of the repository',
  {
    ...FLUX,
    'apps/kustomization.yaml':
      'resources: [settings.yaml, shop.yaml]\ncommonAnnotations:\n  owner: market\nimages: [{name: other, newTag: "9"}]\n',
  },
  'Flux Kustomization flux-system/apps',
  OF_OWN,
);

const CHART = {
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/values.yaml': 'replicas: 1\nimage: {repository: shop, tag: "1"}\nmode: calm\n',
  'charts/shop/templates/shop.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\n  annotations: {}\nspec:\n  replicas: {{ .Values.replicas }}\n  mode: x-{{ .Values.mode }}\n  template:\n    spec:\n      containers:\n        - name: web\n          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"\n          fixed: true\n',
};

const OF_RELEASE: readonly Row[] = [
  ['Deployment/shop spec.replicas', 'apps/release.yaml:14 replicas: «5»'],
  ['Deployment/shop spec.template.spec.containers[0].image', 'apps/values.yaml:8 tag: «"7"»'],
  ['Deployment/shop spec.mode', 'charts/shop/values.yaml:3 mode: «calm»'],
  ['Deployment/shop spec.template.spec.containers[0].fixed', 'charts/shop/templates/shop.yaml:14 fixed: «true»'],
];
cases(
  'a HelmRelease with its own values and those of a ConfigMap',
  {
    ...CHART,
    'apps/release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
  namespace: flux-system
spec:
  chart:
    spec:
      chart: ./charts/shop
      sourceRef: {kind: GitRepository, name: flux-system}
  valuesFrom:
  - {kind: ConfigMap, name: values}
  values:
    replicas: 5
`,
    'apps/values.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: flux-system}\ndata:\n  values.yaml: |\n    replicas: 4\n    image:\n      tag: "7"\n',
  },
  'HelmRelease flux-system/shop',
  OF_RELEASE,
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

const OF_VALUES: readonly Row[] = [
  ['Deployment/shop spec.replicas', 'apps/shop.yaml:13 replicas: «6»'],
  ['Deployment/shop spec.template.spec.containers[0].image', 'apps/shop.yaml:14 image: {tag: «"6.1"»}'],
  ['Deployment/shop spec.mode', 'charts/shop/values.yaml:3 mode: «calm»'],
];
cases(
  'an Application of a chart',
  {
    ...CHART,
    'apps/shop.yaml': application(
      '    path: charts/shop\n    helm:\n      valuesObject:\n        replicas: 6\n        image: {tag: "6.1"}\n',
    ),
  },
  'Application argocd/shop',
  OF_VALUES,
);

const OF_PARAMETERS: readonly Row[] = [
  ['Deployment/shop spec.replicas', 'apps/shop.yaml:16 - {name: replicas, value: «"6"»}'],
  ['Deployment/shop spec.template.spec.containers[0].image', 'apps/shop.yaml:14 value: «"6.1"»'],
  ['Deployment/shop spec.mode', 'apps/shop.yaml:17 - {name: mode, value: «loud», forceString: true}'],
];
cases(
  'an Application of a chart with parameters',
  {
    ...CHART,
    'apps/shop.yaml': application(
      '    path: charts/shop\n    helm:\n      parameters:\n      - name: image.tag\n        value: "6.1"\n      - {name: replicas, value: "5"}\n      - {name: replicas, value: "6"}\n      - {name: mode, value: loud, forceString: true}\n      valuesObject:\n        replicas: 3\n',
    ),
  },
  'Application argocd/shop',
  OF_PARAMETERS,
);

const OF_TEXT: readonly Row[] = [
  ['Deployment/shop spec.replicas', 'apps/shop.yaml:14 replicas: «6»'],
  ['Deployment/shop spec.mode', 'apps/shop.yaml:12 - {name: mode, value: «loud»}'],
];
cases(
  'an Application of several sources with values as text',
  {
    ...CHART,
    'apps/shop.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  destination: {namespace: market, server: https://kubernetes.default.svc}
  sources:
  - {repoURL: ${REPOSITORY}, ref: here}
  - repoURL: ${REPOSITORY}
    path: charts/shop
    helm:
      parameters:
      - {name: mode, value: loud}
      values: |
        replicas: 6
`,
  },
  'Application argocd/shop',
  OF_TEXT,
);

const LISTS = {
  'charts/list/Chart.yaml': 'apiVersion: v2\nname: list\nversion: 1.0.0\n',
  'charts/list/values.yaml': 'hosts:\n- {host: one.example.com, port: 7001}\n- {host: two.example.com, port: 7002}\n',
  'charts/list/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: list}\ndata:\n  {{- range $i, $h := .Values.hosts }}\n  host{{ $i }}: {{ $h.port }}-{{ $h.host }}\n  {{- end }}\n',
};
cases(
  'a parameter in a list',
  {
    ...LISTS,
    'apps/shop.yaml': application(
      '    path: charts/list\n    helm:\n      parameters:\n      - {name: "hosts[1].host", value: three.example.com}\n      valuesObject:\n        hosts:\n        - {host: one.example.com, port: 8001}\n        - {host: two.example.com, port: 8002}\n',
    ),
  },
  'Application argocd/shop',
  [
    ['ConfigMap/list data.host1', 'apps/shop.yaml:13 - {name: "hosts[1].host", value: «three.example.com»}'],
    ['ConfigMap/list data.host0', 'apps/shop.yaml:16 - {host: «one.example.com», port: 8001}'],
  ],
);

const OF_KUSTOMIZE: readonly Row[] = [
  ['Deployment/eu-shop metadata.name', 'apps/shop.yaml:12 namePrefix: «eu-»'],
  ['Deployment/eu-shop spec.replicas', 'deploy/shop.yaml:6 replicas: «1»'],
  ['Deployment/eu-shop spec.template.spec.containers[0].image', 'apps/shop.yaml:14 - «shop:11»'],
];
cases(
  'an Application of a kustomization',
  {
    'deploy/kustomization.yaml': 'resources: [shop.yaml]\n',
    'deploy/shop.yaml': DEPLOYMENT,
    'apps/shop.yaml': application(
      '    path: deploy\n    kustomize:\n      namePrefix: eu-\n      images:\n      - shop:11\n',
    ),
  },
  'Application argocd/shop',
  OF_KUSTOMIZE,
);
