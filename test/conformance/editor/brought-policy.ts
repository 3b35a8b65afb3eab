// Policies that these tests add to a copy of a repository, for each of its kinds, with known answers to every request.

/** A kind with an added policy. */
export interface SpokenKind {
  readonly kind: string;
  readonly group: string;
  readonly resource: string;
  /** A field of `object` that is specific to the kind. */
  readonly field: string;
}

export const SPOKEN_KINDS: readonly SpokenKind[] = [
  { kind: 'Deployment', group: 'apps', resource: 'deployments', field: 'spec' },
  { kind: 'Service', group: '', resource: 'services', field: 'spec' },
  { kind: 'ConfigMap', group: '', resource: 'configmaps', field: 'data' },
  { kind: 'ServiceAccount', group: '', resource: 'serviceaccounts', field: 'automountServiceAccountToken' },
  { kind: 'Role', group: 'rbac.authorization.k8s.io', resource: 'roles', field: 'rules' },
  { kind: 'RoleBinding', group: 'rbac.authorization.k8s.io', resource: 'rolebindings', field: 'roleRef' },
  { kind: 'StatefulSet', group: 'apps', resource: 'statefulsets', field: 'spec' },
  { kind: 'CronJob', group: 'batch', resource: 'cronjobs', field: 'spec' },
  { kind: 'Namespace', group: '', resource: 'namespaces', field: 'spec' },
];

/** Relative to the repository root. */
export const BROUGHT_FOLDER = 'preadmit-conversations';
/** A label that no object has, so that each object is denied. */
export const WANTED_LABEL = 'conversations.example/wanted';
/** The label that the mutating policy adds. */
export const ADDED_LABEL = 'conversations.example/added';

export function policyName({ kind }: SpokenKind): string {
  return `spoken-${kind.toLowerCase()}`;
}

/** `names`: names of the objects that the policy matches; absent: all. */
export function broughtPolicy(spoken: SpokenKind, names: readonly string[] = []): string {
  const name = policyName(spoken);
  const only = names.length === 0 ? '' : `\n        resourceNames: ${JSON.stringify(names)}`;
  const rules = `
    resourceRules:
      - apiGroups: ['${spoken.group}']
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [${spoken.resource}]${only}`;
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-params
  namespace: default
  labels: { ${WANTED_LABEL}: 'yes' }
data:
  least: '0'
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:${rules}
  variables:
    - name: labels
      expression: "has(object.metadata.labels) ? object.metadata.labels : {}"
  validations:
    - expression: size(variables.labels) >= int(params.data.least)
    - expression: |-
        '${WANTED_LABEL}' in variables.labels
      messageExpression: "'has only ' + string(size(variables.labels)) + ' labels'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}-binding
spec:
  policyName: ${name}
  validationActions: [Deny]
  paramRef: { name: ${name}-params, namespace: default, parameterNotFoundAction: Deny }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: ${name}-mark
spec:
  matchConstraints:${rules}
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: |-
          Object{metadata: Object.metadata{labels: {'${ADDED_LABEL}': 'yes'}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: ${name}-mark
spec:
  policyName: ${name}-mark
`;
}
