// Policies and requests of this project's recording: each part of a policy with its possible results, and each part of a request.

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json };
type Fields = { readonly [key: string]: Json };

export interface AskedDecision {
  readonly id: string;
  readonly kubernetes: string;
  readonly policy: Fields;
  readonly request: Fields;
  readonly params: Json;
  readonly namespaceObject: Json;
  readonly authorizer: 'allow' | 'deny';
}

interface Question {
  readonly spec: Fields;
  readonly request?: Fields;
  readonly params?: Json;
  readonly namespaceObject?: Json;
  readonly authorizer?: 'allow' | 'deny';
}

export function askedDecisions(): readonly AskedDecision[] {
  return Object.entries(GROUPS).flatMap(([name, questions]) =>
    questions.map(
      ({ spec, request = CREATE, params = null, namespaceObject = NAMESPACE, authorizer = 'deny' }, index) => ({
        id: `${name}/${index}`,
        kubernetes: '1.36',
        policy: {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'sample' },
          spec: { matchConstraints: ALL_DEPLOYMENTS, ...spec },
        },
        request,
        params,
        namespaceObject,
        authorizer,
      }),
    ),
  );
}

const DEPLOYMENT: Fields = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    labels: { app: 'web', tier: 'front' },
    annotations: { 'example.com/owner': 'team-a' },
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    strategy: {},
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'registry.example.com/web:1.2',
            resources: { limits: { cpu: '500m', memory: '1Gi' } },
            securityContext: { runAsNonRoot: true },
          },
          { name: 'log', image: 'docker.io/log:latest', resources: {} },
        ],
      },
    },
  },
  status: {},
};

const SCALED: Fields = { ...DEPLOYMENT, spec: { ...(DEPLOYMENT['spec'] as Fields), replicas: 9 } };

const POD: Fields = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'job', namespace: 'shop' },
  spec: {
    hostNetwork: true,
    containers: [{ name: 'a', image: 'a@sha256:0123', resources: {}, ports: [{ containerPort: 80, hostPort: 8080 }] }],
  },
  status: {},
};

const WIDGET: Fields = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec: {
    size: 2.5,
    count: 900719925474099,
    'max-size': 1,
    for: 'x',
    empty: {},
    list: [],
    nothing: null,
    mixed: [1, 'a', null, { b: [true] }],
  },
};

const NAMESPACE: Fields = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'shop',
    labels: { environment: 'production', 'kubernetes.io/metadata.name': 'shop' },
    annotations: { note: 'x' },
    creationTimestamp: '2024-01-01T00:00:00Z',
    ownerReferences: [],
  },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
};

const CONFIG: Fields = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'limits', namespace: 'shop' },
  data: { maxReplicas: '5', registries: 'registry.example.com,quay.io' },
};
const CONFIG_KIND: Fields = { apiVersion: 'v1', kind: 'ConfigMap' };

const ALICE: Fields = {
  username: 'alice',
  uid: 'u1',
  groups: ['developers', 'system:authenticated'],
  extra: { 'example.com/scopes': ['a', 'b'] },
};

function requestOf(object: Fields | null, resource: string, more: Fields = {}): Fields {
  const subject = (object ?? more['oldObject']) as Fields;
  const apiVersion = subject['apiVersion'] as string;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const metadata = (subject['metadata'] ?? {}) as Fields;
  return {
    kind: { group, version, kind: subject['kind'] },
    resource: { group, version, resource },
    name: metadata['name'],
    namespace: metadata['namespace'],
    operation: 'CREATE',
    userInfo: ALICE,
    object,
    oldObject: null,
    options: {
      apiVersion: 'meta.k8s.io/v1',
      kind: 'CreateOptions',
      fieldManager: 'kubectl',
      fieldValidation: 'Strict',
    },
    dryRun: false,
    ...more,
  };
}

const CREATE = requestOf(DEPLOYMENT, 'deployments');
const UPDATE = requestOf(SCALED, 'deployments', {
  operation: 'UPDATE',
  oldObject: DEPLOYMENT,
  options: { apiVersion: 'meta.k8s.io/v1', kind: 'UpdateOptions' },
});
const DELETE = requestOf(null, 'deployments', {
  operation: 'DELETE',
  oldObject: DEPLOYMENT,
  options: { apiVersion: 'meta.k8s.io/v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
});
const CREATE_POD = requestOf(POD, 'pods');
const CREATE_WIDGET = requestOf(WIDGET, 'widgets', { namespace: undefined });
const EXEC = requestOf(
  { apiVersion: 'v1', kind: 'PodExecOptions', command: ['sh'], container: 'a', stdin: true },
  'pods',
  { operation: 'CONNECT', subResource: 'exec', name: 'job', namespace: 'shop', options: null },
);
const SCALE = requestOf(
  {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 2 },
    status: { replicas: 0 },
  },
  'deployments',
  {
    operation: 'UPDATE',
    subResource: 'scale',
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    options: null,
  },
);
const GENERATED = requestOf({ ...POD, metadata: { generateName: 'job-', namespace: 'shop' } }, 'pods', {
  name: undefined,
});
const NEW_NAMESPACE = requestOf(
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'dev', labels: { environment: 'dev' } },
    spec: {},
    status: {},
  },
  'namespaces',
  { namespace: 'dev' },
);
const NEW_ROLE = requestOf(
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r', labels: { a: 'b' } },
    rules: null,
  },
  'clusterroles',
);

const REQUESTS: readonly Fields[] = [
  CREATE,
  UPDATE,
  DELETE,
  CREATE_POD,
  CREATE_WIDGET,
  EXEC,
  SCALE,
  GENERATED,
  NEW_NAMESPACE,
  NEW_ROLE,
];

const ALL_DEPLOYMENTS: Fields = {
  resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] }],
};

function validate(expression: string, more: Fields = {}, spec: Fields = {}): Fields {
  return { validations: [{ expression, ...more }], ...spec };
}

/** Expressions for each possible result of a validation. */
const OUTCOMES: readonly string[] = [
  'true',
  'false',
  'object.spec.replicas < 3',
  'object.spec.absent == 1',
  '1 / 0 == 1',
  'object.spec.replicas',
  'object.spec.replicas ==',
  'unknown == 1',
  "'text'",
  'dyn(1)',
];

const MESSAGES: readonly Fields[] = [
  {},
  { message: 'too many' },
  { message: '  spaces around  ' },
  { messageExpression: "'replicas: ' + string(object.spec.replicas)" },
  { message: 'written', messageExpression: "'computed'" },
  { message: 'written', messageExpression: "''" },
  { messageExpression: "'   '" },
  { message: 'written', messageExpression: "'two\\nlines'" },
  { messageExpression: "'two\\r\\nlines'" },
  { message: 'written', messageExpression: 'object.spec.absent' },
  { message: 'written', messageExpression: '1' },
  { messageExpression: 'unknown' },
  { messageExpression: "object.spec.absent + 'x'" },
  {
    messageExpression:
      "'x'.replace('x', '0123456789').split('').map(a, '0123456789').map(a, '0123456789'.split('').map(b, '0123456789').map(c, '0123456789'.split('').map(d, '0123456789').join('')).join('')).join('')",
  },
  { messageExpression: '  "trimmed"  ' },
  { messageExpression: "authorizer.path('/x').check('get').allowed() ? 'a' : 'b'" },
  { messageExpression: 'params.data.maxReplicas' },
  { messageExpression: "request.userInfo.username + ' in ' + namespaceObject.metadata.name" },
];

const REASONS: readonly (string | undefined)[] = [
  undefined,
  'Invalid',
  'Forbidden',
  'RequestEntityTooLarge',
  'Unauthorized',
];
const FAILURE_POLICIES: readonly Fields[] = [{}, { failurePolicy: 'Fail' }, { failurePolicy: 'Ignore' }];

const CONDITIONS: readonly (readonly string[])[] = [
  ['true'],
  ['false'],
  ['true', 'false'],
  ['object.spec.absent == 1'],
  ['object.spec.absent == 1', 'false'],
  ['true', 'object.spec.absent == 1', '1 / 0 == 1'],
  ['unknown == 1'],
  ["'text'"],
  ['variables.count > 1'],
  ['params.data.maxReplicas == "5"'],
  ['namespaceObject.metadata.name == "shop"'],
  ['namespaceObject == null'],
  ["request.userInfo.groups.exists(g, g == 'developers')"],
  ["authorizer.group('apps').resource('deployments').namespace('shop').check('delete').allowed()"],
  ["object.metadata.labels.tier == 'front'", '!has(object.metadata.labels.skip)'],
  ['oldObject == null'],
];

const VARIABLES: readonly (readonly [Fields[], string])[] = [
  [[{ name: 'count', expression: 'object.spec.replicas' }], 'variables.count > 5'],
  [
    [
      { name: 'count', expression: 'object.spec.replicas' },
      { name: 'twice', expression: 'variables.count * 2' },
    ],
    'variables.twice == 6',
  ],
  [
    [
      { name: 'twice', expression: 'variables.count * 2' },
      { name: 'count', expression: '1' },
    ],
    'variables.twice == 6',
  ],
  [[{ name: 'broken', expression: 'object.spec.absent' }], 'true'],
  [[{ name: 'broken', expression: 'object.spec.absent' }], 'variables.broken == 1'],
  [[{ name: 'broken', expression: '1 / 0' }], 'variables.broken == 1 || true'],
  [[{ name: 'wrong', expression: 'unknown' }], 'variables.wrong == 1'],
  [[{ name: 'wrong', expression: '1 +' }], 'true'],
  [
    [
      { name: 'a', expression: '1' },
      { name: 'a', expression: "'text'" },
    ],
    "variables.a == 'text'",
  ],
  [
    [
      { name: 'containers', expression: 'object.spec.template.spec.containers' },
      { name: 'bad', expression: "variables.containers.filter(c, c.image.endsWith(':latest'))" },
    ],
    'variables.bad.size() == 0',
  ],
  [
    [{ name: 'labels', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' }],
    "variables.labels['tier'] == 'back'",
  ],
  [[{ name: 'typed', expression: "{'a': [1, 2]}" }], 'variables.typed.a.exists(x, x == 3)'],
  [[{ name: 'typed', expression: "{'a': [1, 2]}" }], 'variables.typed.b == 1'],
  [[{ name: 'maybe', expression: 'object.?spec.?absent' }], 'variables.maybe.orValue(4) == 5'],
  [[{ name: 'none', expression: 'null' }], 'variables.none == null'],
  [
    [{ name: 'q', expression: 'quantity(object.spec.template.spec.containers[0].resources.limits.memory)' }],
    "variables.q.isLessThan(quantity('512Mi'))",
  ],
  [[], 'variables.missing == 1'],
  [[], 'variables == {}'],
  [[{ name: 'when', expression: "timestamp('2024-01-01T00:00:00Z')" }], 'variables.when.getFullYear() == 2025'],
  [[{ name: 'text', expression: "'a'" }], 'variables.text + 1 == 2'],
  [[{ name: 'in', expression: '1' }], 'variables.in == 1'],
  [[{ name: 'check', expression: "authorizer.path('/x').check('get').allowed()" }], 'variables.check'],
];

const ANNOTATIONS: readonly string[] = [
  "'value'",
  'null',
  "object.spec.replicas > 2 ? 'many' : null",
  'string(object.spec.replicas)',
  'object.spec.replicas',
  'object.spec.absent',
  'unknown',
  "''",
  "'  spaces  '",
  "'two\\nlines'",
  "dyn('dynamic')",
  'namespaceObject.metadata.labels.environment',
  "variables.owner + '!'",
  "lists.range(300).map(x, '0123456789012345678901234567890123456789').join('')",
];

const PARAM_EXPRESSIONS: readonly string[] = [
  'params == null',
  'params != null && object.spec.replicas <= int(params.data.maxReplicas)',
  "params.data.registries.split(',').exists(r, object.spec.template.spec.containers.all(c, c.image.startsWith(r)))",
  'has(params.data.absent)',
  'params.data.absent == 1',
  "params.metadata.namespace == 'shop'",
  "params.kind == 'ConfigMap'",
  'type(params) == map',
];

const REQUEST_EXPRESSIONS: readonly string[] = [
  "request.operation == 'CREATE'",
  "request.name == 'web'",
  'has(request.name)',
  "request.namespace == 'shop'",
  'has(request.namespace)',
  "request.kind.kind == 'Deployment'",
  'request.kind == request.requestKind',
  "request.resource.resource == 'pods' && request.resource.group == ''",
  'has(request.subResource)',
  "request.subResource == 'exec'",
  "request.requestSubResource == ''",
  'request.dryRun',
  "request.userInfo.username == 'bob'",
  "request.userInfo.uid == 'u1'",
  "'developers' in request.userInfo.groups",
  "request.userInfo.extra['example.com/scopes'].exists(s, s == 'c')",
  'has(request.options)',
  "request.options.kind == 'CreateOptions'",
  'has(request.options.fieldManager)',
  'has(request.object)',
  'request.uid == "x"',
  'object == null',
  'oldObject == null',
  'object == oldObject',
  'has(object.metadata.name)',
  'has(object.metadata.namespace)',
  'object.metadata.name.size() > 0',
  'namespaceObject == null',
  'has(namespaceObject.metadata.labels.environment)',
];

const NAMESPACE_EXPRESSIONS: readonly string[] = [
  "namespaceObject.metadata.labels['environment'] == 'production'",
  "namespaceObject.metadata.labels.absent == 'x'",
  'has(namespaceObject.metadata.annotations)',
  'has(namespaceObject.spec.finalizers)',
  "namespaceObject.status.phase == 'Active'",
  "namespaceObject.kind == 'Namespace'",
  'namespaceObject.metadata.ownerReferences.size() == 0',
  'namespaceObject.metadata.creationTimestamp < timestamp("2020-01-01T00:00:00Z")',
  "namespaceObject.metadata.UID == ''",
  'has(namespaceObject.metadata.uid)',
  'has(namespaceObject.metadata.finalizers)',
  'namespaceObject.status.conditions.size() == 0',
  'namespaceObject.metadata.generation == 0',
];

const AUTHORIZER_EXPRESSIONS: readonly string[] = [
  "authorizer.path('/healthz').check('get').allowed()",
  "authorizer.group('').resource('pods').namespace('shop').name('x').check('delete').allowed()",
  "authorizer.group('apps').resource('deployments').subresource('scale').check('update').reason() == ''",
  "authorizer.serviceAccount('shop', 'robot').group('').resource('secrets').check('get').allowed()",
  "authorizer.serviceAccount('Not Valid', 'robot').group('').resource('secrets').check('get').allowed()",
  "authorizer.requestResource.check('custom').allowed()",
  "authorizer.requestResource.check('custom').errored()",
  "authorizer.requestResource.check('custom').error() == ''",
  "authorizer.group('').resource('pods').fieldSelector('spec.nodeName=x').labelSelector('a=b').check('list').allowed()",
  "authorizer.group('').resource('pods').labelSelector('a in (').check('list').allowed()",
  "authorizer.path('').check('get').allowed()",
  "authorizer.group('').check('get')",
  'authorizer == authorizer',
];

/** Typical policies. */
const COMMON: readonly Fields[] = [
  validate("object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))", {
    message: 'name a version of every image',
  }),
  validate('object.spec.template.spec.containers.all(c, has(c.resources.limits) && has(c.resources.limits.memory))', {
    messageExpression:
      "'no memory limit: ' + object.spec.template.spec.containers.filter(c, !has(c.resources.limits)).map(c, c.name).join(', ')",
  }),
  validate('object.spec.template.spec.containers.all(c, has(c.securityContext) && c.securityContext.runAsNonRoot)', {
    reason: 'Forbidden',
  }),
  validate("has(object.metadata.labels) && 'app' in object.metadata.labels", { message: 'label app is required' }),
  validate("object.metadata.?annotations[?'example.com/owner'].orValue('').matches('^team-[a-z]+$')", {
    message: 'an owner is a team',
  }),
  validate('!has(object.spec.hostNetwork) || !object.spec.hostNetwork', { message: 'no host network' }),
  validate('object.spec.containers.all(c, c.image.contains("@sha256:"))'),
  validate('object.spec.containers.all(c, !has(c.ports) || c.ports.all(p, !has(p.hostPort) || p.hostPort == 0))', {
    messageExpression: "'host port ' + string(object.spec.containers[0].ports[0].hostPort)",
  }),
  validate('oldObject == null || object.spec.replicas <= oldObject.spec.replicas * 2', {
    messageExpression: "'from ' + string(oldObject.spec.replicas) + ' to ' + string(object.spec.replicas)",
  }),
  validate("object.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && object.metadata.name.size() <= 20"),
  validate("quantity(object.spec.template.spec.containers[0].resources.limits.cpu).compareTo(quantity('250m')) <= 0", {
    message: 'too much cpu',
  }),
  validate("request.operation != 'DELETE' || !('protected' in oldObject.metadata.labels)"),
  validate("object.spec['max-size'] == 1 && object.spec.for == 'x'"),
  validate('object.spec.size > 2 && object.spec.size < 3 && object.spec.count == 900719925474099'),
  validate('object.spec.nothing == null && object.spec.list == [] && object.spec.empty == {}'),
  validate('object.spec.mixed[3].b[0] && type(object.spec.mixed[1]) == string'),
  validate("object.command.exists(c, c == 'sh')", { message: 'no shells' }),
  validate("request.subResource != 'scale' || object.spec.replicas >= 3"),
  {
    validations: [
      { expression: 'true' },
      { expression: 'false', message: 'second' },
      { expression: 'object.x.y', message: 'third' },
      { expression: '1 == 1' },
      { expression: 'false', reason: 'Forbidden' },
    ],
  },
  { auditAnnotations: [{ key: 'name', valueExpression: 'object.metadata.name' }] },
];

function rule(more: Fields): Fields {
  return { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], ...more };
}

const CONSTRAINTS: readonly Fields[] = [
  { resourceRules: [rule({})] },
  { resourceRules: [rule({ resources: ['*/*'] })] },
  { resourceRules: [rule({ resources: ['pods', 'deployments/scale', 'pods/*'] })] },
  { resourceRules: [rule({ resources: ['*/exec'] })] },
  { resourceRules: [rule({ apiGroups: ['apps', ''], apiVersions: ['v1'] })] },
  { resourceRules: [rule({ apiVersions: ['v1beta1'] })] },
  { resourceRules: [rule({ operations: ['CREATE', 'CONNECT'] })] },
  { resourceRules: [rule({ scope: 'Cluster' })] },
  { resourceRules: [rule({ scope: 'Namespaced' })] },
  { resourceRules: [rule({ resourceNames: ['web'] })] },
  { resourceRules: [rule({ resourceNames: [] })], matchPolicy: 'Exact' },
  { resourceRules: [rule({})], excludeResourceRules: [rule({ resources: ['pods'] })] },
  { resourceRules: [rule({})], excludeResourceRules: [rule({ operations: ['DELETE'], resourceNames: ['web'] })] },
  { resourceRules: [rule({})], namespaceSelector: { matchLabels: { environment: 'production' } } },
  {
    resourceRules: [rule({})],
    namespaceSelector: { matchExpressions: [{ key: 'environment', operator: 'NotIn', values: ['production'] }] },
  },
  { resourceRules: [rule({})], namespaceSelector: { matchExpressions: [{ key: 'absent', operator: 'DoesNotExist' }] } },
  { resourceRules: [rule({})], objectSelector: { matchLabels: { app: 'web' } } },
  { resourceRules: [rule({})], objectSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } },
  { resourceRules: [rule({})], objectSelector: { matchExpressions: [{ key: 'app', operator: 'Near' }] } },
  {
    resourceRules: [rule({ resources: ['none'] })],
    objectSelector: { matchExpressions: [{ key: 'app', operator: 'In' }] },
  },
  { resourceRules: [] },
  {},
];

const GROUPS: Readonly<Record<string, readonly Question[]>> = {
  outcome: OUTCOMES.flatMap((expression) =>
    FAILURE_POLICIES.map((policy) => ({ spec: validate(expression, {}, policy) })),
  ),
  message: MESSAGES.flatMap((message) => [
    { spec: validate('false', message) },
    {
      spec: validate('object.spec.replicas > 99', message, { failurePolicy: 'Ignore', paramKind: CONFIG_KIND }),
      params: CONFIG,
    },
    { spec: validate('object.spec.absent', message) },
  ]),
  'message-of-expression': [
    '  false  ',
    'false // why',
    '!(\n  true\n)',
    "object.spec.replicas > 3 &&\n  object.metadata.name == 'x'\n",
  ].map((expression) => ({ spec: validate(expression) })),
  reason: REASONS.flatMap((reason) =>
    ['false', 'object.spec.absent', 'true'].map((expression) => ({
      spec: validate(expression, { reason, message: 'why' }),
    })),
  ),
  condition: CONDITIONS.flatMap((conditions) =>
    FAILURE_POLICIES.map((policy) => ({
      spec: validate(
        'false',
        { message: 'reached' },
        {
          ...policy,
          paramKind: CONFIG_KIND,
          variables: [{ name: 'count', expression: '1' }],
          matchConditions: conditions.map((expression, index) => ({ name: `condition-${index}`, expression })),
        },
      ),
      params: CONFIG,
    })),
  ),
  variable: VARIABLES.flatMap(([variables, expression]) => [
    { spec: validate(expression, { messageExpression: "'message'" }, { variables }) },
    { spec: validate(expression, {}, { variables, failurePolicy: 'Ignore' }), request: UPDATE },
  ]),
  annotation: ANNOTATIONS.flatMap((valueExpression) =>
    FAILURE_POLICIES.map((policy) => ({
      spec: {
        ...policy,
        variables: [{ name: 'owner', expression: "object.metadata.annotations['example.com/owner']" }],
        auditAnnotations: [
          { key: 'first', valueExpression },
          { key: 'second', valueExpression: "'always'" },
        ],
      },
    })),
  ),
  params: PARAM_EXPRESSIONS.flatMap((expression) => [
    { spec: validate(expression, {}, { paramKind: CONFIG_KIND }), params: CONFIG },
    { spec: validate(expression, {}, { paramKind: CONFIG_KIND }) },
    { spec: validate(expression) },
  ]),
  request: REQUEST_EXPRESSIONS.flatMap((expression, index) =>
    REQUESTS.filter((_, turn) => (turn + index) % 3 === 0).map((request) => ({
      spec: validate(expression),
      request,
      namespaceObject: request['namespace'] === undefined ? null : NAMESPACE,
    })),
  ),
  namespace: NAMESPACE_EXPRESSIONS.flatMap((expression) => [
    { spec: validate(expression) },
    { spec: validate(expression), request: NEW_ROLE, namespaceObject: null },
  ]),
  authorizer: AUTHORIZER_EXPRESSIONS.flatMap((expression) =>
    (['allow', 'deny'] as const).map((authorizer) => ({ spec: validate(expression), authorizer })),
  ),
  common: COMMON.flatMap((spec, index) =>
    REQUESTS.filter((_, turn) => turn < 5 || (turn + index) % 4 === 0).map((request) => ({
      spec,
      request,
      namespaceObject: request['namespace'] === undefined ? null : NAMESPACE,
    })),
  ),
  match: CONSTRAINTS.flatMap((matchConstraints) =>
    REQUESTS.map((request) => ({
      spec: { matchConstraints, validations: [{ expression: 'true' }] },
      request,
      namespaceObject: request['namespace'] === undefined || request === NEW_NAMESPACE ? null : NAMESPACE,
    })),
  ),
  budget: [
    { spec: validate('lists.range(300).all(x, lists.range(300).all(y, lists.range(9).all(z, true)))') },
    {
      spec: {
        validations: Array(3).fill({ expression: 'lists.range(500).map(x, lists.range(100).size()).size() == 1' }),
      },
    },
  ],
};
