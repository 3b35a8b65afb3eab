// Repositories whose rendered objects affect decisions about other objects: the possible contents of each file, the usual one first.

export type RenderedWorld = Readonly<Record<string, readonly string[]>>;

const few = (validation: string, spec = '', binding = '', resource = 'deployments', group = 'apps'): string =>
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
${spec}  matchConstraints: {resourceRules: [{apiGroups: [${group}], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [${resource}]}]}
  validations: [{expression: ${JSON.stringify(validation)}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec:
  policyName: few
  validationActions: [Deny]
${binding}`;
const LIVE = '  matchResources: {namespaceSelector: {matchLabels: {tier: live}}}\n';
const namespace = (name: string, tier: string): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: {tier: ${tier}}}\n`;
const configMap = (name: string, where: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${where}}\ndata: {${data}}\n`;
const deployment = (name: string, replicas: string, where = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${where === '' ? '' : `, namespace: ${where}`}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}
`;
const kustomization = (name: string, path: string, rest = ''): string => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec:
  path: ./${path}
  sourceRef: {kind: GitRepository, name: flux-system}
${rest}`;
const release = (rest: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: flux-system}
spec:
  chart: {spec: {chart: ./charts/app, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}
${rest}`;
const application = (name: string, path: string, rest: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://example.com/this.git, path: ${path}}
  destination: {server: https://kubernetes.default.svc, namespace: ${rest}}
`;
const SUBSTITUTED = '  postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}\n';

export const FLUX_WORLD: RenderedWorld = {
  'policies/few.yaml': [few('object.spec.replicas <= 3', '', LIVE), few('object.spec.replicas <= 5', '', LIVE)],
  'config/settings.yaml': [
    configMap('settings', 'flux-system', 'TEAM: shop, REPLICAS: "2", TIER: live'),
    configMap('settings', 'flux-system', 'TEAM: shop, REPLICAS: "8", TIER: live'),
    configMap('settings', 'flux-system', 'TEAM: shop, REPLICAS: "4", TIER: test'),
    configMap('settings', 'flux-system', 'TEAM: other, REPLICAS: "4", TIER: live'),
  ],
  'config/kustomization.yaml': [
    'resources: [settings.yaml]\n',
    'namespace: flux-system\ngeneratorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: settings, literals: [TEAM=shop, REPLICAS=7, TIER=live]}]\n',
    'resources: [settings.yaml]\npatches: [{target: {kind: ConfigMap}, patch: "[{op: replace, path: /data/TIER, value: none}]"}]\n',
  ],
  'clusters/a/config.yaml': [kustomization('config', 'config'), kustomization('config', 'config', '  prune: true\n')],
  'clusters/a/infra.yaml': [
    kustomization('infra', 'infra', SUBSTITUTED),
    kustomization('infra', 'infra', '  postBuild: {substitute: {TEAM: shop, TIER: live}}\n'),
    kustomization('infra', 'infra', '  postBuild: {substitute: {TEAM: shop, TIER: test}}\n'),
  ],
  'infra/space.yaml': [
    namespace(`"\${TEAM}-live"`, `"\${TIER}"`),
    namespace('shop-live', 'live'),
    namespace('shop-live', 'test'),
    namespace(`shop-\${STAGE:=live}`, 'live'),
  ],
  'infra/kustomization.yaml': ['resources: [space.yaml]\n', 'resources: [space.yaml]\ncommonLabels: {tier: live}\n'],
  'clusters/a/web.yaml': [
    kustomization('web', 'web', `  dependsOn: [{name: infra}]\n${SUBSTITUTED}`),
    kustomization('web', 'web', `  targetNamespace: shop-live\n${SUBSTITUTED}`),
    kustomization('web', 'web', '  postBuild: {substitute: {TEAM: shop, REPLICAS: "4"}}\n'),
  ],
  'web/web.yaml': [
    deployment('web', `\${REPLICAS}`, `"\${TEAM}-live"`),
    deployment('web', `\${REPLICAS}`, 'shop-live'),
    deployment('web', '4', `"\${TEAM}-live"`),
    deployment('web', '9', 'shop-live'),
  ],
  'clusters/a/release.yaml': [
    release('  valuesFrom: [{kind: ConfigMap, name: values}]\n  targetNamespace: shop-live\n'),
    release('  values: {replicas: 6, team: shop}\n'),
    release('  values: {replicas: 6}\n  targetNamespace: shop-live\n'),
  ],
  'config/values.yaml': [
    configMap('values', 'flux-system', 'values.yaml: "replicas: 2"'),
    configMap('values', 'flux-system', 'values.yaml: "replicas: 9"'),
  ],
  'charts/app/Chart.yaml': ['apiVersion: v2\nname: app\nversion: 1.0.0\n'],
  'charts/app/values.yaml': ['replicas: 1\n', 'replicas: 1\nteam: shop\n'],
  'charts/app/templates/app.yaml': [
    deployment('app', '{{ .Values.replicas }}'),
    deployment('app', '{{ .Values.replicas }}', '{{ .Values.team | default "shop" }}-live'),
    `{{ if .Values.team }}\n${namespace('{{ .Values.team }}-live', 'live')}---\n{{ end }}\n${deployment('app', '4')}`,
  ],
};

const set = (
  template: string,
  generator = '{directories: [{path: apps/*}]}',
): string => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  goTemplate: true
  generators: [{git: {repoURL: https://example.com/this.git, revision: HEAD, ${generator.slice(1, -1)}}}]
  template:
    metadata: {name: "{{.path.basename}}"}
    spec:
      source: {repoURL: https://example.com/this.git, path: "{{.path.path}}"}
${template}`;
const server = (where: string, rest = ''): string =>
  `      destination: {server: "https://kubernetes.default.svc", namespace: "${where}"}\n${rest}`;

export const ARGO_WORLD: RenderedWorld = {
  'policies/few.yaml': [few('object.spec.replicas <= 3', '', LIVE), few('object.spec.replicas <= 5', '', LIVE)],
  'argo/apps.yaml': [
    set(server('{{.path.basename}}-live')),
    set(server('shop-live')),
    set(server('{{.path.basename}}-live'), '{files: [{path: "apps/*/config.json"}]}'),
    set(
      server(
        'shop-live',
        '      syncPolicy: {syncOptions: [CreateNamespace=true], managedNamespaceMetadata: {labels: {tier: live}}}\n',
      ),
    ),
  ],
  'bootstrap/root.yaml': [application('root', 'argo', 'argocd'), application('root', 'argo', 'shop-live')],
  'argo/spaces.yaml': [application('spaces', 'spaces', 'default'), application('spaces', 'spaces', 'argocd')],
  'spaces/space.yaml': [
    namespace('shop-live', 'live'),
    namespace('shop-live', 'test'),
    namespace('web-live', 'live'),
    `${namespace('shop-live', 'live')}---\n${namespace('web-live', 'live')}`,
  ],
  'spaces/kustomization.yaml': [
    'resources: [space.yaml]\n',
    'resources: [space.yaml]\npatches: [{target: {kind: Namespace}, patch: "[{op: replace, path: /metadata/labels/tier, value: live}]"}]\n',
  ],
  'apps/web/web.yaml': [deployment('web', '4'), deployment('web', '2'), deployment('web', '9', 'shop-live')],
  'apps/web/config.json': ['{"path": "x"}\n', '{}\n'],
  'apps/shop/web.yaml': [deployment('shop', '2'), deployment('shop', '6'), deployment('shop', '6', 'web-live')],
  'apps/shop/kustomization.yaml': [
    'resources: [web.yaml]\n',
    'resources: [web.yaml]\nreplicas: [{name: shop, count: 8}]\n',
  ],
};

const WIDGETS = (most: number): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: ${most}, default: 4}}}}}}
`;
const widget = (name: string, spec: string, where: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}, namespace: ${where}}\nspec: ${spec}\n`;
const chart = (name: string): readonly string[] => [`apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`];

export const RULES_WORLD: RenderedWorld = {
  'rules/Chart.yaml': chart('rules'),
  'rules/values.yaml': [
    'kind: Namespace\npolicy: ValidatingAdmissionPolicy\nteam: shop\nmost: "4"\ntier: live\n',
    'kind: Namespace\npolicy: ValidatingAdmissionPolicy\nteam: shop\nmost: "9"\ntier: live\n',
    'kind: ConfigMap\npolicy: ValidatingAdmissionPolicy\nteam: shop\nmost: "4"\ntier: test\n',
  ],
  'rules/templates/_helpers.tpl': [
    '{{ define "space" }}{{ .Values.team }}-live{{ end }}\n{{ define "limits" }}{{ printf "%s%s" "lim" "its" }}{{ end }}\n',
    '{{ define "space" }}{{ printf "%s-%s" .Values.team "live" }}{{ end }}\n{{ define "limits" }}limits{{ end }}\n',
  ],
  'rules/templates/space.yaml': [
    'apiVersion: v1\nkind: {{ .Values.kind }}\nmetadata:\n  name: {{ include "space" . }}\n  labels: {tier: {{ .Values.tier }}}\n',
    'apiVersion: v1\nkind: Name{{ "space" }}\nmetadata:\n  name: {{ include "space" . }}\n  labels: {tier: {{ .Values.tier }}}\n',
    '{{ toYaml (dict "apiVersion" "v1" "kind" .Values.kind "metadata" (dict "name" (include "space" .) "labels" (dict "tier" .Values.tier))) }}\n',
  ],
  'rules/templates/limits.yaml': [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ include "limits" . }}, namespace: policies}\ndata: {most: {{ .Values.most | quote }}}\n',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: policies}\ndata: {most: "2"}\n',
  ],
  'policies/Chart.yaml': chart('policies'),
  'policies/values.yaml': ['policy: ValidatingAdmissionPolicy\n', 'policy: ValidatingAdmissionPolicy\nx: 1\n'],
  'policies/templates/few.yaml': [
    few(
      'object.spec.replicas <= int(params.data.most)',
      '  paramKind: {apiVersion: v1, kind: ConfigMap}\n',
      `${LIVE}  paramRef: {name: limits, namespace: policies, parameterNotFoundAction: Deny}\n`,
    ).replace('kind: ValidatingAdmissionPolicy\n', 'kind: {{ .Values.policy }}\n'),
    few('object.spec.replicas <= 3', '', LIVE),
    few("authorizer.group('').resource('secrets').check('list').allowed()", '', LIVE),
    few('object.spec.size <= 5', '', LIVE, 'widgets', 'example.com'),
  ],
  'crds/Chart.yaml': chart('crds'),
  'crds/crds/widgets.yaml': [WIDGETS(9), WIDGETS(5)],
  'crds/templates/widgets.yaml': [
    '{{- if .Values.x }}\n{{- end }}\n',
    WIDGETS(7).replaceAll('example.com', '{{ .Values.group | default "example.com" }}'),
  ],
  'rbac/role.yaml': [
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\nrules: [{apiGroups: [""], resources: [secrets], verbs: [list]}]\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: reader}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}\nsubjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]\n',
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\nrules: []\n',
  ],
  'rbac/kustomization.yaml': ['resources: [role.yaml]\n', 'resources: [role.yaml]\nnamePrefix: x-\n'],
  'web/web.yaml': [
    deployment('web', '5'),
    deployment('web', '2'),
    widget('w', '{size: 8}', 'shop-live'),
    widget('w', '{}', 'shop-live'),
  ],
  'web/kustomization.yaml': [
    'resources: [web.yaml]\nnamespace: shop-live\n',
    'resources: [web.yaml]\nreplacements: [{source: {kind: Deployment, fieldPath: spec.replicas}, targets: []}]\n',
  ],
  'app/Chart.yaml': chart('app'),
  'app/values.yaml': ['team: shop\ngroup: example.com\n', 'team: shop\ngroup: example\n'],
  'app/templates/app.yaml': [
    deployment('app', '6', '{{ .Values.team }}-{{ "live" }}'),
    `apiVersion: {{ trimSuffix ".com" .Values.group }}.com/v1\nkind: Widget\nmetadata: {name: app, namespace: {{ .Values.team }}-live}\nspec: {size: 6}\n`,
  ],
};

const kyverno = (name: string, rule: string, spec = ''): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: ${name}}
spec:
  validationFailureAction: Enforce
${spec}  rules:
    - name: rule
      match: {any: [{resources: {kinds: [Deployment]}}]}
${rule}`;
const CONTEXT = `      context: [{name: limits, configMap: {name: limits, namespace: policies}}]
      validate: {message: few, deny: {conditions: {any: [{key: "{{ request.object.spec.replicas }}", operator: GreaterThan, value: "{{ limits.data.most }}"}]}}}
`;
const PATTERN = '      validate: {message: few, pattern: {spec: {replicas: "<4"}}}\n';
const LABELED = '      validate: {message: label, pattern: {metadata: {labels: {team: "?*"}}}}\n';
const MUTATED = '      mutate: {patchStrategicMerge: {metadata: {labels: {+(team): shop}}}}\n';
const exception = (name: string): string =>
  `apiVersion: kyverno.io/v2\nkind: PolicyException\nmetadata: {name: ${name}, namespace: policies}\nspec:\n  exceptions: [{policyName: few, ruleNames: [rule]}]\n  match: {any: [{resources: {kinds: [Deployment], names: [web*]}}]}\n`;

export const KYVERNO_WORLD: RenderedWorld = {
  'policies/few.yaml': [kyverno('few', CONTEXT), kyverno('few', PATTERN), kyverno('few', LABELED)],
  'policies/kustomization.yaml': ['resources: [few.yaml]\n', 'resources: [few.yaml]\ncommonAnnotations: {a: b}\n'],
  'mutations/Chart.yaml': chart('mutations'),
  'mutations/values.yaml': ['kind: ClusterPolicy\n', 'kind: Policy\n'],
  'mutations/templates/mutate.yaml': [
    kyverno('mutate', MUTATED).replace('kind: ClusterPolicy', 'kind: {{ .Values.kind }}'),
    kyverno('mutate', MUTATED),
    kyverno('mutate', '      mutate: {patchStrategicMerge: {spec: {replicas: 9}}}\n').replace(
      'kind: ClusterPolicy',
      'kind: {{ .Values.kind }}',
    ),
    kyverno(
      'mutate',
      '      generate: {apiVersion: v1, kind: ConfigMap, name: made, namespace: shop, data: {data: {a: b}}}\n',
    ),
  ],
  'limits/limits.yaml': [
    configMap('limits', 'policies', 'most: "4"'),
    configMap('limits', 'policies', 'most: "2"'),
    configMap('limit', 'policies', 'most: "9"'),
  ],
  'limits/kustomization.yaml': [
    'resources: [limits.yaml]\n',
    'namespace: policies\ngeneratorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: limits, literals: [most=3]}]\n',
    'resources: [limits.yaml]\nnameSuffix: s\n',
  ],
  'exceptions/exception.yaml': [exception('few'), exception('other').replace('web*', 'app*')],
  'exceptions/kustomization.yaml': ['resources: [exception.yaml]\n', 'resources: [exception.yaml]\nnamespace: shop\n'],
  'web/web.yaml': [deployment('web', '5', 'shop'), deployment('web', '2', 'shop')],
  'web/kustomization.yaml': ['resources: [web.yaml]\n', 'resources: [web.yaml]\ncommonLabels: {team: shop}\n'],
  'app/Chart.yaml': chart('app'),
  'app/templates/app.yaml': [deployment('app', '3', 'shop'), deployment('app', '8', '{{ .Release.Namespace }}')],
};
