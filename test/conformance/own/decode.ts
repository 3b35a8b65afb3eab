// Manifests of built-in kinds for this project's recording: valid ones, and copies with one altered field each.

export interface AskedManifest {
  readonly id: string;
  readonly manifest?: Json;
  readonly yaml?: string;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Path = readonly (string | number)[];

export function askedManifests(): readonly AskedManifest[] {
  const written = Object.entries(MANIFESTS).flatMap(([name, manifest]) => [
    { id: `${name}/as-written`, manifest },
    ...alterations(name, manifest),
  ]);
  const texts = Object.entries(TEXTS).map(([name, yaml]) => ({ id: `text/${name}`, yaml }));
  return [...written.map(({ id, manifest }) => ({ id, manifest: inOrder(manifest) })), ...texts];
}

/** Sorts keys, because kubectl sends them sorted. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key] ?? null)]));
}

/** Alterations of a field, used in turn. */
const ALTERATIONS: readonly { readonly name: string; readonly to: (value: Json) => Json }[] = [
  { name: 'null', to: () => null },
  { name: 'number', to: () => 7 },
  { name: 'string', to: () => 'text' },
  { name: 'list', to: (value) => [value] },
  { name: 'object', to: () => ({ odd: true }) },
  { name: 'bool', to: () => true },
  { name: 'fraction', to: () => 1.5 },
  { name: 'empty-string', to: () => '' },
  { name: 'empty-list', to: () => [] },
  { name: 'empty-object', to: () => ({}) },
  { name: 'zero', to: () => 0 },
  { name: 'false', to: () => false },
];

function alterations(name: string, manifest: Json): readonly { readonly id: string; readonly manifest: Json }[] {
  const paths = pathsOf(manifest).filter((path) => !['apiVersion', 'kind'].includes(String(path[0])));
  const values = paths.flatMap((path, index) =>
    [index, index + 5].map((turn) => {
      const alteration = ALTERATIONS[turn % ALTERATIONS.length] as (typeof ALTERATIONS)[number];
      return {
        id: `${name}/${path.join('.')}/${alteration.name}`,
        manifest: altered(manifest, path, (value) => alteration.to(value)),
      };
    }),
  );
  const objects = [[], ...paths].filter((path) => isObject(at(manifest, path)));
  const unknown = objects.map((path) => ({
    id: `${name}/${['', ...path].join('.')}/unknown-field`,
    manifest: altered(manifest, path, (value) => ({ ...(value as object), colour: 'red', Kind: 'x' })),
  }));
  const cases = paths.filter((_, index) => index % 6 === 0 && typeof paths[index]?.at(-1) === 'string');
  const spelt = cases.map((path) => ({
    id: `${name}/${path.join('.')}/upper-case`,
    manifest: altered(manifest, path.slice(0, -1), (value) => renamed(value, String(path.at(-1)))),
  }));
  return [...values, ...unknown, ...spelt];
}

function pathsOf(value: Json, path: Path = []): readonly Path[] {
  const own = path.length === 0 ? [] : [path];
  if (Array.isArray(value))
    return [...own, ...value.slice(0, 1).flatMap((item, index) => pathsOf(item, [...path, index]))];
  if (!isObject(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function altered(value: Json, path: Path, change: (value: Json) => Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? altered(item, rest, change) : item));
  const object = value as Readonly<Record<string, Json>>;
  return { ...object, [first]: altered(object[first] ?? null, rest, change) };
}

function renamed(value: Json, key: string): Json {
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    entries.map(([name, item]) => [name === key ? name[0]?.toUpperCase() + name.slice(1) : name, item]),
  );
}

function at(value: Json, path: Path): Json {
  return path.reduce(
    (current: Json, step) => (current as Readonly<Record<string | number, Json>>)[step] ?? null,
    value,
  );
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function manifestOf(apiVersion: string, kind: string, fields: { readonly [key: string]: Json }): Json {
  return { apiVersion, kind, metadata: { name: 'sample' }, ...fields };
}

const POD: Json = {
  containers: [
    {
      name: 'web',
      image: 'example.com/web:1',
      args: ['--port', '80'],
      env: [
        { name: 'MODE', value: 'live' },
        { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      ],
      ports: [{ containerPort: 80, name: 'http' }],
      resources: { limits: { cpu: '1000m', memory: '1024Mi' }, requests: { cpu: 1 } },
      livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
      securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] }, privileged: false },
      volumeMounts: [{ name: 'data', mountPath: '/data', readOnly: false }],
    },
  ],
  volumes: [{ name: 'data', emptyDir: { sizeLimit: '1.5Gi' } }],
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 0 }],
  hostNetwork: false,
  terminationGracePeriodSeconds: 0,
  priority: 0,
};

const TEMPLATE: Json = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } };
const SELECTOR: Json = {
  matchLabels: { app: 'web' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }],
};

const MANIFESTS: Readonly<Record<string, Json>> = {
  pod: manifestOf('v1', 'Pod', {
    metadata: {
      name: 'sample',
      namespace: 'shop',
      labels: { a: 'b' },
      annotations: { c: '' },
      creationTimestamp: '2024-02-29T01:02:03+01:00',
      finalizers: [],
      generation: 0,
    },
    spec: POD,
  }),
  configmap: manifestOf('v1', 'ConfigMap', { data: { a: 'b' }, binaryData: { c: 'aGVsbG8=' }, immutable: false }),
  secret: manifestOf('v1', 'Secret', { data: { a: 'aGVsbG8=' }, stringData: { b: 'c' }, type: 'Opaque' }),
  service: manifestOf('v1', 'Service', {
    spec: {
      ports: [
        { port: 80, targetPort: 'http', nodePort: 0 },
        { port: 81, targetPort: 8080 },
      ],
      selector: { app: 'web' },
      externalIPs: ['10.0.0.1'],
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } },
    },
  }),
  namespace: manifestOf('v1', 'Namespace', { spec: { finalizers: ['kubernetes'] } }),
  serviceaccount: manifestOf('v1', 'ServiceAccount', {
    automountServiceAccountToken: false,
    imagePullSecrets: [{ name: 'x' }],
  }),
  pvc: manifestOf('v1', 'PersistentVolumeClaim', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0.1Gi' } }, storageClassName: '' },
  }),
  pv: manifestOf('v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1e3' }, hostPath: { path: '/x' }, claimRef: { name: 'c' } },
  }),
  quota: manifestOf('v1', 'ResourceQuota', { spec: { hard: { pods: '10', 'requests.cpu': 1.5 } } }),
  limits: manifestOf('v1', 'LimitRange', {
    spec: { limits: [{ type: 'Container', default: { cpu: '500m' }, max: {} }] },
  }),
  node: manifestOf('v1', 'Node', {
    spec: { taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: '2024-01-01T00:00:00Z' }] },
    status: { capacity: { cpu: '4' }, nodeInfo: { kernelVersion: '6' } },
  }),
  endpoints: manifestOf('v1', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }),
  event: manifestOf('v1', 'Event', {
    involvedObject: { kind: 'Pod', name: 'x' },
    count: 0,
    eventTime: '2024-01-01T00:00:00.123456789Z',
    firstTimestamp: '2024-01-01T00:00:00Z',
    series: { count: 2 },
  }),
  deployment: manifestOf('apps/v1', 'Deployment', {
    spec: {
      replicas: 0,
      selector: SELECTOR,
      template: TEMPLATE,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      paused: false,
    },
  }),
  statefulset: manifestOf('apps/v1', 'StatefulSet', {
    spec: {
      serviceName: 'web',
      selector: SELECTOR,
      template: TEMPLATE,
      volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: { resources: { requests: { storage: '1Gi' } } } }],
      ordinals: { start: 0 },
    },
  }),
  daemonset: manifestOf('apps/v1', 'DaemonSet', {
    spec: { selector: {}, template: TEMPLATE, updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } },
  }),
  job: manifestOf('batch/v1', 'Job', {
    spec: {
      template: TEMPLATE,
      backoffLimit: 0,
      completions: 1,
      podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1, 2] } }] },
    },
  }),
  cronjob: manifestOf('batch/v1', 'CronJob', {
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: TEMPLATE } },
      suspend: false,
      startingDeadlineSeconds: 10,
    },
  }),
  ingress: manifestOf('networking.k8s.io/v1', 'Ingress', {
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
      tls: [{ hosts: ['a.example.com'], secretName: 't' }],
    },
  }),
  networkpolicy: manifestOf('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: {
      podSelector: {},
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: [] } }], ports: [{ port: 80, endPort: 90 }] }],
      policyTypes: ['Ingress'],
    },
  }),
  role: manifestOf('rbac.authorization.k8s.io/v1', 'Role', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  clusterrole: manifestOf('rbac.authorization.k8s.io/v1', 'ClusterRole', {
    aggregationRule: { clusterRoleSelectors: [SELECTOR] },
    rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }],
  }),
  rolebinding: manifestOf('rbac.authorization.k8s.io/v1', 'RoleBinding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [{ kind: 'User', name: 'alice' }],
  }),
  hpa: manifestOf('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
      minReplicas: 0,
      maxReplicas: 3,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80, averageValue: '0.5' } },
        },
      ],
      behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
    },
  }),
  pdb: manifestOf('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: '50%', selector: SELECTOR } }),
  storageclass: manifestOf('storage.k8s.io/v1', 'StorageClass', {
    provisioner: 'x',
    parameters: { type: 'ssd' },
    allowVolumeExpansion: true,
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'z', values: ['a'] }] }],
  }),
  csidriver: manifestOf('storage.k8s.io/v1', 'CSIDriver', {
    spec: { attachRequired: false, tokenRequests: [{ audience: '', expirationSeconds: 600 }] },
  }),
  priorityclass: manifestOf('scheduling.k8s.io/v1', 'PriorityClass', {
    value: 0,
    globalDefault: false,
    preemptionPolicy: 'Never',
  }),
  lease: manifestOf('coordination.k8s.io/v1', 'Lease', {
    spec: { holderIdentity: 'a', acquireTime: '2024-01-01T00:00:00.000001Z', leaseDurationSeconds: 15 },
  }),
  slice: manifestOf('discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: false } }],
    ports: [{ port: 0, name: '' }],
  }),
  webhook: manifestOf('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { caBundle: 'Cg==', service: { name: 's', namespace: 'n', port: 443 } },
        rules: [{ apiGroups: ['*'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  }),
  policy: manifestOf('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', {
    spec: {
      validations: [{ expression: 'true', reason: 'Invalid' }],
      matchConstraints: { resourceRules: [{ apiGroups: [''], resourceNames: ['x'] }] },
      auditAnnotations: [{ key: 'k', valueExpression: 'null' }],
    },
  }),
  binding: manifestOf('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', {
    spec: { policyName: 'p', validationActions: ['Deny'], paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } },
  }),
  mutatingpolicy: manifestOf('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy', {
    spec: { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[]' } }], reinvocationPolicy: 'Never' },
  }),
  flowschema: manifestOf('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
    spec: {
      matchingPrecedence: 0,
      priorityLevelConfiguration: { name: 'p' },
      rules: [{ subjects: [{ kind: 'Group', group: { name: 'g' } }] }],
    },
  }),
  runtimeclass: manifestOf('node.k8s.io/v1', 'RuntimeClass', {
    handler: 'runc',
    overhead: { podFixed: { cpu: '10m' } },
    scheduling: { nodeSelector: {} },
  }),
  deviceclass: manifestOf('resource.k8s.io/v1', 'DeviceClass', {
    spec: {
      selectors: [{ cel: { expression: 'true' } }],
      config: [{ opaque: { driver: 'd', parameters: { any: [1, 2.5, 'x'] } } }],
    },
  }),
  csr: manifestOf('certificates.k8s.io/v1', 'CertificateSigningRequest', {
    spec: { request: 'Cg==', signerName: 's', usages: ['client auth'], extra: { a: ['b'] } },
  }),
};

const QUANTITIES: readonly string[] = [
  '1000m',
  '0.5',
  '1',
  '1.5',
  '1e3',
  '1E3',
  '1Ei',
  '1.50Gi',
  '1024Mi',
  '1048576Ki',
  '100n',
  '0.0001',
  '-1',
  '+1',
  '1k',
  '1000k',
  '12e-3',
  '"1 Gi"',
  '1Gb',
  '""',
  '.5',
  '5.',
  '99999999999999999999',
  '0',
  '00',
  '1_000',
  'true',
  'null',
  '[1]',
  '{}',
];

const NUMBERS: readonly string[] = [
  '1',
  '1.0',
  '1.5',
  '1e1',
  '0x10',
  '010',
  '"1"',
  '2147483648',
  '-2147483649',
  '9223372036854775808',
  'yes',
  '-0',
  '-0.0',
];

const TIMES: readonly string[] = [
  '2024-01-01T00:00:00Z',
  '"2024-01-01T00:00:00.999Z"',
  '2024-01-01T00:00:00+14:00',
  '2024-01-01',
  '"2024-01-01 00:00:00"',
  '""',
  'null',
  '0',
  '2024-02-30T00:00:00Z',
  '"0001-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59Z"',
];

const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    QUANTITIES.map((quantity) => [
      `quantity/${quantity}`,
      `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec:\n  hard:\n    cpu: ${quantity}\n`,
    ]),
  ),
  ...Object.fromEntries(
    NUMBERS.flatMap((number) => [
      [`int32/${number}`, `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  replicas: ${number}\n`],
      [
        `int64/${number}`,
        `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  terminationGracePeriodSeconds: ${number}\n`,
      ],
      [
        `int-or-string/${number}`,
        `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec:\n  maxUnavailable: ${number}\n`,
      ],
      [`label/${number}`, `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: n\n  labels:\n    v: ${number}\n`],
      [
        `any/${number}`,
        `apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: d}\nspec: {config: [{opaque: {driver: d, parameters: {v: ${number}}}}]}\n`,
      ],
    ]),
  ),
  ...Object.fromEntries(
    TIMES.flatMap((time) => [
      [
        `time/${time}`,
        `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  creationTimestamp: ${time}\n  deletionTimestamp: ${time}\n`,
      ],
      [
        `micro-time/${time}`,
        `apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: l}\nspec:\n  renewTime: ${time}\n`,
      ],
    ]),
  ),
  'repeated-key': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  name: d\ndata:\n  a: "1"\n  a: "2"\n',
  'repeated-key-and-unknown-field': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  name: d\nextra: 1\n',
  'base64-folded': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: |\n    aGVs\n    bG8=\n',
  'base64-unpadded': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: aGVsbG8\n',
  'base64-url': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: _-__\n',
  'bytes-as-list': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: [104, 105]\n',
  'bytes-as-large-list': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: [256]\n',
  'empty-document-fields': 'apiVersion: v1\nkind: Pod\nmetadata:\nspec:\n',
  'list-of-kinds':
    'apiVersion: v1\nkind: ConfigMapList\nmetadata: {}\nitems:\n- metadata: {name: a}\n- data: {x: "1"}\n',
  'list-of-anything':
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n- {}\n',
  'pod-list-wrong': 'apiVersion: v1\nkind: PodList\nitems:\n  a: 1\n',
};
