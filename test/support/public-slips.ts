// Mistakes from public threads, one per row: the thread, and the same mistake in an own text.

export interface PublicSlip {
  /** The thread that reports or fixes the mistake. */
  readonly from: string;
  /** The fix, in the message or its help. */
  readonly help: string;
  readonly text: string;
  /** Default: the newest version. */
  readonly version?: string;
}

const GITHUB = 'https://github.com';

function slip(from: string, help: string, text: string, version?: string): PublicSlip {
  return { from: from.startsWith('https:') ? from : `${GITHUB}/${from}`, help, text, ...(version && { version }) };
}

const HEAD = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
`;
const BINDING = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limit}
spec:
  policyName: limit
  validationActions: [Deny]
`;

/** A policy that denies by this expression. */
function validation(expression: string): string {
  return `${HEAD}  validations:\n    - expression: |-\n        ${expression}\n${BINDING}`;
}

/** A policy with this messageExpression. */
function message(expression: string): string {
  return `${HEAD}  variables: [{name: limit, expression: '3'}]
  validations:
    - expression: object.spec.replicas <= variables.limit
      messageExpression: ${JSON.stringify(expression)}
${BINDING}`;
}

/** A definition with this rule at its root. */
function rule(text: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          x-kubernetes-validations: [{rule: ${JSON.stringify(text)}, message: wrong}]
          properties:
            spec:
              type: object
              properties: {size: {type: integer}, range: {type: string, maxLength: 50}}
`;
}

function binding(fields: string): string {
  return `${HEAD}  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations: [{expression: object.spec.replicas <= 3}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limit}
spec:
  validationActions: [Deny]
${fields}`;
}

function kyverno(rule: string, spec = ''): string {
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: team}
spec:
${spec}  rules:
    - name: has-team
${rule}`;
}
const VALIDATE = `      validate:
        message: name the team
        pattern: {metadata: {labels: {team: '?*'}}}
`;
const MATCH = '      match: {any: [{resources: {kinds: [ConfigMap]}}]}\n';

function pod(fields: string, container = ''): string {
  return `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
${fields}  containers:
    - name: web
      image: web:1
${container}`;
}

function deployment(fields: string, template = '', metadata = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
${fields}  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
${metadata}${template}    spec:
      containers:
        - name: web
          image: web:1
`;
}

export const PUBLIC_SLIPS: readonly PublicSlip[] = [
  // Expressions.
  slip(
    'projectcapsule/capsule/issues/1829',
    'in CEL, write `list.exists(x, …)`',
    validation("!exists(object.spec.template.spec.tolerations, t, t.key == 'spare')"),
  ),
  slip(
    'kubernetes/kubernetes/issues/118230',
    "`has()` takes a field: `has(object.spec.replicas)`; to test for a map key, write `'key' in object.metadata.labels`",
    validation('!has(object.metadata.labels["example.com/chart"])'),
  ),
  slip(
    'flanksource/config-db/pull/2143',
    "`has()` takes a field: `has(object.spec.replicas)`; to test for a map key, write `'key' in object.metadata.labels`",
    validation("has(object.metadata.annotations['example.com/name'])"),
  ),
  slip(
    'kyverno/kyverno/issues/13259',
    'write `object`: it is a variable, not a field of `request`',
    validation("request.object.metadata.labels['team'] != ''"),
  ),
  slip(
    'kyverno/kyverno/issues/13968',
    'CEL has no `??`: write `has(object.spec.field) ? object.spec.field : other`, or `object.spec.?field.orValue(other)`',
    validation('object.spec.paused ?? false'),
  ),
  slip(
    'kyverno/kyverno/issues/13968',
    'in CEL, write `text.contains(part)`, and `x in list` or `key in map`',
    validation('contains(object.metadata.labels)'),
  ),
  slip(
    'kubearchive/kubearchive/issues/285',
    'a name cannot start with a dot: write `object.status` for a field of the object',
    validation(".status != 'Completed'"),
  ),
  slip(
    'https://taourl.com/read-2575825.html',
    'in CEL, write `key in map`',
    validation("object.metadata.labels.containsKey('team')"),
  ),
  slip(
    'kubernetes/website/pull/40525',
    'a `(` is not closed',
    validation("object.spec.template.spec.containers.filter(c, c.name == 'web').all(c, c.image.matches('^a')"),
  ),
  slip(
    'coreos/fedora-coreos-config/pull/3975',
    'this `)` has no matching `(`',
    validation("object.metadata.name.matches('^a'))) && true"),
  ),
  slip(
    'cel-expr/cel-go/issues/706',
    'CEL does not convert numbers: wrap the other one in `double(x)`',
    validation('0.3 * 3 > 1.0'),
  ),
  slip(
    'knative/eventing/pull/1047',
    'CEL has no assignment: compare with `==`',
    validation("object.kind = 'Deployment'"),
  ),
  slip(
    'open-policy-agent/frameworks/pull/352',
    'the policy has no `variables`',
    validation('variables.params.labels.all(l, l in object.metadata.labels)'),
  ),
  slip('kubernetes/website/pull/40054', 'did you mean `spec.replicas`?', validation('object.replicas > 1')),
  slip(
    'pfnet/kaptest/pull/16',
    'a string can only be joined with a string: wrap the other value in `string(x)`',
    message("'at most ' + variables.limit"),
  ),
  slip(
    'open-policy-agent/gatekeeper-library/pull/589',
    'a string can only be joined with a string: wrap the other value in `string(x)`',
    message("'the host network is ' + true"),
  ),
  slip('giantswarm/muster/pull/174', 'did you mean `self.spec.size`?', rule('self.size > 1')),
  slip(
    'kubeflow/trainer/issues/3154',
    'in metadata, rules see only `metadata.name` and `metadata.generateName`',
    rule('!has(self.metadata.namespace) || self.spec.size > 1'),
  ),
  slip(
    'envoyproxy/gateway/issues/4549',
    '`isCIDR` is available in Kubernetes 1.31 and later',
    rule('isCIDR(self.spec.range)'),
    '1.29',
  ),
  slip(
    'crossplane-contrib/provider-sql/issues/409',
    '`oldSelf` has `.hasValue()` only if the rule sets `optionalOldSelf: true`',
    rule('!oldSelf.hasValue() || self.spec.size > 1'),
  ),
  // Policies and bindings.
  slip('kubernetes/website/pull/38893', 'did you mean `policyName`?', binding('  policy: limit\n')),
  slip(
    'kubernetes/website/pull/38893',
    'did you mean `paramRef`?',
    binding('  policyName: limit\n  paramsRef: {name: limit, namespace: shop, parameterNotFoundAction: Deny}\n'),
  ),
  slip(
    'kubernetes/kubernetes/issues/130822',
    'write `parameterNotFoundAction: Deny` or `Allow`: the result for a request without a matching param',
    binding('  policyName: limit\n  paramRef: {name: limit, namespace: shop}\n'),
  ),
  slip(
    'kubernetes/kubernetes/pull/112883',
    'did you mean `paramRef`?',
    binding('  policyName: limit\n  paramName: limit\n'),
  ),
  slip(
    'kubernetes/kubernetes/pull/112883',
    'did you mean `paramKind`?',
    `${HEAD}  paramSource: {apiVersion: v1, kind: ConfigMap}\n  validations: [{expression: object.spec.replicas <= 3}]\n${BINDING}`,
  ),
  slip(
    'openshift/cluster-ingress-operator/pull/1547',
    'did you mean `reason`?',
    `${HEAD}  validations: [{expression: object.spec.replicas <= 3, statusReason: Invalid}]\n${BINDING}`,
  ),
  slip(
    'kyverno/kyverno/issues/15199',
    'a field of this name is in `spec`; the server drops it here',
    `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: team}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations:
    - expression: "'team' in object.metadata.labels"
      validationActions: [Deny]
`,
  ),
  slip(
    'kyverno/policies/pull/148',
    'a field of this name is in `spec.rules[0].validate`; the server drops it here',
    kyverno(`${MATCH}      message: name the team\n${VALIDATE}`),
  ),
  slip(
    'kyverno/kyverno/issues/1158',
    'unknown field "spec.rules[0].exclude.resources.label": remove the field',
    kyverno(`${MATCH}      exclude: {resources: {label: {app: web}}}\n${VALIDATE}`),
  ),
  slip(
    'kyverno/policies/issues/110',
    'unknown field "spec.rules[0].match.any[0].resources.kind": did you mean `kinds`?',
    kyverno(`      match: {any: [{resources: {kind: [ConfigMap]}}]}\n${VALIDATE}`),
  ),
  slip(
    'nirmata/kyverno-policies/issues/36',
    'did you mean `patchStrategicMerge`?',
    kyverno(`${MATCH}      mutate: {overlay: {metadata: {labels: {team: shop}}}}\n`),
  ),
  slip(
    'kyverno/kyverno/issues/4365',
    'a field of this name is in `spec.rules[0].match.all[0].resources`; the server drops it here',
    kyverno(
      `      match: {all: [{resources: {kinds: [ConfigMap]}, namespaceSelector: {matchLabels: {team: shop}}}]}\n${VALIDATE}`,
    ),
  ),
  slip(
    'kyverno/kyverno/pull/1068',
    'did you mean `validationFailureAction`?',
    kyverno(`${MATCH}${VALIDATE}`, '  validateFailureAction: Enforce\n'),
  ),
  slip(
    'kyverno/kyverno/issues/9228',
    'did you mean `request.object.metadata.name`?',
    kyverno(
      `${MATCH}      validate:
        message: too long
        deny: {conditions: {any: [{key: '{{ metadata.name }}', operator: Equals, value: web}]}}
`,
    ),
  ),
  slip(
    'open-cluster-management-io/policy-collection/pull/420',
    'apiVersion can not be empty',
    kyverno(`${MATCH}      generate: {kind: ConfigMap, name: copy, namespace: shop, data: {data: {a: b}}}\n`),
  ),
  slip(
    'kubernetes/website/pull/42219',
    'did you mean `namespace`?',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limit, namesapce: shop}\ndata: {limit: "3"}\n',
  ),
  // Objects.
  slip(
    'cloudfoundry/cf-for-k8s/pull/118',
    'a field with this name is in `spec.template.metadata`',
    deployment('', '    annotations: {team: shop}\n'),
  ),
  slip(
    'instrumenta/kubeval/issues/69',
    'did you mean `spec`?',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspecASDUWIUE: {replicas: 1}\n',
  ),
  slip(
    'kubernetes-sigs/kubectl-validate/pull/176',
    'did you mean `data`?',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limit}\ndatas: {limit: "3"}\n',
  ),
  slip(
    'splunk/observability-workshop/issues/77',
    'expected one object, not a list: remove the `-`',
    pod('', '      resources: [{requests: {cpu: 1}}]\n'),
  ),
  slip(
    'willthames/kubernetes-validate/issues/31',
    'a field with this name is in `spec.containers[0].resources`',
    pod('', '      resources:\n      requests: {cpu: 50m}\n'),
  ),
  slip(
    'kubernetes-up-and-running/examples/pull/13',
    'a field with this name is at the top of the object',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  spec: {restartPolicy: Never}\nspec: {containers: [{name: web, image: "web:1"}]}\n',
  ),
  slip(
    'dotnet/dotnet-docker/issues/5214',
    'a field with this name is in `spec.template.spec`',
    deployment('', '', '      containers: [{name: web}]\n'),
  ),
  slip(
    'ovh/cds/pull/3933',
    'a field with this name is in `spec.containers[0]`',
    pod('', '      ports:\n        - containerPort: 80\n          volumeMounts: [{name: a, mountPath: /a}]\n'),
  ),
  slip(
    'helm/helm/issues/5743',
    'a field with this name is in `spec.strategy`',
    deployment('  rollingUpdate: {maxUnavailable: 0}\n'),
  ),
  slip(
    'robbell/dotnet-aks-api-template/pull/3',
    'a field with this name is in `spec.containers[0]`',
    pod('', '      env:\n        - name: A\n          value: a\n          livenessProbe: {tcpSocket: {port: 80}}\n'),
  ),
  slip(
    'netobserv/netobserv-operator/pull/2586',
    'a field with this name is in `spec.template.spec`',
    deployment('  securityContext: {runAsNonRoot: true}\n'),
  ),
  slip(
    'codecentric/helm-charts/issues/738',
    'a field with this name is in `spec.containers[].securityContext`',
    pod('  securityContext: {allowPrivilegeEscalation: false}\n'),
  ),
  slip(
    'kubernetes/website/issues/19384',
    'a field with this name is in `spec.containers[].securityContext`',
    pod('  securityContext: {capabilities: {add: [NET_ADMIN]}}\n'),
  ),
  slip(
    'banzaicloud/banzai-charts/issues/855',
    'a field with this name is in `spec.securityContext`',
    pod('', '      securityContext: {fsGroup: 1000}\n'),
  ),
  slip('bmuschko/cka-study-guide/pull/14', 'a field with this name is in `spec`', `${pod('')}restartPolicy: Never\n`),
  slip(
    'splunk/splunk-connect-for-kubernetes/issues/429',
    'did you mean `imagePullSecrets`?',
    pod('  imagePullSecret: [{name: registry}]\n'),
  ),
  slip(
    'Dynatrace/dynatrace-operator/pull/7313',
    'did you mean `imagePullPolicy`?',
    pod('', '      pullPolicy: Always\n'),
  ),
  slip(
    'kyverno/policy-reporter/issues/466',
    'did you mean `labels`?',
    pod('').replace('namespace: shop', 'namespace: shop, label: {app: web}'),
  ),
  slip(
    'devfile/devworkspace-operator/pull/150',
    'a field with this name is in `metadata`',
    'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\nlabels: {app: web}\n',
  ),
  slip(
    'vmware-archive/kubeless-ui/issues/83',
    'without strict validation, the server keeps the last value',
    pod('', '      imagePullPolicy: Always\n      imagePullPolicy: Always\n'),
  ),
  // Values whose type is not obvious.
  slip(
    'konflux-ci/docs/pull/160',
    'expected a string, but `true` without quotes is a boolean: write `"true"`',
    pod('').replace('namespace: shop', 'namespace: shop, annotations: {example.com/on: true}'),
  ),
  slip(
    'jitsi-contrib/jitsi-helm/issues/167',
    'expected a string, but `true` without quotes is a boolean: write `"true"`',
    deployment('', '', '      annotations: {example.com/auto: true}\n'),
  ),
  slip(
    'cert-manager/cert-manager/issues/7557',
    'expected a string, but `true` without quotes is a boolean: write `"true"`',
    'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, annotations: {example.com/regional: true}}\n',
  ),
  slip(
    'maclof/kubernetes-client/issues/112',
    'expected a string, but `1` without quotes is a number: write `"1"`',
    pod('').replace('namespace: shop', 'namespace: shop, annotations: {key: 1}'),
  ),
  slip(
    'kubernetes-sigs/external-dns/pull/2521',
    'expected a string, but `60` without quotes is a number: write `"60"`',
    'apiVersion: v1\nkind: Service\nmetadata: {name: web, annotations: {example.com/ttl: 60}}\nspec: {ports: [{port: 80}]}\n',
  ),
  slip(
    'openshift/openshift-docs/pull/32730',
    'expected a boolean, but "false" in quotes is a string: write `false`',
    deployment('  paused: "false"\n'),
  ),
  slip(
    'helm/helm/issues/11562',
    'expected a string, but `14` without quotes is a number: write `"14"`',
    pod('', '      env: [{name: MAX_DAYS, value: 14}]\n'),
  ),
  slip(
    'kubernetes/kubernetes/issues/12889',
    'expected a string, but `80` without quotes is a number: write `"80"`',
    'apiVersion: v1\nkind: ReplicationController\nmetadata: {name: web}\nspec:\n  selector: {app: web}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: "web:1", env: [{name: PORT, value: 80}]}]}\n',
  ),
  slip(
    'grafana/k6-operator/pull/158',
    'did you mean `1000Mi`? valid units: `Ki`, `Mi`, `Gi`, `Ti` (powers of 1024); `k`, `M`, `G`, `T` (powers of 1000)',
    pod('', '      resources: {limits: {memory: 1000mi}}\n'),
  ),
  slip(
    'mlrun/mlrun/pull/779',
    'did you mean `1G`? valid units: `Ki`, `Mi`, `Gi`, `Ti` (powers of 1024); `k`, `M`, `G`, `T` (powers of 1000)',
    pod('', '      resources: {limits: {memory: 1g}}\n'),
  ),
  slip(
    'dynamical-org/reformatters/pull/158',
    'did you mean `6Gi`? valid units: `Ki`, `Mi`, `Gi`, `Ti` (powers of 1024); `k`, `M`, `G`, `T` (powers of 1000)',
    pod('', '      resources: {limits: {memory: 6GiB}}\n'),
  ),
];
