// Locations of fields that kustomize builds: the line that a user would edit.
import { describe, expect, test } from 'vitest';
import { type Files, kustomizePlacesOf, type PlacesOf } from '../../../support/places.ts';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  labels:
    app: shop
spec:
  replicas: 1
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      serviceAccountName: shop
      containers:
      - name: web
        image: registry.example.com/shop:1.0
        args: [serve, fast]
        ports:
        - containerPort: 8080
        env:
        - name: MODE
          value: calm
      - name: log
        image: log:2
`;

const SERVICE = `apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  type: ClusterIP
  ports:
  - port: 80
    targetPort: 8080
`;

type Row = readonly [field: string, expected: string];

/** Several fields of one build. */
function cases(name: string, files: Files, root: string, rows: readonly Row[]): void {
  let places: PlacesOf | undefined;
  describe(name, () => {
    test.each(rows)('%s', (field, expected) => {
      places ??= kustomizePlacesOf(files, root);
      expect(places.place(field), places.place(field)).toBe(expected);
    });
  });
}

const BASE = { 'base/kustomization.yaml': 'resources: [shop.yaml]\n', 'base/shop.yaml': DEPLOYMENT };
const CONTAINER = 'spec.template.spec.containers[0]';

cases('unchanged fields', BASE, 'base', [
  ['Deployment/shop spec.replicas', 'base/shop.yaml:8 replicas: «1»'],
  ['Deployment/shop kind', 'base/shop.yaml:2 kind: «Deployment»'],
  ['Deployment/shop metadata.name', 'base/shop.yaml:4 name: «shop»'],
  ['Deployment/shop spec.template.spec.containers[1].image', 'base/shop.yaml:28 image: «log:2»'],
  ['Deployment/shop spec.template.spec.containers[0].args[1]', 'base/shop.yaml:21 args: [serve, «fast»]'],
  ['Deployment/shop spec.template.spec.containers[0].securityContext.runAsNonRoot', 'base/shop.yaml:19 «- name: web»'],
  ['Deployment/shop spec.template.spec.hostNetwork', 'base/shop.yaml:16 «spec»:'],
  ['Deployment/shop metadata.annotations', 'base/shop.yaml:3 «metadata»:'],
]);

cases(
  'several documents of a file',
  {
    'kustomization.yaml': 'resources: [all.yaml, list.yaml]\n',
    'all.yaml': `${DEPLOYMENT}---\n${SERVICE}---\n${SERVICE.replace('name: shop', 'name: admin').replace('ClusterIP', 'NodePort')}`,
    'list.yaml':
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: one}\n  data: {a: first}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: two}\n  data: {a: second}\n',
  },
  '',
  [
    ['Service/shop spec.type', 'all.yaml:35 type: «ClusterIP»'],
    ['Service/admin spec.type', 'all.yaml:45 type: «NodePort»'],
    ['ConfigMap/one data.a', 'list.yaml:7 data: {a: «first»}'],
    ['ConfigMap/two data.a', 'list.yaml:11 data: {a: «second»}'],
    ['ConfigMap/two metadata.name', 'list.yaml:10 metadata: {name: «two»}'],
  ],
);

cases(
  'images',
  {
    ...BASE,
    'kustomization.yaml':
      'resources: [base]\nimages:\n- name: registry.example.com/shop\n  newTag: "2.0"\n- name: log\n  newName: registry.example.com/log\n',
  },
  '',
  [
    [`Deployment/shop ${CONTAINER}.image`, 'kustomization.yaml:4 newTag: «"2.0"»'],
    [
      'Deployment/shop spec.template.spec.containers[1].image',
      'kustomization.yaml:6 newName: «registry.example.com/log»',
    ],
    [`Deployment/shop ${CONTAINER}.name`, 'base/shop.yaml:19 - name: «web»'],
  ],
);

cases(
  'images with a digest, with all fields, and for another image',
  {
    ...BASE,
    'kustomization.yaml':
      'resources: [base]\nimages:\n- name: registry.example.com/shop\n  newName: mirror.example.com:5000/shop\n  digest: sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3\n- {name: other, newTag: "2"}\n- name: log\n  newName: mirror.example.com/log\n  newTag: "3"\n',
  },
  '',
  [
    [
      `Deployment/shop ${CONTAINER}.image`,
      'kustomization.yaml:5 digest: «sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3»',
    ],
    ['Deployment/shop spec.template.spec.containers[1].image', 'kustomization.yaml:9 newTag: «"3"»'],
  ],
);

cases(
  'images set in the base and above it',
  {
    'base/shop.yaml': DEPLOYMENT,
    'base/kustomization.yaml':
      'resources: [shop.yaml]\nimages: [{name: log, newTag: "3"}, {name: registry.example.com/shop, newTag: "5"}]\n',
    'top/kustomization.yaml': 'resources: [../base]\nimages:\n- name: log\n  newTag: "4"\n',
  },
  'top',
  [
    ['Deployment/shop spec.template.spec.containers[1].image', 'top/kustomization.yaml:4 newTag: «"4"»'],
    [
      `Deployment/shop ${CONTAINER}.image`,
      'base/kustomization.yaml:2 images: [{name: log, newTag: "3"}, {name: registry.example.com/shop, newTag: «"5"»}]',
    ],
  ],
);

cases('replicas', { ...BASE, 'kustomization.yaml': 'resources: [base]\nreplicas:\n- name: shop\n  count: 3\n' }, '', [
  ['Deployment/shop spec.replicas', 'kustomization.yaml:4 count: «3»'],
]);

cases(
  'namespace',
  {
    'base/kustomization.yaml': 'resources: [shop.yaml, more.yaml]\n',
    'base/shop.yaml': DEPLOYMENT,
    'base/more.yaml':
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: _}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: read, namespace: old}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: read}\nsubjects: [{kind: ServiceAccount, name: default, namespace: old}]\n',
    'kustomization.yaml': 'namespace: market\nresources: [base]\n',
  },
  '',
  [
    ['Deployment/shop metadata.namespace', 'kustomization.yaml:1 namespace: «market»'],
    ['Namespace/market metadata.name', 'kustomization.yaml:1 namespace: «market»'],
    ['RoleBinding/read metadata.namespace', 'kustomization.yaml:1 namespace: «market»'],
    ['RoleBinding/read subjects[0].namespace', 'kustomization.yaml:1 namespace: «market»'],
    [
      'RoleBinding/read subjects[0].kind',
      'base/more.yaml:9 subjects: [{kind: «ServiceAccount», name: default, namespace: old}]',
    ],
  ],
);

cases(
  'prefixes and suffixes',
  {
    'base/kustomization.yaml': 'resources: [shop.yaml, account.yaml]\nnamePrefix: blue-\n',
    'base/shop.yaml': DEPLOYMENT,
    'base/account.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: shop\n',
    'kustomization.yaml': 'resources: [base]\nnameSuffix: -v2\n',
    'prefix/kustomization.yaml': 'resources: [../base]\nnamePrefix: eu-\n',
  },
  '',
  [
    ['Deployment/blue-shop-v2 metadata.name', 'kustomization.yaml:2 nameSuffix: «-v2»'],
    ['Deployment/blue-shop-v2 spec.template.spec.serviceAccountName', 'kustomization.yaml:2 nameSuffix: «-v2»'],
    ['Deployment/blue-shop-v2 spec.replicas', 'base/shop.yaml:8 replicas: «1»'],
    ['ServiceAccount/blue-shop-v2 metadata.name', 'kustomization.yaml:2 nameSuffix: «-v2»'],
  ],
);

cases(
  'prefix over prefix',
  {
    'base/kustomization.yaml': 'resources: [shop.yaml]\nnamePrefix: blue-\n',
    'base/shop.yaml': `${SERVICE}---\n${SERVICE.replace('name: shop', 'name: blue-shop').replace('ClusterIP', 'NodePort')}`,
    'kustomization.yaml': 'resources: [base]\nnamePrefix: eu-\n',
  },
  '',
  [
    ['Service/eu-blue-shop metadata.name', 'kustomization.yaml:2 namePrefix: «eu-»'],
    ['Service/eu-blue-shop spec.type', 'base/shop.yaml:6 type: «ClusterIP»'],
    ['Service/eu-blue-blue-shop spec.type', 'base/shop.yaml:16 type: «NodePort»'],
  ],
);

cases(
  'labels and annotations',
  {
    ...BASE,
    'kustomization.yaml':
      'resources: [base]\nlabels:\n- pairs:\n    team: market\n- pairs:\n    tier: front\n  includeSelectors: true\n- pairs: {zone: a}\n  includeTemplates: true\ncommonAnnotations:\n  owner: market\n',
    'old/kustomization.yaml': 'resources: [../base]\ncommonLabels:\n  app: store\n',
  },
  '',
  [
    ['Deployment/shop metadata.labels.team', 'kustomization.yaml:4 team: «market»'],
    ['Deployment/shop metadata.labels.app', 'base/shop.yaml:6 app: «shop»'],
    ['Deployment/shop spec.selector.matchLabels.tier', 'kustomization.yaml:6 tier: «front»'],
    ['Deployment/shop spec.template.metadata.labels.zone', 'kustomization.yaml:8 - pairs: {zone: «a»}'],
    ['Deployment/shop metadata.annotations.owner', 'kustomization.yaml:11 owner: «market»'],
    ['Deployment/shop spec.template.metadata.annotations.owner', 'kustomization.yaml:11 owner: «market»'],
    ['Deployment/shop metadata.labels.missing', 'base/shop.yaml:5 «labels»:'],
  ],
);

cases(
  'commonLabels over an existing label',
  {
    ...BASE,
    'kustomization.yaml': 'resources: [base]\ncommonLabels:\n  app: store\n',
  },
  '',
  [
    ['Deployment/shop metadata.labels.app', 'kustomization.yaml:3 app: «store»'],
    ['Deployment/shop spec.selector.matchLabels.app', 'kustomization.yaml:3 app: «store»'],
  ],
);

cases(
  'a strategic merge in a file',
  {
    ...BASE,
    'kustomization.yaml': 'resources: [base]\npatches:\n- path: more.yaml\n',
    'more.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  annotations:
    note: patched
spec:
  replicas: 4
  template:
    spec:
      hostNetwork: true
      containers:
      - name: log
        image: log:9
      - name: web
        env:
        - name: MODE
          value: loud
        - name: LEVEL
          value: debug
        args: [serve]
      - name: extra
        image: extra:1
`,
  },
  '',
  [
    ['Deployment/shop spec.replicas', 'more.yaml:8 replicas: «4»'],
    ['Deployment/shop metadata.annotations.note', 'more.yaml:6 note: «patched»'],
    ['Deployment/shop spec.template.spec.hostNetwork', 'more.yaml:11 hostNetwork: «true»'],
    ['Deployment/shop spec.template.spec.containers[0].image', 'more.yaml:14 image: «log:9»'],
    [
      'Deployment/shop spec.template.spec.containers[1].image',
      'base/shop.yaml:20 image: «registry.example.com/shop:1.0»',
    ],
    ['Deployment/shop spec.template.spec.containers[1].env[0].value', 'more.yaml:18 value: «loud»'],
    ['Deployment/shop spec.template.spec.containers[1].env[1].value', 'more.yaml:20 value: «debug»'],
    ['Deployment/shop spec.template.spec.containers[1].args', 'more.yaml:21 args: «[serve]»'],
    ['Deployment/shop spec.template.spec.containers[2].image', 'more.yaml:23 image: «extra:1»'],
    ['Deployment/shop spec.template.spec.containers[2].securityContext', 'more.yaml:22 «- name: extra»'],
    [
      'Deployment/shop spec.template.spec.containers[1].ports[0].containerPort',
      'base/shop.yaml:23 - containerPort: «8080»',
    ],
    ['Deployment/shop metadata.name', 'base/shop.yaml:4 name: «shop»'],
  ],
);

cases(
  'an inline strategic merge',
  {
    ...BASE,
    'kustomization.yaml': `resources: [base]
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: shop
    spec:
      replicas: 4
      template:
        spec:
          containers:
          - name: web
            image: registry.example.com/shop:7
- target:
    kind: Deployment
    name: sh.*
  patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: any
    spec:
      minReadySeconds: 3
- target: {kind: Deployment, name: other}
  patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: any}, spec: {minReadySeconds: 3}}"
patchesStrategicMerge:
- |-
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: shop
  spec:
    paused: true
`,
  },
  '',
  [
    ['Deployment/shop spec.replicas', 'kustomization.yaml:9 replicas: «4»'],
    [`Deployment/shop ${CONTAINER}.image`, 'kustomization.yaml:14 image: «registry.example.com/shop:7»'],
    ['Deployment/shop spec.minReadySeconds', 'kustomization.yaml:24 minReadySeconds: «3»'],
    ['Deployment/shop spec.paused', 'kustomization.yaml:34 paused: «true»'],
  ],
);

cases(
  'patches that remove fields',
  {
    ...BASE,
    'kustomization.yaml': `resources: [base]
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: shop
    spec:
      replicas: null
- target: {kind: Deployment}
  patch: |-
    - op: remove
      path: /spec/template/spec/serviceAccountName
`,
  },
  '',
  [
    ['Deployment/shop spec.replicas', 'kustomization.yaml:9 replicas: «null»'],
    [
      'Deployment/shop spec.template.spec.serviceAccountName',
      'kustomization.yaml:13 path: «/spec/template/spec/serviceAccountName»',
    ],
  ],
);

cases(
  'JSON patches',
  {
    ...BASE,
    'kustomization.yaml': `resources: [base]
patches:
- target: {kind: Deployment}
  patch: |-
    - op: replace
      path: /spec/replicas
      value: 6
    - op: add
      path: /spec/template/spec/containers/0/securityContext
      value:
        runAsNonRoot: false
        capabilities: {add: [NET_ADMIN]}
    - {op: add, path: /metadata/labels/example.com~1team, value: market}
    - op: add
      path: /spec/template/spec/containers/-
      value: {name: extra, image: "extra:1"}
- target: {kind: Deployment, name: shop}
  path: args.json
patchesJson6902:
- target: {version: v1, group: apps, kind: Deployment, name: shop}
  path: old.yaml
`,
    'args.json':
      '[\n  {"op": "replace", "path": "/spec/template/spec/containers/0/args/1", "value": "slow"},\n  {"op": "replace", "path": "/spec/template/spec/containers/1/image", "value": "log:8"}\n]\n',
    'old.yaml': '- op: add\n  path: /metadata/annotations\n  value: {note: json}\n',
  },
  '',
  [
    ['Deployment/shop spec.replicas', 'kustomization.yaml:7 value: «6»'],
    [`Deployment/shop ${CONTAINER}.securityContext.runAsNonRoot`, 'kustomization.yaml:11 runAsNonRoot: «false»'],
    [
      `Deployment/shop ${CONTAINER}.securityContext.capabilities.add[0]`,
      'kustomization.yaml:12 capabilities: {add: [«NET_ADMIN»]}',
    ],
    [`Deployment/shop ${CONTAINER}.securityContext.allowPrivilegeEscalation`, 'kustomization.yaml:10 «value»:'],
    [
      'Deployment/shop metadata.labels."example.com/team"',
      'kustomization.yaml:13 - {op: add, path: /metadata/labels/example.com~1team, value: «market»}',
    ],
    [
      'Deployment/shop spec.template.spec.containers[2].image',
      'kustomization.yaml:16 value: {name: extra, image: «"extra:1"»}',
    ],
    [
      `Deployment/shop ${CONTAINER}.args[1]`,
      'args.json:2 {"op": "replace", "path": "/spec/template/spec/containers/0/args/1", "value": «"slow"»},',
    ],
    [`Deployment/shop ${CONTAINER}.args[0]`, 'base/shop.yaml:21 args: [«serve», fast]'],
    [
      'Deployment/shop spec.template.spec.containers[1].image',
      'args.json:3 {"op": "replace", "path": "/spec/template/spec/containers/1/image", "value": «"log:8"»}',
    ],
    ['Deployment/shop metadata.annotations.note', 'old.yaml:3 value: {note: «json»}'],
  ],
);

cases(
  'JSON patches that move items, and several on one field',
  {
    ...BASE,
    'kustomization.yaml': `resources: [base]
patches:
- target: {kind: Deployment}
  patch: |-
    - op: add
      path: /spec/template/spec/containers/0
      value: {name: first, image: "first:1"}
    - {op: replace, path: /spec/replicas, value: 2}
    - {op: replace, path: /spec/replicas, value: 3}
    - {op: copy, from: /metadata/name, path: /metadata/labels/copied}
`,
  },
  '',
  [
    [
      'Deployment/shop spec.template.spec.containers[0].image',
      'kustomization.yaml:7 value: {name: first, image: «"first:1"»}',
    ],
    [
      'Deployment/shop spec.template.spec.containers[1].image',
      'base/shop.yaml:20 image: «registry.example.com/shop:1.0»',
    ],
    ['Deployment/shop spec.replicas', 'kustomization.yaml:9 - {op: replace, path: /spec/replicas, value: «3»}'],
    [
      'Deployment/shop metadata.labels.copied',
      'kustomization.yaml:10 - {op: copy, from: «/metadata/name», path: /metadata/labels/copied}',
    ],
  ],
);

cases(
  'a patch before images and replicas',
  {
    ...BASE,
    'kustomization.yaml': `resources: [base]
replicas: [{name: shop, count: 8}]
images: [{name: log, newTag: "10"}]
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: shop}
    spec:
      replicas: 4
      template: {spec: {containers: [{name: log, image: "log:9"}]}}
`,
  },
  '',
  [
    ['Deployment/shop spec.replicas', 'kustomization.yaml:2 replicas: [{name: shop, count: «8»}]'],
    [
      'Deployment/shop spec.template.spec.containers[0].image',
      'kustomization.yaml:3 images: [{name: log, newTag: «"10"»}]',
    ],
  ],
);

cases(
  'patches found by the name before and after a prefix, and by labels',
  {
    'base/shop.yaml': DEPLOYMENT,
    'base/kustomization.yaml': 'resources: [shop.yaml]\nnamePrefix: blue-\n',
    'kustomization.yaml': `resources: [base]
patches:
- target: {kind: Deployment, name: blue-shop}
  patch: '[{"op": "replace", "path": "/spec/replicas", "value": 5}]'
- target: {labelSelector: app=shop}
  patch: '[{"op": "add", "path": "/spec/paused", "value": true}]'
- target: {labelSelector: app=none}
  patch: '[{"op": "add", "path": "/spec/paused", "value": true}]'
`,
  },
  '',
  [
    [
      'Deployment/blue-shop spec.replicas',
      'kustomization.yaml:4 patch: \'[{"op": "replace", "path": "/spec/replicas", "value": «5»}]\'',
    ],
    [
      'Deployment/blue-shop spec.paused',
      'kustomization.yaml:6 patch: \'[{"op": "add", "path": "/spec/paused", "value": «true»}]\'',
    ],
  ],
);

cases(
  'components',
  {
    ...BASE,
    'parts/debug/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images: [{name: log, newTag: debug}]
commonAnnotations: {debug: "yes"}
configMapGenerator:
- name: debug
  literals: [level=all]
patches:
- path: privileged.yaml
`,
    'parts/debug/privileged.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop}\nspec: {template: {spec: {containers: [{name: web, securityContext: {privileged: true}}]}}}\n',
    'overlays/test/kustomization.yaml': 'resources: [../../base]\ncomponents: [../../parts/debug]\nnamespace: test\n',
  },
  'overlays/test',
  [
    [
      `Deployment/shop ${CONTAINER}.securityContext.privileged`,
      'parts/debug/privileged.yaml:4 spec: {template: {spec: {containers: [{name: web, securityContext: {privileged: «true»}}]}}}',
    ],
    [
      'Deployment/shop spec.template.spec.containers[1].image',
      'parts/debug/kustomization.yaml:3 images: [{name: log, newTag: «debug»}]',
    ],
    [
      'Deployment/shop metadata.annotations.debug',
      'parts/debug/kustomization.yaml:4 commonAnnotations: {debug: «"yes"»}',
    ],
    ['Deployment/shop metadata.namespace', 'overlays/test/kustomization.yaml:3 namespace: «test»'],
    ['Deployment/shop spec.replicas', 'base/shop.yaml:8 replicas: «1»'],
  ],
);

cases(
  'generators',
  {
    ...BASE,
    'base/kustomization.yaml': 'resources: [shop.yaml, reader.yaml]\n',
    'base/reader.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: reader}\nspec:\n  containers:\n  - name: a\n    image: a:1\n    envFrom:\n    - configMapRef: {name: settings}\n    - secretRef: {name: keys}\n',
    'kustomization.yaml': `resources: [base]
generatorOptions:
  labels: {made: here}
configMapGenerator:
- name: settings
  literals:
  - mode=calm
  - "quoted='x y'"
  files:
  - app.conf
  - renamed.conf=other.conf
  envs: [vars.env]
  options:
    annotations: {note: generated}
secretGenerator:
- name: keys
  type: Opaque
  literals: [token=abc]
- name: fixed
  options: {disableNameSuffixHash: true}
  literals: [token=fixed]
`,
    'app.conf': 'line one\nline two\n',
    'other.conf': 'other\n',
    'vars.env': '# comment\nLEVEL=debug\nSIZE=3\n',
  },
  '',
  [
    ['ConfigMap/settings-HASH data.mode', 'kustomization.yaml:7 - mode=«calm»'],
    ['ConfigMap/settings-HASH data.quoted', 'kustomization.yaml:8 - "quoted=«\'x y\'»"'],
    ['ConfigMap/settings-HASH data."app.conf"', 'kustomization.yaml:10 - «app.conf»'],
    ['ConfigMap/settings-HASH data."renamed.conf"', 'kustomization.yaml:11 - «renamed.conf=other.conf»'],
    ['ConfigMap/settings-HASH data.LEVEL', 'vars.env:2 LEVEL=«debug»'],
    ['ConfigMap/settings-HASH data.SIZE', 'vars.env:3 SIZE=«3»'],
    ['ConfigMap/settings-HASH metadata.name', 'kustomization.yaml:5 - name: «settings»'],
    ['ConfigMap/settings-HASH metadata.labels.made', 'kustomization.yaml:3 labels: {made: «here»}'],
    ['ConfigMap/settings-HASH metadata.annotations.note', 'kustomization.yaml:14 annotations: {note: «generated»}'],
    ['ConfigMap/settings-HASH kind', 'kustomization.yaml:5 - «name»: settings'],
    ['ConfigMap/settings-HASH metadata.labels.missing', 'kustomization.yaml:5 - «name»: settings'],
    ['Secret/keys-HASH data.token', 'kustomization.yaml:18 literals: [token=«abc»]'],
    ['Secret/keys-HASH type', 'kustomization.yaml:17 type: «Opaque»'],
    ['Secret/fixed data.token', 'kustomization.yaml:21 literals: [token=«fixed»]'],
    ['Pod/reader spec.containers[0].envFrom[0].configMapRef.name', 'kustomization.yaml:5 - name: «settings»'],
    ['Pod/reader spec.containers[0].envFrom[1].secretRef.name', 'kustomization.yaml:16 - name: «keys»'],
  ],
);

cases(
  'merged generators with a prefix',
  {
    'base/kustomization.yaml': 'configMapGenerator:\n- name: settings\n  literals: [mode=calm, size=1]\n',
    'kustomization.yaml':
      'resources: [base]\nnamePrefix: blue-\nconfigMapGenerator:\n- name: settings\n  behavior: merge\n  literals: [mode=loud]\n',
  },
  '',
  [
    ['ConfigMap/blue-settings-HASH data.mode', 'kustomization.yaml:6 literals: [mode=«loud»]'],
    ['ConfigMap/blue-settings-HASH data.size', 'base/kustomization.yaml:3 literals: [mode=calm, size=«1»]'],
    ['ConfigMap/blue-settings-HASH metadata.name', 'kustomization.yaml:4 - name: «settings»'],
  ],
);

cases(
  'helmCharts',
  {
    'kustomization.yaml': `helmCharts:
- name: shop
  releaseName: blue
  valuesFile: values.yaml
  valuesInline:
    replicas: 9
    image:
      tag: "5.1"
`,
    'values.yaml': 'mode: very-calm\n',
    'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'charts/shop/templates/a.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Release.Name }}-shop\n  labels: {mode: "{{ .Values.mode }}"}\nspec:\n  replicas: {{ .Values.replicas }}\n  paused: true\n  template:\n    spec:\n      containers:\n      - name: web\n        image: shop:{{ .Values.image.tag }}\n',
  },
  '',
  [
    ['Deployment/blue-shop spec.replicas', 'kustomization.yaml:6 replicas: «9»'],
    ['Deployment/blue-shop spec.template.spec.containers[0].image', 'kustomization.yaml:8 tag: «"5.1"»'],
    ['Deployment/blue-shop metadata.name', 'kustomization.yaml:3 releaseName: «blue»'],
    ['Deployment/blue-shop metadata.labels.mode', 'values.yaml:1 mode: «very-calm»'],
    ['Deployment/blue-shop spec.paused', 'kustomization.yaml:2 - «name»: shop'],
  ],
);

cases(
  'replacements',
  {
    ...BASE,
    'kustomization.yaml': `resources: [base, source.yaml]
replacements:
- source:
    kind: ConfigMap
    name: source
    fieldPath: data.image
  targets:
  - select: {kind: Deployment}
    fieldPaths: ["spec.template.spec.containers.[name=log].image"]
- path: more.yaml
`,
    'more.yaml':
      'source: {kind: ConfigMap, name: source}\ntargets:\n- select: {kind: Deployment, name: shop}\n  fieldPaths: [metadata.annotations.from]\n  options: {create: true}\n',
    'source.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: source}\ndata: {image: "log:from-map"}\n',
  },
  '',
  [
    ['Deployment/shop spec.template.spec.containers[1].image', 'kustomization.yaml:6 fieldPath: «data.image»'],
    [`Deployment/shop ${CONTAINER}.image`, 'base/shop.yaml:20 image: «registry.example.com/shop:1.0»'],
    ['Deployment/shop metadata.annotations.from', 'more.yaml:1 source: {kind: ConfigMap, name: «source»}'],
  ],
);

cases(
  'transformers in separate files',
  {
    ...BASE,
    'kustomization.yaml': 'resources: [base]\ntransformers: [notes.yaml, space.yaml, prefix.yaml, image.yaml]\n',
    'notes.yaml':
      'apiVersion: builtin\nkind: AnnotationsTransformer\nmetadata: {name: notes}\nannotations:\n  note: own\nfieldSpecs: [{path: metadata/annotations, create: true}]\n',
    'space.yaml':
      'apiVersion: builtin\nkind: NamespaceTransformer\nmetadata:\n  name: space\n  namespace: market\nfieldSpecs: [{path: metadata/namespace, create: true}]\n',
    'prefix.yaml':
      'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: own-\nfieldSpecs: [{path: metadata/name}]\n',
    'image.yaml':
      'apiVersion: builtin\nkind: ImageTagTransformer\nmetadata: {name: i}\nimageTag:\n  name: log\n  newTag: own\n',
  },
  '',
  [
    ['Deployment/own-shop metadata.annotations.note', 'notes.yaml:5 note: «own»'],
    ['Deployment/own-shop metadata.namespace', 'space.yaml:5 namespace: «market»'],
    ['Deployment/own-shop metadata.name', 'prefix.yaml:4 prefix: «own-»'],
    ['Deployment/own-shop spec.template.spec.containers[1].image', 'image.yaml:6 newTag: «own»'],
  ],
);

describe('one base in three overlays', () => {
  const files = {
    ...BASE,
    'overlays/a/kustomization.yaml': 'resources: [../../base]\nreplicas: [{name: shop, count: 2}]\n',
    'overlays/b/kustomization.yaml': 'resources: [../../base]\npatches: [{path: more.yaml}]\n',
    'overlays/b/more.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop}\nspec: {replicas: 3}\n',
    'overlays/c/kustomization.yaml': 'resources: [../../base]\n',
  };
  const rows: readonly (readonly [root: string, field: string, expected: string])[] = [
    ['a', 'Deployment/shop spec.replicas', 'overlays/a/kustomization.yaml:2 replicas: [{name: shop, count: «2»}]'],
    ['b', 'Deployment/shop spec.replicas', 'overlays/b/more.yaml:4 spec: {replicas: «3»}'],
    ['c', 'Deployment/shop spec.replicas', 'base/shop.yaml:8 replicas: «1»'],
    ['a', `Deployment/shop ${CONTAINER}.image`, 'base/shop.yaml:20 image: «registry.example.com/shop:1.0»'],
    ['b', `Deployment/shop ${CONTAINER}.image`, 'base/shop.yaml:20 image: «registry.example.com/shop:1.0»'],
    ['c', `Deployment/shop ${CONTAINER}.image`, 'base/shop.yaml:20 image: «registry.example.com/shop:1.0»'],
  ];
  test.each(rows)('%s: %s', (root, field, expected) => {
    const place = kustomizePlacesOf(files, `overlays/${root}`).place(field);
    expect(place, place).toBe(expected);
  });
});

test('locates the source of an object without a second build, unless names are generated', () => {
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const plain = kustomizePlacesOf({
    'kustomization.yaml': 'resources: [base]\npatches: [{path: p.yaml}]',
    'p.yaml': `${object}data: {x: "2"}`,
    'base/kustomization.yaml': 'resources: [a.yaml]',
    'base/a.yaml': `${object}data: {x: "1"}`,
  });
  expect(plain.place('ConfigMap/a kind')).toMatch(/^base\/a\.yaml:2 /);
  expect(plain.place('ConfigMap/a metadata.name')).toMatch(/^base\/a\.yaml:3 /);
  expect(plain.renderings()).toBe(1);
  expect(plain.place('ConfigMap/a data.x')).toMatch(/^p\.yaml:4 /);
  expect(plain.renderings()).toBe(2);
  const renamed = kustomizePlacesOf({
    'kustomization.yaml': 'resources: [base]',
    'base/kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: p-',
    'base/a.yaml': object,
  });
  expect(renamed.place('ConfigMap/p-a kind')).toMatch(/^base\/a\.yaml:2 /);
  expect(renamed.renderings()).toBe(2);
});
