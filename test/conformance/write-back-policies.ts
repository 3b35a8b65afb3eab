// Ten mutating policies for most kinds, in common styles.

const APPS = ['deployments', 'statefulsets', 'daemonsets'];
const POD = 'Object.spec.template.spec';

interface Mutated {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly patchType?: 'JSONPatch';
  readonly expression: string;
}

const MUTATIONS: Readonly<Record<string, Mutated>> = {
  team: {
    groups: ['*'],
    resources: ['*'],
    expression: 'Object{metadata: Object.metadata{labels: {"example.com/team": "shop"}}}',
  },
  note: {
    groups: ['*'],
    resources: ['*'],
    expression: 'Object{metadata: Object.metadata{annotations: {"example.com/note": "yes: # 1"}}}',
  },
  pull: {
    groups: ['apps'],
    resources: APPS,
    expression: inPod(
      `containers: object.spec.template.spec.containers.map(c, ${POD}.containers{name: c.name, imagePullPolicy: "Always"})`,
    ),
  },
  variable: {
    groups: ['apps'],
    resources: APPS,
    expression: inPod(
      `containers: object.spec.template.spec.containers.map(c, ${POD}.containers{name: c.name, env: [${POD}.containers.env{name: "TEAM", value: "shop"}]})`,
    ),
  },
  sidecar: {
    groups: ['apps'],
    resources: ['deployments'],
    expression: inPod(
      `initContainers: [${POD}.initContainers{name: "mesh-proxy", image: "mesh/proxy:v1", restartPolicy: "Always"}]`,
    ),
  },
  history: {
    groups: ['batch'],
    resources: ['cronjobs'],
    expression:
      'Object{spec: Object.spec{successfulJobsHistoryLimit: 5, jobTemplate: Object.spec.jobTemplate{spec: Object.spec.jobTemplate.spec{ttlSecondsAfterFinished: 600}}}}',
  },
  replicas: {
    groups: ['apps'],
    resources: ['deployments', 'statefulsets'],
    patchType: 'JSONPatch',
    expression:
      'has(object.spec.replicas) && object.spec.replicas < 2 ? [JSONPatch{op: "replace", path: "/spec/replicas", value: 2}] : []',
  },
  data: {
    groups: [''],
    resources: ['configmaps'],
    patchType: 'JSONPatch',
    expression: 'has(object.data) ? [JSONPatch{op: "add", path: "/data/zz-added", value: "one\\ntwo\\n"}] : []',
  },
  affinity: {
    groups: [''],
    resources: ['services'],
    expression: 'Object{spec: Object.spec{sessionAffinity: "ClientIP"}}',
  },
  finalizer: {
    groups: ['rbac.authorization.k8s.io'],
    resources: ['*'],
    expression: 'Object{metadata: Object.metadata{finalizers: ["example.com/kept"]}}',
  },
};

function inPod(fields: string): string {
  return `Object{spec: Object.spec{template: Object.spec.template{spec: ${POD}{${fields}}}}}`;
}

/** With their bindings. Failing expressions do not reject the object. */
export const WRITE_BACK_POLICIES = Object.entries(MUTATIONS)
  .flatMap(([name, { groups, resources, patchType = 'ApplyConfiguration', expression }]) => {
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const kind = 'MutatingAdmissionPolicy';
    const rule = { apiGroups: groups, apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources };
    const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    const spec = {
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'Never',
      matchConstraints: { resourceRules: [rule] },
      mutations: [{ patchType, [field]: { expression } }],
    };
    return [
      { apiVersion, kind, metadata: { name }, spec },
      { apiVersion, kind: `${kind}Binding`, metadata: { name }, spec: { policyName: name } },
    ];
  })
  .map((document) => JSON.stringify(document))
  .join('\n---\n');
