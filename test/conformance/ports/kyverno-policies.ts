// Random ClusterPolicies whose rules combine contexts, preconditions, conditions, patterns, loops, patches and templates.
import type { Chance } from './chance.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The names that a place of a policy may use in variables. */
interface Scope {
  readonly chance: Chance;
  readonly names: readonly string[];
}

const OBJECT_QUERIES = [
  ...[
    'request.object.metadata.name',
    'request.object.metadata.labels.app',
    "request.object.metadata.labels.team || 'none'",
  ],
  ...[
    'request.object.metadata.labels',
    'request.object.spec.n',
    'request.object.spec.list',
    'request.object.spec.list[].name',
  ],
  ...[
    'request.object.spec.missing',
    'request.object.spec.missing || `0`',
    'request.object.spec.nul',
    'request.object.spec',
    'request.object',
  ],
  ...[
    'request.operation',
    'request.namespace',
    'request.object.kind',
    'length(request.object.spec.list)',
    'request.object.spec.n || `5`',
  ],
  ...[
    'to_upper(request.object.metadata.name)',
    'request.object.metadata.annotations."a/b"',
    'request.object.spec.f',
    'request.object.spec.flag',
  ],
  ...[
    'request.object.spec.map.*',
    'keys(request.object.spec.map)',
    'to_string(request.object.spec.map)',
    "join(',', request.object.spec.list[].name)",
  ],
  ...[
    'request.object.spec.list[0].name',
    'request.object.spec.list[9].name',
    'request.object.spec.containers[].image',
    'request.object.spec.text',
  ],
  ...[
    'add(request.object.spec.n, `1`)',
    "split(request.object.spec.text, ',')",
    'parse_json(request.object.spec.json)',
    'request.object.spec.inj',
  ],
];
const ADMISSION_QUERIES = [
  'request',
  'request.name',
  'request.uid',
  'request.kind',
  'request.dryRun',
  'request.oldObject',
  'request.userInfo',
];

function query({ chance, names }: Scope): string {
  const own = names.filter((name) => name !== 'element' && name !== 'target');
  if (own.length > 0 && chance.in(40))
    return `${chance.pick(own)}${chance.pick(['', '', '.name', '.a', '[0]', " || 'd'"])}`;
  if (names.includes('element') && chance.in(60))
    return chance.pick([
      'element',
      'element.name',
      'element.v',
      'elementIndex',
      'element.missing',
      'elementIndex0',
      "element.name || 'x'",
    ]);
  if (names.includes('target') && chance.in(40))
    return chance.pick(['target.data.a', 'target.metadata.name', 'target.missing', 'target']);
  return chance.pick(chance.in(88) ? OBJECT_QUERIES : ADMISSION_QUERIES);
}

function variable(scope: Scope): string {
  return `{{${scope.chance.pick(['', ' ', '- '])}${query(scope)}${scope.chance.pick([' ', '', ''])}}}`;
}

const WORDS = ['a', 'web', 'nginx', 'x', '', '5', 'true', '*', 'we?', '1Gi', '10', '>1', '!web', 'a | b', '\\{{x}}'];

function text(scope: Scope): string {
  const { chance } = scope;
  if (chance.in(35)) return chance.pick(WORDS);
  if (chance.in(60)) return variable(scope);
  return `${chance.pick(['', 'm ', 'é: '])}${variable(scope)}${chance.pick(['', ' end', '/'])}${chance.in(20) ? variable(scope) : ''}`;
}

function value(scope: Scope, depth = 1): unknown {
  const { chance } = scope;
  const kind = chance.below(depth > 0 ? 9 : 6);
  if (kind < 4) return text(scope);
  if (kind === 4) return chance.pick([0, 1, 5, 2.5, -1]);
  if (kind === 5) return chance.pick([true, false, null]);
  if (kind < 8) return chance.several(0, 3, () => value(scope, depth - 1));
  return Object.fromEntries(chance.several(0, 2, () => [chance.pick(['a', 'name']), value(scope, depth - 1)]));
}

const OPERATORS = [
  ...[
    'Equals',
    'NotEquals',
    'AnyIn',
    'AllIn',
    'AnyNotIn',
    'AllNotIn',
    'GreaterThan',
    'LessThan',
    'GreaterThanOrEquals',
  ],
  ...['LessThanOrEquals', 'In', 'NotIn', 'Equal', 'DurationGreaterThan'],
];

function condition(scope: Scope): Fields {
  const { chance } = scope;
  if (chance.in(30)) return { key: 'a', operator: 'Equals', value: chance.in(70) ? 'a' : 'b', ...message(scope, 60) };
  return {
    key: chance.in(80) ? text(scope) : value(scope),
    operator: chance.in(70) ? chance.pick(OPERATORS.slice(0, 8)) : chance.pick(OPERATORS),
    value: value(scope),
    ...message(scope, 40),
  };
}

function message(scope: Scope, percent: number): Fields {
  return scope.chance.in(percent) ? { message: text(scope) } : {};
}

function conditions(scope: Scope): unknown {
  const { chance } = scope;
  const listed = (): unknown => chance.several(1, 3, () => condition(scope));
  if (chance.in(10)) return listed();
  const block = (): Fields => ({ ...(chance.in(65) && { all: listed() }), ...(chance.in(45) && { any: listed() }) });
  return chance.in(15) ? [block(), block()] : block();
}

function context(scope: Scope): { readonly entries: readonly Fields[]; readonly scope: Scope } {
  const { chance } = scope;
  let inner = scope;
  const entries = chance.several(0, 3, (index): Fields => {
    const name = chance.pick([`v${index}`, 'shared', 'obj']);
    const made = variableEntry(inner);
    inner = { chance, names: [...inner.names, name] };
    return { name, variable: made };
  });
  return { entries, scope: inner };
}

function variableEntry(scope: Scope): Fields {
  const { chance } = scope;
  const shape = chance.below(5);
  if (shape === 0) return { value: value(scope) };
  if (shape === 1) return { jmesPath: query(scope) };
  if (shape === 2) return { jmesPath: query(scope), default: value(scope, 0) };
  if (shape === 3)
    return {
      value: value(scope),
      jmesPath: chance.pick(['@', 'name', 'a', '[0]', 'length(@)']),
      ...(chance.in(50) && { default: 'd' }),
    };
  return { value: text(scope) };
}

const PATTERN_VALUES = ['?*', '*', 'web', 'a | web', '!web', '>3', '1-10', '5', 'ng*', '<= 5', '!?*', ''];

function pattern(scope: Scope, depth: number): unknown {
  const { chance } = scope;
  const leaf = (): unknown =>
    chance.in(20) ? variable(scope) : chance.in(80) ? chance.pick(PATTERN_VALUES) : chance.pick([5, true, null, 2.5]);
  if (depth === 0) return leaf();
  const anchored = (name: string): string => {
    if (chance.in(60)) return name;
    return `${chance.pick(['', '=', 'X', '<', '^', '+'])}(${name})`;
  };
  const fields: [string, unknown][] = chance.several(1, 2, () => {
    const name = chance.pick(['text', 'n', 'f', 'flag', 'nul', 'missing', 'map', 'list']);
    if (name === 'map') return [anchored('map'), { [anchored(chance.pick(['a', 'k', '*']))]: leaf() }];
    if (name === 'list')
      return [anchored('list'), [{ [anchored('name')]: leaf(), ...(chance.in(60) && { [anchored('v')]: leaf() }) }]];
    return [anchored(name), leaf()];
  });
  return {
    ...(chance.in(30) && { metadata: { labels: { [anchored(chance.pick(['app', 'team']))]: leaf() } } }),
    spec: Object.fromEntries(fields),
  };
}

function loops(scope: Scope, body: (inner: Scope) => Fields): readonly Fields[] {
  const { chance } = scope;
  return chance.several(1, 2, () => {
    const list = chance.pick([
      ...[
        'request.object.spec.list',
        'request.object.spec.list',
        'request.object.spec.list[].name',
        'request.object.spec.missing',
      ],
      ...[
        'request.object.spec.map',
        'request.object.spec.containers',
        'request.object.spec.text',
        'request.object.spec.list[?v].name',
      ],
    ]);
    const loaded = context({ chance, names: [...scope.names, 'element'] });
    return {
      list,
      ...(chance.in(25) && { context: loaded.entries }),
      ...(chance.in(30) && { preconditions: conditions(loaded.scope) }),
      ...(chance.in(10) && { elementScope: chance.in(50) }),
      ...body(loaded.scope),
    };
  });
}

function validation(scope: Scope): Fields {
  const { chance } = scope;
  const head = {
    allowExistingViolations: chance.in(70),
    ...message(scope, 75),
    ...(chance.in(25) && { failureAction: chance.pick(['Enforce', 'Audit']) }),
  };
  const kind = chance.below(10);
  if (kind < 4) return { ...head, deny: { conditions: conditions(scope) } };
  if (kind < 6) return { ...head, pattern: pattern(scope, 1) };
  if (kind < 7) return { ...head, anyPattern: chance.several(1, 3, () => pattern(scope, 1)) };
  return {
    ...head,
    foreach: loops(scope, (inner) =>
      chance.in(60)
        ? { deny: { conditions: conditions(inner) } }
        : {
            pattern: chance.in(50)
              ? { name: text(inner) }
              : { [chance.pick(['(name)', '=(v)', 'v', 'X(v)'])]: chance.pick(PATTERN_VALUES) },
          },
    ),
  };
}

function patch(scope: Scope): Fields {
  const { chance } = scope;
  if (chance.in(40)) {
    const operations = chance.several(1, 3, () => {
      const op = chance.pick(['add', 'replace', 'remove', 'test', 'copy', 'move']);
      return {
        op,
        path: chance.pick([
          '/metadata/labels/app',
          '/metadata/labels/new',
          '/spec/list/0',
          '/spec/list/-',
          '/spec/n',
          '/spec/missing/a',
          '/data/a',
          '/spec/list/-1',
        ]),
        ...(['copy', 'move'].includes(op) && {
          from: chance.pick(['/metadata/labels/app', '/spec/text', '/spec/none']),
        }),
        ...(['add', 'replace', 'test'].includes(op) && { value: value(scope) }),
      };
    });
    return { patchesJson6902: JSON.stringify(operations) };
  }
  const anchored = (name: string): string => (chance.in(65) ? name : `${chance.pick(['+', '', '='])}(${name})`);
  return {
    patchStrategicMerge: {
      ...(chance.in(60) && {
        metadata: { [anchored('labels')]: { [anchored(chance.pick(['app', 'new', 'team']))]: text(scope) } },
      }),
      ...(chance.in(60) && {
        spec: {
          ...(chance.in(60) && { [anchored(chance.pick(['text', 'n', 'extra']))]: value(scope) }),
          ...(chance.in(40) && { list: [{ [anchored('name')]: chance.pick(['a', 'b', '*']), v: value(scope, 0) }] }),
          ...(chance.in(20) && { map: { [anchored('k')]: chance.pick([1, null, 'z']) } }),
        },
      }),
      ...(chance.in(15) && { data: { by: text(scope) } }),
    },
  };
}

function generation(scope: Scope): Fields {
  const { chance } = scope;
  const target = (inner: Scope): Fields => ({
    apiVersion: 'v1',
    kind: chance.pick(['ConfigMap', 'Secret']),
    name: chance.in(60) ? chance.pick(['cfg', 'cfg-2']) : `g-${variable(inner)}`,
    namespace: chance.in(70) ? 'default' : variable(inner),
    data: {
      ...(chance.in(40) && { metadata: { labels: { l: text(inner) } } }),
      data: Object.fromEntries(chance.several(1, 3, (index) => [`k${index}`, text(inner)])),
    },
  });
  const head = { synchronize: false, ...(chance.in(30) && { generateExisting: false }) };
  return chance.in(75) ? { ...head, ...target(scope) } : { ...head, foreach: loops(scope, target) };
}

function targets(scope: Scope): Fields {
  const { chance } = scope;
  return {
    targets: chance.several(1, 2, () => ({
      apiVersion: chance.pick(['v1', 'v1', 'apps/v1', 'example.com/v1']),
      kind: chance.pick(['ConfigMap', 'ConfigMap', 'Secret', 'Deployment', 'Thing', 'Service']),
      name: chance.pick(['tgt', 'other', 't*', 'absent', variable(scope), '']),
      namespace: chance.pick(['default', 'default', 'prod', '*', variable(scope), '']),
      ...(chance.in(20) && { selector: { matchLabels: { sel: chance.pick(['y', 'n']) } } }),
      ...(chance.in(15) && { preconditions: conditions({ chance, names: [...scope.names, 'target'] }) }),
      ...(chance.in(10) && { context: [{ name: 'tc', variable: { value: variable({ chance, names: ['target'] }) } }] }),
    })),
    ...patch({ chance, names: [...scope.names, 'target'] }),
  };
}

export type Body = 'validate' | 'mutate' | 'generate' | 'targets';

function rule(chance: Chance, index: number, body: Body): Fields {
  const loaded = chance.in(60) ? context({ chance, names: [] }) : { entries: [], scope: { chance, names: [] } };
  // A later rule may use what an earlier rule loaded.
  const scope = { chance, names: chance.in(15) ? [...loaded.scope.names, 'shared', 'obj', 'v0'] : loaded.scope.names };
  const bodies: Readonly<Record<Body, () => Fields>> = {
    validate: () => ({ validate: validation(scope) }),
    mutate: () => ({ mutate: chance.in(70) ? patch(scope) : { foreach: loops(scope, patch) } }),
    generate: () => ({ generate: generation(scope) }),
    targets: () => ({ mutate: targets(scope) }),
  };
  return {
    name: `r${index}`,
    // The defaults of the definition, which the Go program does not set.
    skipBackgroundRequests: true,
    match: { any: [{ resources: { kinds: ['Thing', 'Pod', 'Deployment'] } }] },
    ...(loaded.entries.length > 0 && { context: loaded.entries }),
    ...(chance.in(35) && { preconditions: conditions(scope) }),
    ...bodies[body](),
  };
}

export function policy(chance: Chance, bodies: readonly Body[]): Fields {
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: {
      name: 'check',
      ...(chance.in(60) && { annotations: { 'pod-policies.kyverno.io/autogen-controllers': 'none' } }),
    },
    spec: {
      background: false,
      ...(chance.in(20) && { validationFailureAction: chance.pick(['Enforce', 'Audit']) }),
      ...(chance.in(15) && { failurePolicy: chance.pick(['Fail', 'Ignore']) }),
      ...(chance.in(10) && { applyRules: chance.pick(['One', 'All']) }),
      ...(bodies.includes('targets') && { mutateExistingOnPolicyUpdate: false }),
      rules: chance.several(1, 3, (index) => rule(chance, index, chance.pick(bodies))),
    },
  };
}

export function thing(chance: Chance): Fields {
  const metadata = {
    name: chance.pick(['web', 'thing-a']),
    namespace: chance.pick(['default', 'prod']),
    ...(chance.in(75) && {
      labels: {
        ...(chance.in(80) && { app: chance.pick(['web', 'x', 'a']) }),
        ...(chance.in(40) && { team: 'blue' }),
        z: '1',
      },
    }),
    ...(chance.in(40) && { annotations: { 'a/b': 'c', A: 'é<&>' } }),
  };
  if (chance.in(15)) {
    const containers = chance.several(1, 2, (index) => ({
      name: `c${index}`,
      image: chance.pick(['nginx:latest', 'redis:7', 'ghcr.io/a/b@sha256:abc']),
    }));
    return chance.in(50)
      ? { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } }
      : {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata,
          spec: {
            replicas: 2,
            selector: { matchLabels: { app: 'a' } },
            template: { metadata: { labels: { app: 'a' } }, spec: { containers } },
          },
        };
  }
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata,
    spec: {
      ...(chance.in(80) && { text: chance.pick(['web', 'a,b', '', '5', '1Gi', 'nginx']) }),
      ...(chance.in(80) && { n: chance.pick([0, 5, 10, 1000000, -1]) }),
      ...(chance.in(50) && { f: chance.pick([2.5, 0.1, 1e21]) }),
      ...(chance.in(50) && { flag: chance.in(50) }),
      ...(chance.in(40) && { nul: null }),
      ...(chance.in(40) && { json: chance.pick(['{"a": 1}', '[1, "x"]', 'bad', '']) }),
      ...(chance.in(30) && { inj: '{{ request.object.metadata.name }}' }),
      ...(chance.in(80) && {
        list: chance.several(0, 3, (index) =>
          chance.in(90)
            ? {
                name: chance.pick(['a', 'b', 'web']),
                ...(chance.in(60) && { v: chance.pick([index, 'x', null, true]) }),
              }
            : chance.pick(['plain', 5, null]),
        ),
      }),
      ...(chance.in(70) && { map: { k: 1, a: chance.pick(['x', 2.5, null, { c: 'd', b: 1 }]) } }),
    },
  };
}

export function targetObjects(chance: Chance): readonly Fields[] {
  const object = (apiVersion: string, kind: string, name: string, namespace: string): Fields => ({
    apiVersion,
    kind,
    metadata: { name, namespace, ...(chance.in(60) && { labels: { sel: chance.pick(['y', 'n']) } }) },
    data: { a: chance.pick(['1', 'x']) },
  });
  return [
    ...(chance.in(85) ? [object('v1', 'ConfigMap', 'tgt', 'default')] : []),
    ...(chance.in(50) ? [object('v1', 'ConfigMap', 'other', 'prod')] : []),
    ...(chance.in(40) ? [object('v1', 'Secret', 'tgt', 'default')] : []),
    ...(chance.in(30) ? [object('example.com/v1', 'Thing', 'tgt', 'default')] : []),
  ];
}
