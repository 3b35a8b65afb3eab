// Policies of this project's recording, type-checked against the project's own schemas in openapi/.

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json };
type Fields = { readonly [key: string]: Json };

export interface AskedTypeCheck {
  readonly id: string;
  readonly kubernetes: string;
  readonly policy: Fields;
}

export function askedTypeChecks(): readonly AskedTypeCheck[] {
  return Object.entries(GROUPS).flatMap(([name, specs]) =>
    specs.map((spec, index) => ({
      id: `${name}/${index}`,
      kubernetes: '1.36',
      policy: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'sample' },
        spec,
      },
    })),
  );
}

function on(group: string, resources: readonly string[], versions: readonly string[] = ['v1']): Fields {
  return { resourceRules: [{ apiGroups: [group], apiVersions: versions, operations: ['*'], resources }] };
}

const DEPLOYMENTS = on('apps', ['deployments']);
const PODS = on('', ['pods']);
const JOBS = on('batch', ['jobs']);

function check(matchConstraints: Fields, expression: string, more: Fields = {}): Fields {
  return { matchConstraints, validations: [{ expression }], ...more };
}

const GROUPS: Readonly<Record<string, readonly Fields[]>> = {
  field: [
    'object.spec.replicas > 1',
    'object.spec.replica > 1',
    'object.spec.replicas',
    "object.spec.replicas == '1'",
    'object.spec.replicas == 1.0',
    'object.spec.replicas == 1u',
    'object.spec.replicas + 1.5 > 2.0',
    "object.spec.replicas.startsWith('1')",
    'object.spec.paused',
    'object.spec.paused == 1',
    'object.metadata.name.size() > 3',
    'object.metadata.nam == ""',
    "object.metadata.labels.app == 'web'",
    "object.metadata.labels['app'] == 1",
    "object.metadata.labels[1] == 'x'",
    "'app' in object.metadata.labels",
    '1 in object.metadata.labels',
    "object.metadata['name'] == 'x'",
    "object['metadata'].name == 'x'",
    'object.metadata.creationTimestamp.getFullYear() > 2000',
    "object.metadata.creationTimestamp == '2024'",
    "object.metadata.creationTimestamp < timestamp('2024-01-01T00:00:00Z')",
    'has(object.spec.strategy.rollingUpdate)',
    'has(object.spec.strategy.rolling)',
    'has(object.spek)',
    'has(object.status)',
    'object.status.replicas == 1',
    "object.kind == 'Deployment'",
    'object.apiVersion == 1',
    'object == null',
    'oldObject == null',
    'oldObject.spec.replicas == object.spec.replicas',
    'oldObject.spec.absent == 1',
    'object == oldObject',
    'object.spec == oldObject.spec',
    'object.spec == object.metadata',
    'object.spec.strategy.rollingUpdate.maxSurge == 1',
    "object.spec.strategy.rollingUpdate.maxSurge == '25%'",
    'object.spec.strategy.rollingUpdate.maxSurge > 1',
    'object.spec.max__dash__size == 1',
    "object.spec['max-size'] == 1",
    "object.spec.__in__ == 'x'",
    'object.spec.in == "x"',
    "object.spec.x__dot__y__slash__z == 'x'",
    "object.spec._odd == 'x'",
    'type(object.spec.replicas) == int',
    'object.?spec.?replicas.orValue(1) > 1',
    "object.?spec.?replicas.orValue('a') == 'a'",
    'object.spec.?absent.hasValue()',
    'dyn(object).spec.absent == 1',
    'object.spec.selector.matchExpressions.exists(e, e.operator == "In" && "a" in e.values)',
    'object.spec.selector.matchExpressions.exists(e, e.operator == 1)',
    'object.spec.selector.matchLabels.all(k, k.size() > 1)',
    'object.spec.selector.matchLabels.all(k, v, v.size() > 1)',
    'object.spec.selector.matchLabels.all(k, k > 1)',
    'unknown.spec == 1',
    'object.spec.replicas == 1 && object.a == 2 || object.b == 3',
    'object.',
    '',
    'true',
    "object.metadata.ownerReferences.all(o, o.controller || o.uid == '')",
  ].map((expression) => check(DEPLOYMENTS, expression)),
  pod: [
    'object.spec.containers.all(c, has(c.resources.limits) && c.resources.limits.memory != "")',
    "quantity(object.spec.containers[0].resources.limits['cpu']).isLessThan(quantity('1'))",
    'object.spec.containers[0].resources.limits.cpu == 1',
    'object.spec.containers[0].resources.requests.cpu == 1.5',
    'object.spec.containers.all(c, c.image.endsWith(":1"))',
    'object.spec.containers.all(c, c.imag.endsWith(":1"))',
    'object.spec.containers.all(c, c.securityContext.capabilities.drop.exists(d, d == "ALL"))',
    'object.spec.containers.all(c, c.securityContext.capabilities.drop.exists(d, d == 1))',
    'object.spec.containers.map(c, c.name).exists(n, n == object.metadata.name)',
    'object.spec.containers.map(c, c.ports).flatten().all(p, p.hostPort == 0)',
    'object.spec.containers.map(c, c.ports.map(p, p.containerPort)).exists(l, l.sum() > 1)',
    '(object.spec.containers + object.spec.initContainers).all(c, c.tty == false)',
    'object.spec.containers + object.spec.volumes == []',
    '[object.spec.containers, object.spec.initContainers].all(l, l.size() > 0)',
    'object.spec.containers.size() == "1"',
    "object.spec.containers['name'].image == ''",
    'object.spec.containers[0].env[0].value + object.spec.containers[0].name == "ab"',
    'object.spec.containers[0].env[0].value + object.spec.containers[0].tty == "ab"',
    'object.spec.containers.filter(c, c.tty).size() < object.spec.terminationGracePeriodSeconds',
    'object.spec.volumes.all(v, !has(v.hostPath))',
    'object.spec.volumes.all(v, !has(v.hostPat))',
    'object.spec.volumes.exists(v, v.emptyDir.sizeLimit == "1Gi")',
    'object.status.startTime + duration("1h") > timestamp("2024-01-01T00:00:00Z")',
    'object.status.podIPs.all(p, isIP(p.ip))',
    'object.status.podIPs.all(p, isIP(p))',
    'object.spec.nodeSelector == {"a": "b"}',
    'object.spec.nodeSelector == {"a": 1}',
    'object.spec.hostNetwork ? object.metadata.name : 1',
    'object.spec.hostNetwork ? object.metadata.name == "a" : true',
  ].map((expression) => check(PODS, expression)),
  schema: [
    ...[
      'ratio',
      'rate',
      'count',
      'completions',
      'free',
      'anything',
      'nullable',
      'either',
      'date',
      'duration',
      'uuid',
      'bytes',
    ].flatMap((name) => [
      `object.spec.${name} == 1`,
      `object.spec.${name} == 'a'`,
      `object.spec.${name} == null`,
      `object.spec.${name}.inner == 1`,
    ]),
    'object.spec.matrix[0][0] == 1',
    "object.spec.matrix[0][0] == 'a'",
    'object.spec.matrix.all(row, row.all(x, x > 0))',
    "object.spec.byName['a'].b[0] == 'c'",
    'object.spec.byName.a.b == 1',
    'object.spec.nested.a.anything == 1',
    'object.spec.nested.a == 1',
    "object.spec.open.a == 'x'",
    'object.spec.open.a == 1',
    'object.spec.open.other == 1',
    'object.spec.bounded.exists(b, b == 1)',
    "object.spec.set == ['a']",
    'object.spec.set == [1]',
    "object.spec.embedded.kind == 'Pod'",
    'object.spec.embedded.metadata.name == 1',
    'object.spec.embedded.spec.anything == 1',
    'object.spec.date.getFullYear() == 2024',
    "object.spec.duration < duration('1h')",
    'object.spec.bytes.size() == 1',
  ].map((expression) => check(JOBS, expression)),
  kinds: [
    check(on('', ['pods', 'configmaps', 'services', 'namespaces']), 'object.spec.x == 1'),
    check(on('', ['pods', 'services']), 'object.spec.clusterIP == ""'),
    check(on('apps', ['deployments', 'statefulsets']), 'object.spec.serviceName == "a"'),
    check(on('apps', ['statefulsets', 'deployments', 'controllerrevisions']), 'object.spec.paused'),
    check(on('apps', ['deployments/scale', 'deployments']), 'object.spec.absent == 1'),
    check(on('apps', ['deployments/scale']), 'object.spec.absent == 1'),
    check(on('apps', ['*']), 'object.spec.absent == 1'),
    check(on('*', ['deployments']), 'object.spec.absent == 1'),
    check(on('apps', ['deployments'], ['*']), 'object.spec.absent == 1'),
    check(on('apps', ['deployments'], ['v1', 'v1beta1']), 'object.spec.absent == 1'),
    check(on('apps', ['deployments'], ['v1beta1']), 'object.spec.absent == 1'),
    check(on('apps', ['widgets']), 'object.spec.absent == 1'),
    check(on('example.com', ['deployments']), 'object.spec.absent == 1'),
    check(on('apps', ['deployment']), 'object.spec.absent == 1'),
    check(on('apps', ['controllerrevisions']), 'object.data.anything.at == 1'),
    check(on('', ['configmaps']), "object.data['a'] == 1"),
    check(on('', ['configmaps']), "object.binaryData['a'] == b'x'"),
    check(on('', ['configmaps']), "object.binaryData['a'] == 'x'"),
    check(on('', ['services']), 'object.spec.ports.all(p, p.targetPort == 80 || p.targetPort == "http")'),
    check(on('', ['services']), 'object.spec.ports.all(p, p.targetPort > 80)'),
    check(
      {
        resourceRules: [
          { apiGroups: ['', 'apps'], apiVersions: ['v1'], operations: ['*'], resources: ['pods', 'deployments'] },
        ],
      },
      'object.spec.hostNetwork',
    ),
    check(
      {
        resourceRules: [
          ...(PODS['resourceRules'] as readonly Json[]),
          ...(DEPLOYMENTS['resourceRules'] as readonly Json[]),
        ],
      },
      'object.spec.x',
    ),
    check({ resourceRules: [] }, 'object.spec.x'),
    check({}, 'object.spec.x'),
    check(
      {
        resourceRules: [
          {
            apiGroups: ['', 'apps', 'batch'],
            apiVersions: ['v1'],
            operations: ['*'],
            resources: ['pods', 'deployments', 'jobs', 'services', 'configmaps', 'statefulsets'],
          },
        ],
      },
      'object.nowhere',
    ),
  ],
  variables: [
    check(DEPLOYMENTS, 'variables.count > 1', { variables: [{ name: 'count', expression: 'object.spec.replicas' }] }),
    check(DEPLOYMENTS, "variables.count == 'a'", {
      variables: [{ name: 'count', expression: 'object.spec.replicas' }],
    }),
    check(DEPLOYMENTS, 'variables.count > 1', { variables: [{ name: 'count', expression: 'object.spec.replica' }] }),
    check(DEPLOYMENTS, 'true', { variables: [{ name: 'count', expression: 'object.spec.replica' }] }),
    check(DEPLOYMENTS, 'variables.absent', { variables: [{ name: 'count', expression: 'object.spec.replicas' }] }),
    check(DEPLOYMENTS, 'variables.containers.all(c, c.image == 1)', {
      variables: [{ name: 'containers', expression: 'object.spec.template.spec.containers' }],
    }),
    check(DEPLOYMENTS, 'variables.b == 1', {
      variables: [
        { name: 'a', expression: 'object.spec.template' },
        { name: 'b', expression: 'variables.a.spec.hostNetwork' },
      ],
    }),
    check(DEPLOYMENTS, 'variables.labels.a == 1', {
      variables: [{ name: 'labels', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' }],
    }),
    check(DEPLOYMENTS, 'variables.o.spec.absent == 1', {
      variables: [{ name: 'o', expression: 'request.operation == "DELETE" ? oldObject : object' }],
    }),
  ],
  request: [
    'request.operation == 1',
    "request.nam == 'x'",
    'request.userInfo.groups.exists(g, g == 1)',
    "request.userInfo.extra['a'].exists(x, x == 'b')",
    "request.userInfo.extra.a == 'b'",
    'request.dryRun == "x"',
    'request.options.anything == 1',
    "request.kind.kind == 'x' && request.kind.resource == 'y'",
    'namespaceObject.metadata.labels.a == 1',
    'namespaceObject.metadata.uid == ""',
    "namespaceObject.spec.finalizers[0] == 'x'",
    'namespaceObject.status.conditions.all(c, c.lastTransitionTime.getHours() == 1)',
    'namespaceObject.kind == ""',
    "authorizer.group('').resource('pods').check('get').allowed()",
    "authorizer.group('').check('get')",
    'authorizer.requestResource.check(1).allowed()',
    'params.a == 1',
  ].map((expression) => check(DEPLOYMENTS, expression)),
  params: [
    ["params.data.limit == '1'", 'v1', 'ConfigMap'],
    ['params.data.limit == 1', 'v1', 'ConfigMap'],
    ['params.date.limit == 1', 'v1', 'ConfigMap'],
    ['params.spec.limit == 1', 'example.com/v1', 'Limit'],
    ['params.spec.replicas == object.spec.replicas', 'apps/v1', 'Deployment'],
    ['params.spec == object.spec', 'apps/v1', 'Deployment'],
    ['params == null', 'v1', 'ConfigMap'],
    ['params.data.limit == 1', 'not/a/version', 'ConfigMap'],
  ].map(([expression = '', apiVersion, kind]) => check(DEPLOYMENTS, expression, { paramKind: { apiVersion, kind } })),
  message: [
    "'replicas: ' + string(object.spec.replicas)",
    "'replicas: ' + object.spec.replicas",
    'object.metadata.nam',
    'object.spec.replicas',
    "'%d'.format([object.spec.replicas])",
    "'a' + authorizer.path('/').check('get').reason()",
  ].map((messageExpression) => ({
    matchConstraints: DEPLOYMENTS,
    validations: [
      { expression: 'object.spec.paused', messageExpression },
      { expression: 'object.spec.absent == 1', messageExpression: "'fine'" },
    ],
  })),
  unchecked: [
    { matchConstraints: DEPLOYMENTS, auditAnnotations: [{ key: 'a', valueExpression: 'object.nothing' }] },
    check(DEPLOYMENTS, 'true', { matchConditions: [{ name: 'a', expression: 'object.nothing' }] }),
  ],
};
