// Mutating policies: patches of both types, conditions, params, passes and rejections.
import { describe, expect, it } from 'vitest';
import { answer, mutateOnce, type WrittenPolicy, type WrittenRequest } from './mutate.ts';

const LOGGER = 'Object.spec.initContainers{name: "logger", image: "log:2", restartPolicy: "Always"}';
const ADD_LOGGER = `Object{spec: Object.spec{initContainers: [${LOGGER}]}}`;
const APPEND_LOGGER = `[JSONPatch{op: "add", path: "/spec/initContainers/-", value: ${LOGGER}}]`;
const NO_LOGGER = '!object.spec.initContainers.exists(c, c.name == "logger")';
const ATOMIC = 'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ';
const UNTYPED = 'error applying patch: failed to convert patch object to typed object: ';
const SETUP = { name: 'setup', image: 'setup:1', resources: {} };
const LOGGED = { name: 'logger', image: 'log:2', resources: {}, restartPolicy: 'Always' };

function pod({ init, labels, annotations }: { init?: string; labels?: string; annotations?: string } = {}): string {
  return `apiVersion: v1
kind: Pod
metadata: {name: web, labels: ${labels ?? '{}'}, annotations: ${annotations ?? '{}'}}
spec: {containers: [{name: a, image: nginx}]${init === undefined ? '' : `, initContainers: [${init}]`}}`;
}

function deployment(replicas: number, more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: shop}}
  template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: c, image: i}]${more}}}`;
}

function one(policy: WrittenPolicy, object: string, more: Partial<WrittenRequest> = {}): WrittenRequest {
  return { policies: { p: policy }, object, ...more };
}

function specOf(request: WrittenRequest): Record<string, unknown> {
  return field(request, 'spec');
}

function field(request: WrittenRequest, name: string): Record<string, unknown> {
  const result = answer(request);
  if (!('object' in result)) throw new Error(result.message);
  return (result.object as Record<string, Record<string, unknown>>)[name] ?? {};
}

function denied(text: string): { readonly code: number; readonly reason: string; readonly message: string } {
  return { code: 403, reason: 'Invalid', message: `policy 'p' with binding 'b' denied request: ${text}` };
}

describe('ApplyConfiguration', () => {
  it.each([
    [
      'keeps existing elements first if none is shared',
      { mutations: [ADD_LOGGER], matchConditions: { 'not-yet': NO_LOGGER } },
      pod({ init: '{name: setup, image: "setup:1"}' }),
      { initContainers: [SETUP, LOGGED] },
    ],
    [
      'does nothing if the condition is false',
      { mutations: [ADD_LOGGER], matchConditions: { 'not-yet': NO_LOGGER } },
      pod({ init: '{name: logger, image: x}' }),
      { initContainers: [{ name: 'logger', image: 'x', resources: {} }] },
    ],
    [
      'sets a scalar',
      { mutations: ['Object{spec: Object.spec{serviceAccountName: "robot"}}'] },
      pod(),
      { serviceAccountName: 'robot' },
    ],
    [
      'omits absent optional fields',
      { mutations: ['Object{spec: Object.spec{?replicas: optional.none(), paused: true}}'] },
      deployment(2),
      { replicas: 2, paused: true },
    ],
    [
      'merges elements by their key',
      {
        mutations: [
          'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, imagePullPolicy: "Always"})}}}}',
        ],
      },
      deployment(1),
      {
        template: {
          metadata: { labels: { app: 'shop' } },
          spec: { containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always', resources: {} }] },
        },
      },
    ],
    [
      'writes quantities as the server does',
      {
        mutations: [
          'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "c", resources: Object.spec.template.spec.containers.resources{limits: {"cpu": "1000m"}}}]}}}}',
        ],
      },
      deployment(1),
      {
        template: {
          metadata: { labels: { app: 'shop' } },
          spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }] },
        },
      },
    ],
    [
      'treats ports with different protocols as different',
      {
        mutations: [
          'Object{spec: Object.spec{containers: [Object.spec.containers{name: "a", ports: [Object.spec.containers.ports{containerPort: 80}]}]}}',
        ],
      },
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, ports: [{containerPort: 80, protocol: UDP}, {containerPort: 80, protocol: TCP, name: http}]}]}',
      {
        containers: [
          {
            name: 'a',
            resources: {},
            ports: [
              { containerPort: 80, protocol: 'UDP' },
              { containerPort: 80, protocol: 'TCP', name: 'http' },
            ],
          },
        ],
      },
    ],
  ] as const)('%s', (_title, policy, object, expected) => {
    expect(specOf(one(policy as WrittenPolicy, object))).toMatchObject(expected);
  });

  it.each([
    [
      'an atomic list in an element',
      'Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: "x", args: ["a"]}]}}',
      `${ATOMIC}.spec.initContainers[0].args`,
    ],
    ['an atomic map', 'Object{spec: Object.spec{nodeSelector: {"disk": "ssd"}}}', `${ATOMIC}.spec.nodeSelector`],
    [
      'an atomic list',
      'Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "k"}]}}',
      `${ATOMIC}.spec.tolerations`,
    ],
    ['an empty atomic list', 'Object{spec: Object.spec{tolerations: []}}', `${ATOMIC}.spec.tolerations`],
    [
      'several at once',
      'Object{spec: Object.spec{tolerations: [], nodeSelector: {}}}',
      `${ATOMIC}.spec.tolerations, .spec.nodeSelector`,
    ],
    [
      'an atomic struct in a list',
      'Object{spec: Object.spec{imagePullSecrets: [Object.spec.imagePullSecrets{name: "s"}]}}',
      `${ATOMIC}.spec.imagePullSecrets[0]`,
    ],
    [
      'an unknown field',
      'Object{spec: Object.spec{hostNetworking: true}}',
      `${UNTYPED}.spec.hostNetworking: field not declared in schema`,
    ],
    [
      'a string for a boolean',
      'Object{spec: Object.spec{hostNetwork: "yes"}}',
      `${UNTYPED}.spec.hostNetwork: expected boolean, got &{yes}`,
    ],
    [
      'a string for a number',
      'Object{spec: Object.spec{priority: "1"}}',
      `${UNTYPED}.spec.priority: expected numeric (int or float), got string`,
    ],
    [
      'null',
      'Object{spec: Object.spec{priority: null}}',
      `${UNTYPED}.spec.priority: expected numeric (int or float), got structpb.NullValue`,
    ],
    [
      'a number for a string',
      'Object{metadata: Object.metadata{labels: {"n": 1}}}',
      `${UNTYPED}.metadata.labels.n: expected string, got &value.valueUnstructured{Value:1}`,
    ],
    [
      'a list for a map',
      'Object{metadata: Object.metadata{labels: ["a"]}}',
      `${UNTYPED}.metadata.labels: expected map, got &{[a]}`,
    ],
    [
      'a name that is not a path',
      'Object{spec: Object.specs{priority: 1}}',
      'type mismatch: unexpected type name "Object.specs", expected "Object.spec", which matches field name path from root Object type',
    ],
    [
      'a name for an element',
      'Object{spec: Object.spec{volumes: [Object.spec.volumes.item{name: "v"}]}}',
      'type mismatch: unexpected type name "Object.spec.volumes.item", expected "Object.spec.volumes", which matches field name path from root Object type',
    ],
    [
      'the same key twice',
      'Object{spec: Object.spec{volumes: [Object.spec.volumes{name: "v"}, Object.spec.volumes{name: "v"}]}}',
      `${UNTYPED}.spec.volumes: duplicate entries for key [name="v"]`,
    ],
    ['a map', '{"spec": {}}', 'must evaluate to Object but got map(string, map(dyn, dyn))'],
    ['an inner object', 'Object.spec{}', 'must evaluate to Object but got Object.spec'],
    [
      'a syntax error',
      'Object{',
      "compilation failed: ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}\n | Object{\n | .......^",
    ],
    [
      'a missing field',
      'Object{spec: Object.spec{hostname: object.spec.nope}}',
      "expression 'Object{spec: Object.spec{hostname: object.spec.nope}}' resulted in error: no such key: nope",
    ],
    [
      'params without a paramKind',
      'Object{metadata: Object.metadata{name: params.x}}',
      "compilation failed: ERROR: <input>:1:40: undeclared reference to 'params' (in container '')\n | Object{metadata: Object.metadata{name: params.x}}\n | .......................................^",
    ],
  ])('refuses %s', (_title, expression, message) => {
    expect(answer(one({ mutations: [expression], types: ['ApplyConfiguration'] }, pod()))).toEqual(denied(message));
  });

  it('refuses to set the selector of a workload', () => {
    const expression = 'Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"l": "v"}}}}';
    expect(answer(one({ mutations: [expression] }, deployment(1)))).toEqual(denied(`${ATOMIC}.spec.selector`));
  });

  it('rejects a fraction for an integer only on conversion to the Go type', () => {
    const message =
      'unable to convert unstructured object to apps/v1, Kind=Deployment: cannot convert float64 to int32';
    expect(answer(one({ mutations: ['Object{spec: Object.spec{replicas: 1.5}}'] }, deployment(1)))).toEqual(
      denied(message),
    );
    expect(specOf(one({ mutations: ['Object{spec: Object.spec{replicas: 3.0}}'] }, deployment(1)))['replicas']).toBe(3);
  });

  it('takes kind and apiVersion from the object, and other metadata from the patch', () => {
    const request = one({ mutations: ['Object{kind: "Secret", metadata: Object.metadata{name: "other"}}'] }, pod());
    expect(answer(request)).toMatchObject({ object: { kind: 'Pod', metadata: { name: 'other' } } });
  });

  it('reads all of the metadata', () => {
    const expression =
      'Object{metadata: Object.metadata{labels: {"n": object.metadata.name, "l": object.metadata.labels["a"], "an": object.metadata.annotations["q"]}}}';
    const request = one({ mutations: [expression] }, pod({ labels: '{a: b}', annotations: '{q: r}' }));
    expect(field(request, 'metadata')['labels']).toEqual({ a: 'b', n: 'web', l: 'b', an: 'r' });
  });
});

describe('JSONPatch', () => {
  const label = (op: string, key: string, value: string) =>
    `JSONPatch{op: "${op}", path: "/metadata/labels/${key}", value: "${value}"}`;
  const steps = (...written: string[]) => `[${written.join(', ')}]`;

  it.each([
    [
      'continues after a successful test',
      steps(label('test', 'c', 'Red'), label('replace', 'c', 'Green')),
      '{c: Red}',
      { c: 'Green' },
    ],
    [
      'stops without an error after a failed test',
      steps(label('test', 'c', 'Red'), label('replace', 'c', 'Green')),
      '{c: Blue}',
      { c: 'Blue' },
    ],
    [
      'stops without an error if the tested key is missing',
      steps(label('test', 'd', 'Red'), label('replace', 'c', 'Green')),
      '{c: Blue}',
      { c: 'Blue' },
    ],
    [
      'escapes keys',
      '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/tier"), value: "t"},]',
      '{a: b}',
      { a: 'b', 'example.com/tier': 't' },
    ],
    ['replaces a map', '[JSONPatch{op: "add", path: "/metadata/labels", value: {"x": "y"}}]', '{a: b}', { x: 'y' }],
    ['replaces what is not there', steps(label('replace', 'x', 'v')), '{w: z}', { w: 'z', x: 'v' }],
    [
      'copies',
      '[JSONPatch{op: "copy", from: "/metadata/labels/x", path: "/metadata/labels/y"}]',
      '{x: v}',
      { x: 'v', y: 'v' },
    ],
    ['moves', '[JSONPatch{op: "move", from: "/metadata/labels/x", path: "/metadata/labels/y"}]', '{x: v}', { y: 'v' }],
    ['removes', '[JSONPatch{op: "remove", path: "/metadata/labels/x"}]', '{x: v, w: w}', { w: 'w' }],
    [
      'does nothing for no operations',
      'object.metadata.name == "x" ? [JSONPatch{op: "remove", path: "/spec"}] : []',
      '{a: b}',
      { a: 'b' },
    ],
    [
      'writes durations and timestamps as strings',
      `[JSONPatch{op: "add", path: "/metadata/labels/d", value: duration("90s")}]`,
      '{a: b}',
      { a: 'b', d: '90s' },
    ],
  ])('%s', (_title, expression, labels, expected) => {
    const request = one({ mutations: [expression], reinvocationPolicy: 'Never' }, pod({ labels }));
    expect(field(request, 'metadata')['labels']).toEqual(expected);
  });

  it('escapes only ~ and /', () => {
    const keys = ['~', '/', '*', 'k8s.io/my~'].map((key, index) => `"k${index}": jsonpatch.escapeKey("${key}")`);
    const request = one(
      { mutations: [`[JSONPatch{op: "add", path: "/metadata/annotations", value: {${keys.join()}}}]`] },
      pod(),
    );
    expect(field(request, 'metadata')['annotations']).toEqual({ k0: '~0', k1: '~1', k2: '*', k3: 'k8s.io~1my~0' });
  });

  it.each([
    ['0', ['x', 'a', 'b']],
    ['1', ['a', 'x', 'b']],
    ['-', ['a', 'b', 'x']],
    ['2', ['a', 'b', 'x']],
    ['-1', ['a', 'b', 'x']],
    ['-2', ['a', 'x', 'b']],
    ['01', ['a', 'x', 'b']],
  ])('adds to a list at %s', (index, expected) => {
    const object = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a}, {name: b}]}';
    const expression = `[JSONPatch{op: "add", path: "/spec/containers/${index}", value: {"name": "x"}}]`;
    const { containers } = specOf(one({ mutations: [expression], reinvocationPolicy: 'Never' }, object));
    expect((containers as { name: string }[]).map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    [
      'a missing parent',
      '[JSONPatch{op: "add", path: "/metadata/labels/x", value: "v"}]',
      'JSON Patch: add operation does not apply: doc is missing path: "/metadata/labels/x": missing value',
    ],
    [
      'a missing list',
      '[JSONPatch{op: "add", path: "/spec/initContainers/-", value: {}}]',
      'JSON Patch: add operation does not apply: doc is missing path: "/spec/initContainers/-": missing value',
    ],
    [
      'a removal of nothing',
      '[JSONPatch{op: "remove", path: "/spec/hostname"}]',
      "JSON Patch: error in remove for path: '/spec/hostname': Unable to remove nonexistent key: hostname: missing value",
    ],
    [
      'an invalid index',
      '[JSONPatch{op: "add", path: "/spec/containers/x", value: {}}]',
      `JSON Patch: error in add for path: '/spec/containers/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    [
      'an index that is too large',
      '[JSONPatch{op: "add", path: "/spec/containers/9", value: {}}]',
      "JSON Patch: error in add for path: '/spec/containers/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [
      'a replacement past the end',
      '[JSONPatch{op: "replace", path: "/spec/containers/-", value: {}}]',
      'JSON Patch: replace operation does not apply: doc is missing key: /spec/containers/-: missing value',
    ],
    [
      'a test below a missing field',
      '[JSONPatch{op: "test", path: "/metadata/labels/x", value: "v"}]',
      'JSON Patch: test operation does not apply: is missing path: /metadata/labels/x: missing value',
    ],
    [
      'a move from nowhere',
      '[JSONPatch{op: "move", from: "/nope", path: "/spec"}]',
      "JSON Patch: error in move for path: 'nope': Unable to remove nonexistent key: nope: missing value",
    ],
    [
      'a move without from',
      '[JSONPatch{op: "move", path: "/spec"}]',
      'JSON Patch: move operation failed to decode from: operation, missing from field: missing value',
    ],
    ['an unknown operation', '[JSONPatch{op: "frob", path: "/spec"}]', 'JSON Patch: Unexpected kind: frob'],
    [
      'no path',
      '[JSONPatch{op: "add", value: 3}]',
      'JSON Patch: add operation does not apply: doc is missing path: "": missing value',
    ],
    ['an empty list', '[]', 'must evaluate to list(JSONPatch) but got list(dyn)'],
    [
      'a single operation',
      'JSONPatch{op: "remove", path: "/spec"}',
      'must evaluate to list(JSONPatch) but got JSONPatch',
    ],
    [
      'a quantity',
      '[JSONPatch{op: "add", path: "/spec/hostname", value: quantity("1")}]',
      "JSONPath valueExpression evaluated to a type that could not marshal to JSON: type conversion error from 'Quantity' to '*structpb.Value'",
    ],
    [
      'a member of another type',
      '[JSONPatch{op: 1, path: "/spec"}]',
      "compilation failed: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'\n | [JSONPatch{op: 1, path: \"/spec\"}]\n | .............^",
    ],
    [
      'an unknown member',
      '[JSONPatch{op: "add", pth: "/spec"}]',
      "compilation failed: ERROR: <input>:1:26: expected type of field 'pth' is '' but provided type is 'string'\n | [JSONPatch{op: \"add\", pth: \"/spec\"}]\n | .........................^",
    ],
    [
      'a wrong name inside a value',
      '[JSONPatch{op: "add", path: "/spec", value: Object.spec{securityContext: Object.spec.security{}}}]',
      'type mismatch: unexpected type name "Object.spec.security", expected "Object.spec.securityContext", which matches field name path from root Object type',
    ],
  ])('refuses %s', (_title, expression, message) => {
    expect(answer(one({ mutations: [expression], types: ['JSONPatch'] }, pod()))).toEqual(denied(message));
  });

  it.each([
    [
      'an unknown field',
      '[JSONPatch{op: "add", path: "/spec/nope", value: 1}]',
      'strict decoding error: unknown field "spec.nope"',
    ],
    [
      'a wrong type',
      '[JSONPatch{op: "add", path: "/spec/replicas", value: "3"}]',
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'an integer that a double cannot represent',
      '[JSONPatch{op: "add", path: "/spec/replicas", value: 9007199254740993}]',
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
  ])('reports a server error for %s, regardless of failurePolicy', (_title, expression, message) => {
    const request = one({ mutations: [expression], failurePolicy: 'Ignore' }, deployment(1));
    expect(answer(request)).toEqual({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
    });
  });

  it('reports a server error for objects in a list in 1.36', () => {
    const expression =
      '[JSONPatch{op: "add", path: "/spec/initContainers", value: [Object.spec.initContainers{name: "a"}]}]';
    expect(answer(one({ mutations: [expression] }, pod()))).toMatchObject({ code: 500 });
  });

  it('accepts a concatenated list of objects', () => {
    const expression =
      '[JSONPatch{op: "add", path: "/spec/containers", value: object.spec.containers + [Object.spec.containers{name: "b"}]}]';
    const { containers } = specOf(one({ mutations: [expression], reinvocationPolicy: 'Never' }, pod()));
    expect(containers).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });

  it('removes the field when it adds a missing value', () => {
    const { replicas } = specOf(one({ mutations: ['[JSONPatch{op: "add", path: "/spec/replicas"}]'] }, deployment(1)));
    expect(replicas).toBeUndefined();
  });

  it('does not check the type of a value against its path', () => {
    const expression = '[JSONPatch{op: "replace", path: "/spec", value: Object.invalid{replicas: 4}}]';
    expect(specOf(one({ mutations: [expression] }, deployment(1)))['replicas']).toBe(4);
  });
});

describe('the two passes', () => {
  const MORE = 'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}';
  const NOTE = 'Object{metadata: Object.metadata{labels: {"n": string(object.spec.replicas)}}}';
  const PRODUCTION = 'Object{metadata: Object.metadata{labels: {"environment": "production"}}}';
  const SEEN = 'Object{metadata: Object.metadata{labels: {"seen": "yes"}}}';
  const IN_PRODUCTION = {
    production: 'has(object.metadata.labels) && object.metadata.labels[?"environment"].orValue("") == "production"',
  };

  it.each([
    ['IfNeeded', { b: {} }, 3],
    ['Never', { b: {} }, 2],
    ['Never', { b: {}, c: {} }, 3],
    ['IfNeeded', { b: {}, c: {} }, 5],
  ] as const)('number of runs for %s with bindings %o', (reinvocationPolicy, bindings, replicas) => {
    const request = one({ mutations: [MORE], reinvocationPolicy, bindings }, deployment(1));
    expect(specOf(request)['replicas']).toBe(replicas);
  });

  it.each([
    ['p', 'q', '2'],
    ['q', 'p', '1'],
  ])('lets a Never policy see the first pass (%s, %s)', (more, note, label) => {
    const policies = {
      [more]: { mutations: [MORE] },
      [note]: { mutations: [NOTE], reinvocationPolicy: 'Never' as const },
    };
    const result = answer({ policies, object: deployment(1) });
    expect(result).toMatchObject({ object: { metadata: { labels: { n: label } }, spec: { replicas: 3 } } });
  });

  it.each([
    ['sees earlier changes', 'a', 'b', { environment: 'production', seen: 'yes' }],
    ['does not see what comes after, not even the second time', 'b', 'a', { environment: 'production' }],
  ])('a condition %s', (_title, setter, reader, labels) => {
    const policies = {
      [setter]: { mutations: [PRODUCTION] },
      [reader]: { mutations: [SEEN], matchConditions: IN_PRODUCTION },
    };
    expect(field({ policies, object: deployment(1) }, 'metadata')['labels']).toEqual(labels);
  });

  it('evaluates selectors before any mutation', () => {
    const policies = {
      a: { mutations: [PRODUCTION] },
      b: { mutations: [SEEN], objectSelector: { environment: 'production' } },
    };
    expect(field({ policies, object: deployment(1) }, 'metadata')['labels']).toEqual({ environment: 'production' });
  });

  it('appends twice without a guard', () => {
    const again = specOf(one({ mutations: [APPEND_LOGGER] }, pod({ init: '{name: setup, image: "setup:1"}' })));
    expect(again['initContainers']).toEqual([SETUP, LOGGED, LOGGED]);
    const never: WrittenPolicy = { mutations: [APPEND_LOGGER], reinvocationPolicy: 'Never' };
    const once = specOf({
      policies: { p: never, q: { mutations: [SEEN] } },
      object: pod({ init: '{name: setup, image: "setup:1"}' }),
    });
    expect(once['initContainers']).toEqual([SETUP, LOGGED]);
  });

  it('shows each mutation the result of the previous one', () => {
    const mutations = [
      'Object{spec: Object.spec{replicas: object.spec.replicas + 100}}',
      '[JSONPatch{op: "replace", path: "/spec/replicas", value: object.spec.replicas + 10}]',
    ];
    const inOrder = specOf(one({ mutations, reinvocationPolicy: 'Never' }, deployment(1)));
    expect(inOrder['replicas']).toBe(111);
  });

  it('reports each change with its policy and pass', () => {
    const { changes } = mutateOnce(one({ mutations: [MORE] }, deployment(1)));
    expect(
      changes.map(({ policy, binding, pass, paths, rule }) => [policy.name, binding?.name, pass, paths, rule]),
    ).toEqual([
      ['p', 'b', 1, [['spec', 'replicas']], ['spec', 'mutations', 0, 'applyConfiguration', 'expression']],
      ['p', 'b', 2, [['spec', 'replicas']], ['spec', 'mutations', 0, 'applyConfiguration', 'expression']],
    ]);
  });
});

describe('failures', () => {
  const UNKNOWN = 'Object{spec: Object.spec{nope: 1}}';
  const SEVEN = 'Object{spec: Object.spec{replicas: 7}}';

  it('reports the first and continues', () => {
    const policies = {
      p: { mutations: [UNKNOWN], bindings: { b: {} } },
      q: { mutations: ['[JSONPatch{op: "remove", path: "/spec/nope"}]'], bindings: { c: {} } },
    };
    const { outcome } = mutateOnce({ policies, object: deployment(1) });
    expect(outcome.denial?.message).toBe(
      `policy 'p' with binding 'b' denied request: ${UNTYPED}.spec.nope: field not declared in schema`,
    );
    expect(outcome.evaluations.map(({ policy, action, code }) => [policy.name, action, code])).toEqual([
      ['p', 'deny', 403],
      ['q', 'deny', 403],
    ]);
  });

  it.each([
    ['before', [UNKNOWN, SEVEN]],
    ['after', [SEVEN, UNKNOWN]],
  ])('keeps successful mutations %s an ignored failure', (_title, mutations) => {
    expect(specOf(one({ mutations, failurePolicy: 'Ignore' }, deployment(1)))['replicas']).toBe(7);
  });

  it('rejects when a condition fails, unless another is false', () => {
    const fails = { one: 'object.spec.nope == 1', two: 'true' };
    const message = "expression 'object.spec.nope == 1' resulted in error: no such key: nope";
    expect(answer(one({ mutations: ['Object{}'], matchConditions: fails }, pod()))).toEqual(denied(message));
    const doesNotHold = { one: 'object.spec.nope == 1', two: 'false' };
    expect(answer(one({ mutations: ['Object{}'], matchConditions: doesNotHold }, pod()))).toHaveProperty('object');
    expect(
      answer(one({ mutations: ['Object{}'], matchConditions: fails, failurePolicy: 'Ignore' }, pod())),
    ).toHaveProperty('object');
  });

  it('conditions see variables at run time', () => {
    const policy: WrittenPolicy = {
      mutations: ['Object{metadata: Object.metadata{labels: {"v": variables.greeting}}}'],
      variables: { greeting: '"hello-" + object.metadata.name' },
      matchConditions: { greeted: 'variables.greeting == "hello-web"' },
    };
    expect(field(one(policy, pod()), 'metadata')['labels']).toEqual({ v: 'hello-web' });
  });

  it('variables cannot use patch types', () => {
    const policy: WrittenPolicy = {
      mutations: ['Object{metadata: variables.m}'],
      variables: { m: 'Object.metadata{labels: {"a": "b"}}' },
    };
    const inner = `compilation failed: ERROR: <input>:1:16: undeclared reference to 'Object.metadata' (in container '')\n | Object.metadata{labels: {"a": "b"}}\n | ...............^`;
    const message = `expression 'Object{metadata: variables.m}' resulted in error: composited variable "m" fails to compile: ${inner}`;
    expect(answer(one(policy, pod()))).toEqual(denied(message));
  });

  it('stops at the cost limit', () => {
    const all = (depth: number): string => (depth === 0 ? 'true' : `variables.ten.all(x${depth}, ${all(depth - 1)})`);
    const policy: WrittenPolicy = {
      mutations: [`Object{spec: Object.spec{paused: ${all(6)}}}`],
      variables: { ten: '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]' },
    };
    expect(answer(one(policy, deployment(1)))).toMatchObject({
      message: expect.stringContaining('operation cancelled: actual cost limit exceeded'),
    });
  });

  it('ignores DELETE requests', () => {
    const { object, outcome } = mutateOnce(
      one({ mutations: ['Object{}'] }, pod(), { operation: 'DELETE', oldObject: pod() }),
    );
    expect(object).toBeNull();
    expect(outcome.exempt).toBe(true);
  });

  it('sees the old object of an update', () => {
    const expression = 'Object{spec: Object.spec{replicas: oldObject.spec.replicas + 1}}';
    const request = one({ mutations: [expression] }, deployment(1), { operation: 'UPDATE', oldObject: deployment(5) });
    expect(specOf(request)['replicas']).toBe(6);
  });

  it('can read the user and the operation', () => {
    const expression =
      'Object{metadata: Object.metadata{labels: {"x": request.operation, "n": namespaceObject.metadata.name, "u": request.userInfo.username, "a": string(authorizer.requestResource.check("create").allowed())}}}';
    expect(field(one({ mutations: [expression] }, pod()), 'metadata')['labels']).toEqual({
      x: 'CREATE',
      n: 'default',
      u: 'alice',
      a: 'true',
    });
  });
});

describe('params', () => {
  const MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
  const cluster = ['c1', 'c2']
    .map(
      (name) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: {key: ${name}-value}\n`,
    )
    .join('---\n');
  const LABEL = 'Object{metadata: Object.metadata{labels: {"v": params.data.key}}}';
  const EACH = '[JSONPatch{op: "add", path: "/metadata/annotations/" + params.metadata.name, value: params.data.key}]';
  const ref = (paramRef: object) => ({ b: { paramRef } });

  it('are given by name', () => {
    const policy = {
      mutations: [LABEL],
      paramKind: MAP,
      bindings: ref({ name: 'c2', parameterNotFoundAction: 'Deny' }),
    };
    expect(field(one(policy, pod(), { cluster }), 'metadata')['labels']).toEqual({ v: 'c2-value' });
  });

  it('are applied one after the other', () => {
    const policy = {
      mutations: [EACH],
      paramKind: MAP,
      bindings: ref({ selector: {}, parameterNotFoundAction: 'Deny' }),
    };
    const request = one(policy, pod({ annotations: '{z: z}' }), { cluster });
    expect(field(request, 'metadata')['annotations']).toEqual({ c1: 'c1-value', c2: 'c2-value', z: 'z' });
  });

  it.each([
    [
      'Fail',
      'Deny',
      {
        code: 403,
        reason: 'Forbidden',
        message:
          "policy 'p' with binding 'b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
      },
    ],
    ['Ignore', 'Deny', { object: expect.anything() }],
    ['Fail', 'Allow', { object: expect.anything() }],
  ] as const)('that are missing, with %s and %s', (failurePolicy, parameterNotFoundAction, expected) => {
    const policy = {
      mutations: [LABEL],
      failurePolicy,
      paramKind: MAP,
      bindings: ref({ name: 'none', parameterNotFoundAction }),
    };
    expect(answer(one(policy, pod(), { cluster }))).toEqual(expected);
  });

  it('are null if the binding has no paramRef', () => {
    const expression = 'Object{metadata: Object.metadata{labels: {"v": string(params == null)}}}';
    expect(field(one({ mutations: [expression], paramKind: MAP }, pod()), 'metadata')['labels']).toEqual({ v: 'true' });
  });

  it('of an unserved kind are an error of the policy', () => {
    const paramKind = { apiVersion: 'mutations.example.com/v1', kind: 'Sidecar' };
    const result = answer(one({ mutations: [LABEL], paramKind }, pod()));
    const missing = "failed to find resource referenced by paramKind: 'mutations.example.com/v1, Kind=Sidecar'";
    const message = `policy "p" denied request: failed to configure policy: ${missing}`;
    expect(result).toEqual({ code: 403, reason: 'Forbidden', message });
  });

  it('are not evaluated for a binding that excludes the object', () => {
    const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['pods'] };
    const policy = {
      mutations: ['Object{metadata: Object.metadata{labels: {"n": "1"}}}'],
      bindings: { b: { matchResources: { excludeResourceRules: [rule] } } },
    };
    expect(field(one(policy, pod()), 'metadata')['labels']).toBeUndefined();
  });
});

describe('unbounded growth', () => {
  const grow = (expression: string): WrittenRequest =>
    one(
      { mutations: Array.from({ length: 200 }, () => expression), failurePolicy: 'Ignore' },
      pod({ annotations: '{a: x}' }),
    );

  it.each([
    [
      'keys',
      '[JSONPatch{op: "add", path: "/metadata/annotations", value: object.metadata.annotations.transformMapEntry(k, v, {k + "x": v, k + "y": v})}]',
    ],
    [
      'elements',
      '[JSONPatch{op: "add", path: "/spec/containers", value: object.spec.containers + object.spec.containers}]',
    ],
  ])('is stopped and reported when it doubles %s', (_title, expression) => {
    const request = grow(expression);
    const { changes, outcome } = mutateOnce(request);
    expect(changes).toEqual([]);
    expect(outcome.evaluations.some(({ result, missing }) => result === 'unknown' && missing.length === 1)).toBe(true);
  });

  it('is limited by the server’s copy limit for patches', () => {
    const copies = Array.from(
      { length: 40 },
      (_, index) => `JSONPatch{op: "copy", from: "/metadata", path: "/metadata/annotations/m${index}"}`,
    );
    const request = one({ mutations: [`[${copies.join()}]`] }, pod({ annotations: '{a: x}' }));
    expect(answer(request)).toMatchObject({
      message: expect.stringMatching(
        /JSON Patch: Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
      ),
    });
  });

  it('allows a thousand mutations', () => {
    const mutations = Array.from(
      { length: 1_000 },
      (_, index) => `Object{metadata: Object.metadata{labels: {"l${index}": "v"}}}`,
    );
    const labels = field(one({ mutations, reinvocationPolicy: 'Never' }, pod()), 'metadata')['labels'];
    expect(Object.keys(labels as object)).toHaveLength(1_000);
  });
});
