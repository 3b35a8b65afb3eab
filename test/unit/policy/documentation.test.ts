// The samples of the Kubernetes documentation page "Validating Admission Policy", with Preadmit's own fixtures.
import { describe, expect, it } from 'vitest';
import {
  ask,
  binding,
  customResource,
  diagnosticsOf,
  type Json,
  namespaceObject,
  policy,
  review,
  reviewOf,
} from '../../support/review.ts';

const deployments = {
  resourceRules: [
    { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] },
  ],
};
const deployment = (name: string, namespace: string, fields: Json = {}) =>
  reviewOf('apps/v1 Deployment deployments', {
    name,
    namespace,
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace, ...fields.metadata },
      spec: { replicas: 1, template: { spec: { containers: [{ name, image: 'web' }] } }, ...fields.spec },
    },
  });
const test = namespaceObject('acceptance', { environment: 'test' });
const prod = namespaceObject('shop', { environment: 'prod' });
const inTest = { matchResources: { namespaceSelector: { matchLabels: { environment: 'test' } } } };

const bound = (policyName: string, spec: Json = {}, name = `${policyName}.binding`) =>
  binding({ policyName, ...spec }, name);
const denied = (policyName: string, message: string, bindingName = `${policyName}.binding`) =>
  `ValidatingAdmissionPolicy '${policyName}' with binding '${bindingName}' denied request: ${message}`;

describe('a first policy', () => {
  const objects = [
    policy(
      {
        failurePolicy: 'Fail',
        matchConstraints: deployments,
        validations: [{ expression: 'object.spec.replicas <= 5' }],
      },
      'few-replicas',
    ),
    bound('few-replicas', inTest),
    test,
    prod,
  ];
  it('denies in the namespaces that the binding selects', () => {
    expect(ask(objects, deployment('web', 'acceptance', { spec: { replicas: 6 } })).response.status?.message).toBe(
      `deployments.apps "web" is forbidden: ${denied('few-replicas', 'failed expression: object.spec.replicas <= 5')}`,
    );
  });
  it.each([
    ['what passes', deployment('web', 'acceptance', { spec: { replicas: 5 } })],
    ['another environment', deployment('web', 'shop', { spec: { replicas: 6 } })],
    ['another kind', review({ namespace: 'acceptance' })],
  ])('allows %s', (_, request) => {
    expect(ask(objects, request).response).toEqual({ uid: 'uid', allowed: true });
  });
  it('has no effect without a binding', () => {
    expect(ask(objects.slice(0, 1), deployment('web', 'acceptance', { spec: { replicas: 6 } })).response.allowed).toBe(
      true,
    );
  });
});

describe('validation actions', () => {
  const failing = policy(
    { matchConstraints: deployments, validations: [{ expression: 'false', message: 'never' }] },
    'never',
  );
  it('Warn and Audit', () => {
    const { response } = ask(
      [failing, bound('never', { validationActions: ['Warn', 'Audit'] })],
      deployment('web', 'shop'),
    );
    expect(response).toMatchObject({
      allowed: true,
      warnings: ["Validation failed for ValidatingAdmissionPolicy 'never' with binding 'never.binding': never"],
      auditAnnotations: {
        'validation.policy.admission.k8s.io/validation_failure': expect.stringContaining('"message":"never"'),
      },
    });
  });
  it('Deny and Warn exclude each other', () => {
    expect(diagnosticsOf([failing, bound('never', { validationActions: ['Deny', 'Warn'] })])).toEqual([
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ]);
  });
  it('no action enforces errors that failurePolicy Ignore ignores', () => {
    const broken = policy(
      { failurePolicy: 'Ignore', matchConstraints: deployments, validations: [{ expression: 'object.nothing == 1' }] },
      'never',
    );
    expect(
      ask([broken, bound('never', { validationActions: ['Warn', 'Audit'] })], deployment('web', 'shop')).response,
    ).toEqual({ uid: 'uid', allowed: true });
  });
});

describe('parameter resources', () => {
  const kind = { apiVersion: 'example.com/v1', kind: 'Limit' };
  const limit = (name: string, namespace: string, fields: Json, labels: Json = {}) => ({
    ...kind,
    metadata: { name, namespace, labels },
    ...fields,
  });
  const limited = policy(
    {
      paramKind: kind,
      matchConstraints: deployments,
      validations: [{ expression: 'object.spec.replicas <= params.maxReplicas', reason: 'Invalid' }],
    },
    'limited',
  );
  const cluster = [customResource('Limit', 'Namespaced', ['v1']), test, prod];
  const ref = (fields: Json) => ({ paramRef: { parameterNotFoundAction: 'Deny', ...fields } });
  const replicas = (count: number, namespace: string) => deployment('web', namespace, { spec: { replicas: count } });

  it('one binding for test namespaces, another for all others', () => {
    const elsewhere = { matchExpressions: [{ key: 'environment', operator: 'NotIn', values: ['test'] }] };
    const objects = [
      ...cluster,
      limited,
      bound('limited', { ...inTest, ...ref({ name: 'small', namespace: 'platform' }) }, 'in-test'),
      bound(
        'limited',
        { matchResources: { namespaceSelector: elsewhere }, ...ref({ name: 'large', namespace: 'platform' }) },
        'elsewhere',
      ),
      limit('small', 'platform', { maxReplicas: 3 }),
      limit('large', 'platform', { maxReplicas: 100 }),
    ];
    const message = (request: Json) => ask(objects, request).response.status?.details.causes[0].message;
    expect(message(replicas(3, 'acceptance'))).toBeUndefined();
    expect(message(replicas(4, 'acceptance'))).toBe(
      denied('limited', 'failed expression: object.spec.replicas <= params.maxReplicas', 'in-test'),
    );
    expect(message(replicas(100, 'shop'))).toBeUndefined();
    expect(message(replicas(101, 'shop'))).toBe(
      denied('limited', 'failed expression: object.spec.replicas <= params.maxReplicas', 'elsewhere'),
    );
  });
  it('params is null when none are bound', () => {
    const checked = policy(
      {
        paramKind: kind,
        validations: [{ expression: 'params != null', message: 'params missing but required to bind to this policy' }],
      },
      'limited',
    );
    expect(ask([...cluster, checked, bound('limited')], review()).decisions[0]?.message).toBe(
      'params missing but required to bind to this policy',
    );
  });
  it.each([
    [{}, true],
    [{ optionalNumber: 4 }, false],
    [{ optionalNumber: 5 }, true],
    [{ optionalNumber: 10 }, true],
    [{ optionalNumber: 11 }, false],
  ])('optional parameters: %j', (fields, allowed) => {
    const optional = policy(
      {
        paramKind: kind,
        validations: [
          { expression: '!has(params.optionalNumber) || (params.optionalNumber >= 5 && params.optionalNumber <= 10)' },
        ],
      },
      'limited',
    );
    const objects = [
      ...cluster,
      optional,
      bound('limited', ref({ name: 'numbers' })),
      limit('numbers', 'shop', fields),
    ];
    expect(ask(objects, review()).response.allowed).toBe(allowed);
  });
  it('per-namespace parameters', () => {
    const objects = [
      ...cluster,
      limited,
      bound('limited', ref({ name: 'limit' })),
      limit('limit', 'shop', { maxReplicas: 5 }),
      limit('limit', 'acceptance', { maxReplicas: 2 }),
    ];
    expect(ask(objects, replicas(3, 'shop')).response.allowed).toBe(true);
    expect(ask(objects, replicas(3, 'acceptance')).response.allowed).toBe(false);
  });
  it('a selector: the policy is evaluated for each and all must pass', () => {
    const objects = [
      ...cluster,
      limited,
      bound('limited', ref({ selector: { matchLabels: { use: 'yes' } } })),
      limit('a', 'shop', { maxReplicas: 9 }, { use: 'yes' }),
      limit('b', 'shop', { maxReplicas: 2 }, { use: 'yes' }),
      limit('c', 'shop', { maxReplicas: 1 }),
    ];
    const { decisions, response } = ask(objects, replicas(3, 'shop'));
    expect(decisions.map(({ param, action }) => [param?.name, action])).toEqual([
      ['a', 'admit'],
      ['b', 'deny'],
    ]);
    expect(response.allowed).toBe(false);
  });
  it('message expression', () => {
    const validations = [
      {
        expression: 'object.spec.replicas <= params.maxReplicas',
        messageExpression: "'object.spec.replicas must be no greater than ' + string(params.maxReplicas)",
        reason: 'Invalid',
      },
    ];
    const objects = [
      ...cluster,
      policy({ paramKind: kind, matchConstraints: deployments, validations }, 'limited'),
      bound('limited', ref({ name: 'limit' })),
      limit('limit', 'shop', { maxReplicas: 3 }),
    ];
    expect(ask(objects, replicas(5, 'shop')).response.status?.message).toBe(
      `deployments.apps "web" is forbidden: ${denied('limited', 'object.spec.replicas must be no greater than 3')}`,
    );
  });
});

describe('variables of expressions', () => {
  it.each([
    ['CREATE', review(), 'object != null && oldObject == null && namespaceObject != null'],
    ['DELETE', review({ operation: 'DELETE', object: null, oldObject: {} }), 'object == null && oldObject != null'],
    ['a cluster-scoped object', reviewOf('v1 Node nodes', { namespace: '' }), 'namespaceObject == null'],
    ['the page says only names; all metadata is there', review(), "object.metadata.namespace == 'shop'"],
    ['the page speaks of list types; without a schema lists are lists', review(), '[1, 2] != [2, 1]'],
  ])('%s', (_, request, expression) => {
    expect(ask([policy({ validations: [{ expression }] }), binding()], request).response.allowed).toBe(true);
  });
});

describe('failure policy', () => {
  it.each([
    ['Ignore', true],
    ['Fail', false],
  ])('%s', (failurePolicy, allowed) => {
    const objects = [
      policy({ failurePolicy, validations: [{ expression: 'object.spec.xyz == 1' }] }, 'broken'),
      bound('broken'),
    ];
    expect(ask(objects, review()).response.allowed).toBe(allowed);
  });
});

describe('validation expression examples', () => {
  it.each<[string, Json, Json]>([
    [
      'object.minReplicas <= object.replicas && object.replicas <= object.maxReplicas',
      { minReplicas: 1, replicas: 2, maxReplicas: 3 },
      { minReplicas: 1, replicas: 4, maxReplicas: 3 },
    ],
    ["'Available' in object.stateCounts", { stateCounts: { Available: 1 } }, { stateCounts: {} }],
    ['(size(object.list1) == 0) != (size(object.list2) == 0)', { list1: [1], list2: [] }, { list1: [1], list2: [2] }],
    [
      "!('MY_KEY' in object.map1) || object.map1['MY_KEY'].matches('^[a-zA-Z]*$')",
      { map1: { MY_KEY: 'abc' } },
      { map1: { MY_KEY: 'a1' } },
    ],
    [
      "object.envars.filter(e, e.name == 'MY_ENV').all(e, e.value.matches('^[a-zA-Z]*$'))",
      {
        envars: [
          { name: 'MY_ENV', value: 'abc' },
          { name: 'OTHER', value: '1' },
        ],
      },
      { envars: [{ name: 'MY_ENV', value: '1' }] },
    ],
    [
      'has(object.expired) && timestamp(object.created) + duration(object.ttl) < timestamp(object.expired)',
      { created: '2024-01-01T00:00:00Z', ttl: '1h', expired: '2024-01-01T02:00:00Z' },
      { created: '2024-01-01T00:00:00Z', ttl: '3h', expired: '2024-01-01T02:00:00Z' },
    ],
    [
      'has(object.expired) && object.created + object.ttl < object.expired',
      { created: 1, ttl: 2, expired: 4 },
      { created: 1, ttl: 3, expired: 4 },
    ],
    ["object.health.startsWith('ok')", { health: 'ok, mostly' }, { health: 'bad' }],
    [
      "object.widgets.exists(w, w.key == 'x' && w.foo < 10)",
      { widgets: [{ key: 'x', foo: 9 }] },
      { widgets: [{ key: 'x', foo: 10 }] },
    ],
    ["type(object.value) == string ? object.value == '100%' : object.value == 1000", { value: '100%' }, { value: 100 }],
    ["type(object.value) == string ? object.value == '100%' : object.value == 1000", { value: 1000 }, { value: '99%' }],
    ['object.metadata.name.startsWith(object.prefix)', { prefix: 'set' }, { prefix: 'web' }],
    ['object.set1.all(e, !(e in object.set2))', { set1: ['a'], set2: ['b'] }, { set1: ['a'], set2: ['a'] }],
    [
      'size(object.names) == size(object.details) && object.names.all(n, n in object.details)',
      { names: ['a'], details: { a: 1 } },
      { names: ['a'], details: { b: 1 } },
    ],
    [
      'size(object.clusters.filter(c, c.name == object.primary)) == 1',
      { clusters: [{ name: 'a' }], primary: 'a' },
      { clusters: [{ name: 'a' }, { name: 'a' }], primary: 'a' },
    ],
  ])('%s', (expression, holds, fails) => {
    const allowed = (fields: Json) => {
      const object = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'settings' }, ...fields };
      const { decisions } = ask([policy({ validations: [{ expression }] }), binding()], review({ object }));
      return decisions.map(({ evaluation }) => evaluation);
    };
    expect([allowed(holds), allowed(fails)]).toEqual([['admit'], ['deny']]);
  });
});

describe('match conditions', () => {
  const objects = [
    policy(
      {
        matchConditions: [
          {
            name: 'exclude-leases',
            expression: "!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')",
          },
          { name: 'exclude-kubelet-requests', expression: "!('system:nodes' in request.userInfo.groups)" },
          { name: 'rbac', expression: "request.resource.group != 'rbac.authorization.k8s.io'" },
        ],
        validations: [{ expression: "!object.metadata.name.contains('demo') || object.metadata.namespace == 'demo'" }],
      },
      'demo',
    ),
    bound('demo'),
  ];
  const demo = { metadata: { name: 'demo-1', namespace: 'shop' } };
  it.each<[string, Json, boolean]>([
    ['asked', review({ object: demo }), false],
    ['a Lease', reviewOf('coordination.k8s.io/v1 Lease leases', { object: demo }), true],
    ['a kubelet', review({ object: demo, userInfo: { username: 'system:node:a', groups: ['system:nodes'] } }), true],
    ['RBAC', reviewOf('rbac.authorization.k8s.io/v1 Role roles', { object: demo }), true],
    ['in the namespace for it', review({ object: { metadata: { name: 'demo-1', namespace: 'demo' } } }), true],
    ['an error, as the user has no groups', review({ object: demo, userInfo: { username: 'a' } }), false],
  ])('%s', (_, request, allowed) => {
    expect(ask(objects, request).response.allowed).toBe(allowed);
  });
});

it.each([
  [128, { 'many/high-replica-count': 'Deployment spec.replicas set to 128' }],
  [50, undefined],
])('audit annotations: %i replicas', (replicas, expected) => {
  const valueExpression =
    "object.spec.replicas > 50 ? 'Deployment spec.replicas set to ' + string(object.spec.replicas) : ''";
  const objects = [
    policy(
      {
        matchConstraints: deployments,
        validations: [],
        auditAnnotations: [{ key: 'high-replica-count', valueExpression }],
      },
      'many',
    ),
    bound('many'),
  ];
  expect(ask(objects, deployment('web', 'shop', { spec: { replicas } })).response).toEqual({
    uid: 'uid',
    allowed: true,
    ...(expected && { auditAnnotations: expected }),
  });
});

describe('variable composition', () => {
  const objects = [
    policy(
      {
        failurePolicy: 'Fail',
        matchConstraints: deployments,
        variables: [
          {
            name: 'environment',
            expression:
              "'environment' in namespaceObject.metadata.labels ? namespaceObject.metadata.labels['environment'] : 'prod'",
          },
          {
            name: 'exempt',
            expression:
              "has(object.metadata.labels) && 'exempt' in object.metadata.labels && object.metadata.labels['exempt'] == 'true'",
          },
          { name: 'containers', expression: 'object.spec.template.spec.containers' },
          { name: 'containersToCheck', expression: "variables.containers.filter(c, c.image.contains('example.com/'))" },
        ],
        validations: [
          {
            expression:
              "variables.exempt || variables.containersToCheck.all(c, c.image.startsWith(variables.environment + '.'))",
            messageExpression:
              "'only ' + variables.environment + ' images are allowed in namespace ' + namespaceObject.metadata.name",
          },
        ],
      },
      'images',
    ),
    bound('images'),
    prod,
  ];
  const image = (text: string, metadata: Json = {}) =>
    deployment('invalid', 'shop', {
      metadata,
      spec: { template: { spec: { containers: [{ name: 'a', image: text }] } } },
    });
  it('rejects the example that the page rejects', () => {
    expect(ask(objects, image('dev.example.com/nginx')).response.status?.message).toBe(
      `deployments.apps "invalid" is forbidden: ${denied('images', 'only prod images are allowed in namespace shop')}`,
    );
  });
  it.each([
    ['images of the environment', image('prod.example.com/nginx')],
    ['images of others', image('nginx')],
    ['exempt objects', image('dev.example.com/nginx', { labels: { exempt: 'true' } })],
  ])('accepts %s', (_, request) => {
    expect(ask(objects, request).response.allowed).toBe(true);
  });
  it.each([
    [{ foo: 'bar' }, true],
    [{ foo: 'other' }, false],
    [{}, false],
  ])('a label or its default: %j', (labels, allowed) => {
    const variables = [
      {
        name: 'foo',
        expression: "'foo' in object.spec.metadata.labels ? object.spec.metadata.labels['foo'] : 'default'",
      },
    ];
    const labelled = [policy({ variables, validations: [{ expression: "variables.foo == 'bar'" }] }), binding()];
    const object = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: {}, spec: { metadata: { labels } } };
    expect(ask(labelled, review({ object })).response.allowed).toBe(allowed);
  });
  it('a variable sees only earlier variables', () => {
    const variables = [
      { name: 'a', expression: 'variables.b' },
      { name: 'b', expression: '1' },
    ];
    expect(
      diagnosticsOf([policy({ variables, validations: [{ expression: 'variables.a == 1' }] }), binding()]),
    ).toEqual(["undefined field 'b'"]);
  });
});

it('type checking does not affect evaluation', () => {
  const objects = [
    policy(
      { matchConstraints: deployments, validations: [{ expression: 'object.replicas > 1', message: 'more' }] },
      'typo',
    ),
    bound('typo'),
  ];
  expect(ask(objects, deployment('web', 'shop')).decisions[0]?.message).toBe(
    "expression 'object.replicas > 1' resulted in error: no such key: replicas",
  );
});
