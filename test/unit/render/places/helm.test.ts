// Locations of fields that Helm renders: the value or template line that a user would edit.
import { describe, expect, test } from 'vitest';
import type { HelmRequest } from '../../../../src/render/engine/render-request.ts';
import { chartPlacesOf, type Files, type PlacesOf } from '../../../support/places.ts';

type Row = readonly [field: string, expected: string];

/** Several fields of one chart. */
function cases(
  name: string,
  files: Files,
  request: Partial<HelmRequest>,
  rows: readonly Row[],
  declared?: string,
): void {
  let places: PlacesOf | undefined;
  describe(name, () => {
    test.each(rows)('%s', (field, expected) => {
      places ??= chartPlacesOf(files, request, declared);
      const place = places.place(field);
      expect(place, place).toBe(expected);
    });
  });
}

const HELPERS = `{{- define "shop.labels" -}}
app: {{ .Chart.Name }}
team: {{ .Values.team | quote }}
{{- end }}
{{- define "shop.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{/* A comment
over lines */}}
{{- define "shop.name" -}}
{{- printf "%s-%s" .Release.Name .Values.nameSuffix | trunc 63 | trimSuffix "-" -}}
{{- end -}}
`;

const DEPLOYMENT = `{{- if .Values.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.name" . }}
  labels:
    {{- include "shop.labels" . | nindent 4 }}
    static: here
  annotations:
    note: "{{ .Values.note }}"
    both: "{{ .Values.one }}-{{ .Values.two }}"
    upper: {{ .Values.mode | upper }}
    coded: {{ .Values.mode | b64enc }}
    tpl: {{ tpl .Values.greeting . }}
    {{- with .Values.annotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  replicas: {{ .Values.replicas }}
  template:
    spec:
      hostNetwork: {{ .Values.hostNetwork }}
      hostPID: true
      {{- with .Values.podSecurityContext }}
      securityContext:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .Chart.Name }}
          image: {{ include "shop.image" . }}
          {{- if .Values.args }}
          args:
            {{- range .Values.args }}
            - {{ . }}
            {{- end }}
          {{- end }}
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
          env:
            {{- range $name, $value := .Values.env }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
        {{- if .Values.sidecar.enabled }}
        - name: sidecar
          image: "{{ .Values.sidecar.image }}"
          securityContext: {{- toYaml .Values.sidecar.securityContext | nindent 12 }}
        {{- end }}
{{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: first
spec:
  ports:
    - port: {{ .Values.service.port }}
      targetPort: http
---
apiVersion: v1
kind: Service
metadata:
  name: second
spec:
  type: {{ .Values.service.type }}
`;

const VALUES = `enabled: true
team: market
replicas: 3
hostNetwork: false
nameSuffix: web
note: quiet
one: "1"
two: zwei
mode: calm
greeting: "hello {{ .Release.Name }}"
annotations:
  owner: market-team
podSecurityContext:
  runAsNonRoot: true
  runAsUser: 1000
image:
  repository: registry.example.com/shop
  tag: "1.2"
args: [serve, --fast]
resources:
  limits:
    memory: 64Mi
env:
  LEVEL: debug
  SIZE: large
sidecar:
  enabled: true
  image: log:3
  securityContext:
    privileged: true
service:
  port: 8080
  type: NodePort
`;

const CHART = {
  'shop/values.yaml': VALUES,
  'shop/templates/_helpers.tpl': HELPERS,
  'shop/templates/shop.yaml': DEPLOYMENT,
};
const SPEC = 'spec.template.spec';

cases('the values of a chart', CHART, {}, [
  ['Deployment/blue-web kind', 'shop/templates/shop.yaml:3 kind: «Deployment»'],
  ['Deployment/blue-web spec.replicas', 'shop/values.yaml:3 replicas: «3»'],
  ['Deployment/blue-web metadata.name', 'shop/values.yaml:5 nameSuffix: «web»'],
  ['Deployment/blue-web metadata.annotations.note', 'shop/values.yaml:6 note: «quiet»'],
  ['Deployment/blue-web metadata.annotations.both', 'shop/values.yaml:8 two: «zwei»'],
  ['Deployment/blue-web metadata.annotations.upper', 'shop/values.yaml:9 mode: «calm»'],
  ['Deployment/blue-web metadata.annotations.coded', 'shop/values.yaml:9 mode: «calm»'],
  ['Deployment/blue-web metadata.annotations.tpl', 'shop/values.yaml:10 greeting: «"hello {{ .Release.Name }}"»'],
  ['Deployment/blue-web metadata.annotations.owner', 'shop/values.yaml:12 owner: «market-team»'],
  ['Deployment/blue-web metadata.labels.app', 'shop/templates/_helpers.tpl:2 app: «{{ .Chart.Name }}»'],
  ['Deployment/blue-web metadata.labels.team', 'shop/values.yaml:2 team: «market»'],
  ['Deployment/blue-web metadata.labels.static', 'shop/templates/shop.yaml:8 static: «here»'],
  [`Deployment/blue-web ${SPEC}.hostNetwork`, 'shop/values.yaml:4 hostNetwork: «false»'],
  [`Deployment/blue-web ${SPEC}.hostPID`, 'shop/templates/shop.yaml:23 hostPID: «true»'],
  [`Deployment/blue-web ${SPEC}.securityContext.runAsUser`, 'shop/values.yaml:15 runAsUser: «1000»'],
  [`Deployment/blue-web ${SPEC}.securityContext.runAsNonRoot`, 'shop/values.yaml:14 runAsNonRoot: «true»'],
  [
    `Deployment/blue-web ${SPEC}.securityContext.seccompProfile`,
    'shop/templates/shop.yaml:26 «{{- toYaml . | nindent 8 }}»',
  ],
  [`Deployment/blue-web ${SPEC}.containers[0].image`, 'shop/values.yaml:18 tag: «"1.2"»'],
  [`Deployment/blue-web ${SPEC}.containers[0].name`, 'shop/templates/shop.yaml:29 - name: «{{ .Chart.Name }}»'],
  [`Deployment/blue-web ${SPEC}.containers[0].args[1]`, 'shop/values.yaml:19 args: [serve, «--fast»]'],
  [`Deployment/blue-web ${SPEC}.containers[0].resources.limits.memory`, 'shop/values.yaml:22 memory: «64Mi»'],
  [`Deployment/blue-web ${SPEC}.containers[0].resources.limits`, 'shop/values.yaml:21 «limits»:'],
  [`Deployment/blue-web ${SPEC}.containers[0].resources.requests`, 'shop/values.yaml:20 «resources»:'],
  [`Deployment/blue-web ${SPEC}.containers[0].env[1].value`, 'shop/values.yaml:25 SIZE: «large»'],
  [
    `Deployment/blue-web ${SPEC}.containers[0].securityContext`,
    'shop/templates/shop.yaml:29 «- name: {{ .Chart.Name }}»',
  ],
  [`Deployment/blue-web ${SPEC}.containers[1].image`, 'shop/values.yaml:28 image: «log:3»'],
  [`Deployment/blue-web ${SPEC}.containers[1].securityContext.privileged`, 'shop/values.yaml:30 privileged: «true»'],
  ['Service/first spec.ports[0].port', 'shop/values.yaml:32 port: «8080»'],
  ['Service/first spec.ports[0].targetPort', 'shop/templates/shop.yaml:58 targetPort: «http»'],
  ['Service/first spec.type', 'shop/templates/shop.yaml:55 «spec»:'],
  ['Service/second spec.type', 'shop/values.yaml:33 type: «NodePort»'],
]);

cases(
  'values files, later over earlier',
  {
    ...CHART,
    'values/base.yaml': 'replicas: 5\nimage:\n  tag: "5"\n',
    'values/production.yaml': 'replicas: 7\nargs: [serve, --safe]\nenv:\n  LEVEL: info\nservice: {port: 9090}\n',
  },
  { valuesFiles: ['values/base.yaml', 'values/production.yaml'] },
  [
    ['Deployment/blue-web spec.replicas', 'values/production.yaml:1 replicas: «7»'],
    [`Deployment/blue-web ${SPEC}.containers[0].image`, 'values/base.yaml:3 tag: «"5"»'],
    [`Deployment/blue-web ${SPEC}.containers[0].args[1]`, 'values/production.yaml:2 args: [serve, «--safe»]'],
    [`Deployment/blue-web ${SPEC}.containers[0].env[0].value`, 'values/production.yaml:4 LEVEL: «info»'],
    [`Deployment/blue-web ${SPEC}.containers[0].env[1].value`, 'shop/values.yaml:25 SIZE: «large»'],
    ['Service/first spec.ports[0].port', 'values/production.yaml:5 service: {port: «9090»}'],
    ['Service/second spec.type', 'shop/values.yaml:33 type: «NodePort»'],
  ],
);

cases(
  'subcharts',
  {
    'shop/Chart.yaml':
      'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n- {name: db, version: 1.0.0}\n- {name: cache, version: 1.0.0, alias: fast}\n',
    'shop/values.yaml': 'db:\n  size: 20Gi\nglobal:\n  zone: north\nfast:\n  mode: hot\n',
    'shop/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
    'shop/charts/db/values.yaml': 'size: 10Gi\nclass: slow\n',
    'shop/charts/db/templates/_lib.tpl': '{{- define "db.class" -}}\nclass: {{ .Values.class }}\n{{- end -}}\n',
    'shop/charts/db/templates/data.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: data\ndata:\n  size: {{ .Values.size }}\n  zone: {{ .Values.global.zone }}\n  {{- include "db.class" . | nindent 2 }}\n',
    'shop/charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n',
    'shop/charts/cache/values.yaml': 'mode: cold\nport: "6379"\n',
    'shop/charts/cache/templates/cache.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cache\ndata:\n  mode: {{ .Values.mode }}\n  port: {{ .Values.port | quote }}\n',
  },
  {},
  [
    ['ConfigMap/data data.size', 'shop/values.yaml:2 size: «20Gi»'],
    ['ConfigMap/data data.class', 'shop/charts/db/values.yaml:2 class: «slow»'],
    ['ConfigMap/data data.zone', 'shop/values.yaml:4 zone: «north»'],
    ['ConfigMap/data metadata.name', 'shop/charts/db/templates/data.yaml:4 name: «data»'],
    ['ConfigMap/cache data.mode', 'shop/values.yaml:6 mode: «hot»'],
    ['ConfigMap/cache data.port', 'shop/charts/cache/values.yaml:2 port: «"6379"»'],
  ],
);

cases(
  'objects of a range, CRDs, and static templates',
  {
    'shop/values.yaml': 'queues:\n- name: alpha\n  size: 3\n- name: beta\n  size: 4\nlimits: {small: 1, large: 2}\n',
    'shop/crds/queue.yaml':
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: queues.example.com\nspec:\n  group: example.com\n',
    'shop/templates/queues.yaml':
      '{{- range .Values.queues }}\n---\napiVersion: example.com/v1\nkind: Queue\nmetadata:\n  name: {{ .name }}\nspec:\n  size: {{ .size }}\n  fixed: yes-it-is\n{{- end }}\n',
    'shop/templates/quota.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: quota\ndata:\n  {{- range $key, $value := .Values.limits }}\n  {{ $key }}: "{{ mul $value 100 }}"\n  {{- end }}\n  text: |\n    limit {{ .Values.limits.small }}\n    more\n',
  },
  { includeCrds: true },
  [
    ['Queue/alpha spec.size', 'shop/values.yaml:3 size: «3»'],
    ['Queue/beta spec.size', 'shop/values.yaml:5 size: «4»'],
    ['Queue/beta metadata.name', 'shop/values.yaml:4 - name: «beta»'],
    ['Queue/beta spec.fixed', 'shop/templates/queues.yaml:9 fixed: «yes-it-is»'],
    ['CustomResourceDefinition/queues.example.com spec.group', 'shop/crds/queue.yaml:6 group: «example.com»'],
    ['CustomResourceDefinition/queues.example.com spec.scope', 'shop/crds/queue.yaml:5 «spec»:'],
    ['ConfigMap/quota data.large', 'shop/templates/quota.yaml:7 «{{ $key }}: "{{ mul $value 100 }}"»'],
    ['ConfigMap/quota data.text', 'shop/templates/quota.yaml:9 text: «|»'],
  ],
);

describe('values in a declaration', () => {
  const release = (values: string): Files => ({
    ...CHART,
    'apps/shop.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: shop\nspec:\n${values}`,
  });
  const application = (helm: string): Files => ({
    ...CHART,
    'apps/shop.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: shop\nspec:\n${helm}`,
  });
  const given = { values: ['{"replicas": 9, "image": {"tag": "9.1"}, "args": ["serve", "--debug"]}'] };
  const rows: readonly (readonly [name: string, files: Files, field: string, expected: string])[] = [
    [
      'HelmRelease',
      release('  values:\n    replicas: 9\n    image:\n      tag: "9.1"\n    args: [serve, --debug]\n'),
      'spec.replicas',
      'apps/shop.yaml:7 replicas: «9»',
    ],
    [
      'HelmRelease',
      release('  values:\n    replicas: 9\n    image:\n      tag: "9.1"\n    args: [serve, --debug]\n'),
      `${SPEC}.containers[0].image`,
      'apps/shop.yaml:9 tag: «"9.1"»',
    ],
    [
      'HelmRelease',
      release('  values:\n    replicas: 9\n    image:\n      tag: "9.1"\n    args: [serve, --debug]\n'),
      `${SPEC}.containers[0].args[1]`,
      'apps/shop.yaml:10 args: [serve, «--debug»]',
    ],
    [
      'HelmRelease',
      release('  values:\n    replicas: 9\n'),
      `${SPEC}.containers[1].image`,
      'shop/values.yaml:28 image: «log:3»',
    ],
    [
      'Application, as an object',
      application('  source:\n    helm:\n      valuesObject:\n        replicas: 9\n        image: {tag: "9.1"}\n'),
      `${SPEC}.containers[0].image`,
      'apps/shop.yaml:10 image: {tag: «"9.1"»}',
    ],
    [
      'Application, as text',
      application(
        '  source:\n    helm:\n      values: |\n        # comment\n        replicas: 9\n        image:\n          tag: "9.1"\n',
      ),
      'spec.replicas',
      'apps/shop.yaml:10 replicas: «9»',
    ],
    [
      'Application, as text',
      application(
        '  source:\n    helm:\n      values: |\n        # comment\n        replicas: 9\n        image:\n          tag: "9.1"\n',
      ),
      `${SPEC}.containers[0].image`,
      'apps/shop.yaml:12 tag: «"9.1"»',
    ],
    [
      'Application of several sources',
      application('  sources:\n  - ref: values\n  - helm:\n      valuesObject: {replicas: 9}\n'),
      'spec.replicas',
      'apps/shop.yaml:9 valuesObject: {replicas: «9»}',
    ],
    [
      'values outside the declaration',
      application('  source: {path: shop}\n'),
      'spec.replicas',
      'apps/shop.yaml:1 «apiVersion: argoproj.io/v1alpha1»',
    ],
  ];
  test.each(rows)('%s', (_, files, field, expected) => {
    const place = chartPlacesOf(files, given, 'apps/shop.yaml').place(`Deployment/blue-web ${field}`);
    expect(place, place).toBe(expected);
  });
});

describe('renderings', () => {
  test('need no second one for a value that is alone on its line', () => {
    const places = chartPlacesOf(CHART);
    places.place('Deployment/blue-web spec.replicas');
    places.place(`Deployment/blue-web ${SPEC}.hostPID`);
    expect(places.renderings()).toBe(1);
  });

  test('find all values of a field with one more, which is cached', () => {
    const places = chartPlacesOf(CHART);
    const field = `Deployment/blue-web ${SPEC}.containers[0].image`;
    expect(places.place(field)).toBe(places.place(field));
    expect(places.renderings()).toBe(2);
  });

  test('are limited for one root', () => {
    const names = Array.from({ length: 200 }, (_, index) => `k${index}`);
    const places = chartPlacesOf({
      'shop/values.yaml': names.map((name) => `${name}: v${name}\n`).join(''),
      'shop/templates/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata:\n${names
        .map((name) => `  ${name}: x{{ .Values.${name} }}\n`)
        .join('')}`,
    });
    for (const name of names) places.place(`ConfigMap/map data.${name}`);
    expect(places.renderings()).toBe(25);
  });
});
