// Objects and patches as expression values, and patches of lists and maps. Results as in Kubernetes' own tests.
import { describe, expect, it } from 'vitest';
import { answer, type WrittenPolicy } from './mutate.ts';

function deployment(labels: string, containers: string, more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop${labels === '' ? '' : `, labels: ${labels}`}}
spec:
  replicas: 1
  selector: {matchLabels: {app: shop}}
  template: {metadata: {labels: {app: shop}}, spec: {containers: ${containers}${more}}}`;
}

const PLAIN = deployment('', '[{name: a, image: i}]');

interface Stored {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: unknown;
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly name: string; readonly [field: string]: unknown }[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}

function stored(policy: WrittenPolicy | string, object = PLAIN): Stored {
  const written: WrittenPolicy =
    typeof policy === 'string' ? { mutations: [policy], types: [patchTypeOf(policy)] } : policy;
  const result = answer({ policies: { p: { reinvocationPolicy: 'Never', ...written } }, object });
  if (!('object' in result)) throw new Error(result.message);
  return result.object as Stored;
}

function patchTypeOf(expression: string): 'JSONPatch' | 'ApplyConfiguration' {
  return expression.startsWith('[') ? 'JSONPatch' : 'ApplyConfiguration';
}

function refusal(expression: string): string {
  const result = answer({
    policies: { p: { mutations: [expression], types: [patchTypeOf(expression)] } },
    object: PLAIN,
  });
  if ('object' in result) throw new Error(`${expression} is not refused`);
  return result.message;
}

describe('objects as values', () => {
  it.each([
    ['Object{field: "v"}.field == "v"', true],
    ['has(Object{field: "v"}.field)', true],
    ['has(Object{}.field)', false],
    ['Object{} == Object{}', true],
    ['Object{field: "v"} == Object{field: "v"}', true],
    ['Object{field: "v"} == Object{field: "w"}', false],
    ['Object{intList: [1, 2, 3]}.intList.sum() == 6', true],
    ['Object{}.?existing.hasValue()', false],
    ['Object{?existing: optional.none()} == Object{}', true],
    ['has(JSONPatch{op: "add"}.path)', false],
    ['has(JSONPatch{op: "add", path: "/a", from: "/b", value: 1}.value)', true],
    ['JSONPatch{op: "add", path: "/a"}.path == "/a"', true],
    ['JSONPatch{op: "add", path: "/a"} == JSONPatch{op: "add", path: "/a"}', true],
    ['JSONPatch{op: "add", path: "/a"} == JSONPatch{op: "add", path: "/b"}', false],
  ])('%s is %s', (expression, expected) => {
    const { metadata } = stored(`Object{metadata: Object.metadata{labels: {"v": string(${expression})}}}`);
    expect(metadata.labels).toEqual({ v: String(expected) });
  });

  it.each([
    ['Invalid{}', "undeclared reference to 'Invalid'"],
    ['"I\'m a teapot!"', 'must evaluate to Object but got string'],
    ['Object.spec.metadata{}', 'must evaluate to Object but got Object.spec.metadata'],
    ['[JSONPatch{op: "add", path: 1}]', "expected type of field 'path' is 'string' but provided type is 'int'"],
    ['[JSONPatch{op: "move", from: 1}]', "expected type of field 'from' is 'string' but provided type is 'int'"],
    [
      '[JSONPatch{op: "add", path: "/spec/template/spec/containers/-", value: Object.spec.template.spec.containers{name: "x", ports: [Object.spec.template.spec.containers.portsZ{containerPort: 80}]}}]',
      'type mismatch: unexpected type name "Object.spec.template.spec.containers.portsZ", expected "Object.spec.template.spec.containers.ports"',
    ],
    [
      '[JSONPatch{op: "add", path: "/spec/template/spec/containers/-", value: Object.spec.template.spec.containers{name: "x", ports: [Object.spec.template.spec.containers.ports{containerPortZ: 80}]}}]',
      'strict decoding error: unknown field "spec.template.spec.containers[1].ports[0].containerPortZ"',
    ],
  ])('%s is refused', (expression, message) => {
    expect(refusal(expression)).toContain(message);
  });

  it('a conditional expression may choose between two patches', () => {
    const [more, less] = [1, 2].map((value) => `JSONPatch{op: "replace", path: "/spec/replicas", value: ${value * 5}}`);
    expect(stored(`[object.spec.replicas > 3 ? ${less} : ${more}]`).spec.replicas).toBe(5);
  });

  it('a variable is used by patches of both types', () => {
    const variables = { desired: '10' };
    const patch = '[JSONPatch{op: "replace", path: "/spec/replicas", value: variables.desired + 1}]';
    const configuration = 'Object{spec: Object.spec{replicas: variables.desired + 1}}';
    expect(stored({ variables, mutations: [patch] }).spec.replicas).toBe(11);
    expect(stored({ variables, mutations: [configuration] }).spec.replicas).toBe(11);
  });
});

describe('patches of lists and maps', () => {
  const CONTAINERS = '/spec/template/spec/containers';
  const names = (expression: string): readonly string[] => {
    const object = deployment('', '[{name: a}, {name: b}, {name: c}]');
    return stored(expression, object).spec.template.spec.containers.map(({ name }) => name);
  };

  it.each([
    [`[JSONPatch{op: "remove", path: "${CONTAINERS}/1"}]`, ['a', 'c']],
    [`[JSONPatch{op: "move", from: "${CONTAINERS}/0", path: "${CONTAINERS}/-"}]`, ['b', 'c', 'a']],
    [`[JSONPatch{op: "copy", from: "${CONTAINERS}/0", path: "${CONTAINERS}/-"}]`, ['a', 'b', 'c', 'a']],
    [`[JSONPatch{op: "add", path: "${CONTAINERS}/0", value: {"name": "x"}}]`, ['x', 'a', 'b', 'c']],
    [`[JSONPatch{op: "replace", path: "${CONTAINERS}/0", value: {"name": "x"}}]`, ['x', 'b', 'c']],
  ])('%s', (expression, expected) => {
    expect(names(expression)).toEqual(expected);
  });

  it.each([
    ['on none', '', '[JSONPatch{op: "add", path: "/metadata/labels", value: {"y": "2"}}]', { y: '2' }],
    ['on some', '{x: "1"}', '[JSONPatch{op: "add", path: "/metadata/labels", value: {"y": "2"}}]', { y: '2' }],
    ['by replace on none', '', '[JSONPatch{op: "replace", path: "/metadata/labels", value: {"y": "2"}}]', { y: '2' }],
    [
      'created first and filled afterwards',
      '',
      '[JSONPatch{op: "add", path: "/metadata/labels", value: {}}, JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("k8s.io/x~y"), value: "v"}]',
      { 'k8s.io/x~y': 'v' },
    ],
  ])('labels %s', (_title, labels, expression, expected) => {
    expect(stored(expression, deployment(labels, '[{name: a}]')).metadata.labels).toEqual(expected);
  });

  it('an object replaces a whole spec, including its empty structs', () => {
    const { spec } = stored(
      '[JSONPatch{op: "add", path: "/spec", value: Object.spec{selector: Object.spec.selector{}, replicas: 10}}]',
    );
    expect(spec).toMatchObject({ selector: {}, replicas: 10 });
  });

  it('a selector is replaced, not merged', () => {
    const { spec } = stored(
      '[JSONPatch{op: "add", path: "/spec/selector", value: Object.spec.selector{matchLabels: {"environment": "test"}}}]',
    );
    expect(spec.selector).toEqual({ matchLabels: { environment: 'test' } });
  });

  it('an item with ports is appended', () => {
    const item =
      'Object.spec.template.spec.containers{name: "x", ports: [Object.spec.template.spec.containers.ports{containerPort: 8080}]}';
    const { containers } = stored(`[JSONPatch{op: "add", path: "${CONTAINERS}/-", value: ${item}}]`).spec.template.spec;
    expect(containers).toMatchObject([{ name: 'a' }, { name: 'x', ports: [{ containerPort: 8080 }] }]);
  });

  it('a list element is added or merged by its key', () => {
    const volume = (name: string): string =>
      `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{volumes: [Object.spec.template.spec.volumes{name: "${name}"}]}}}}`;
    const object = deployment('', '[{name: a}]', ', volumes: [{name: x}]');
    const volumes = (name: string): readonly string[] =>
      (stored(volume(name), object).spec.template.spec.volumes ?? []).map((each) => each.name);
    expect(volumes('y')).toEqual(['x', 'y']);
    expect(volumes('x')).toEqual(['x']);
  });

  it('an env list may contain a name twice, until a patch uses that name', () => {
    const object = deployment('', '[{name: a, env: [{name: E, value: "1"}, {name: E, value: "2"}]}]');
    const container = (fields: string): string =>
      `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "a", ${fields}}]}}}}`;
    const envAfter = (fields: string): unknown =>
      stored(container(fields), object).spec.template.spec.containers[0]?.['env'];
    expect(envAfter('image: "j"')).toEqual([
      { name: 'E', value: '1' },
      { name: 'E', value: '2' },
    ]);
    expect(envAfter('env: [Object.spec.template.spec.containers.env{name: "E", value: "3"}]')).toEqual([
      { name: 'E', value: '3' },
    ]);
  });
});

describe('a condition that reads a missing field', () => {
  const EXAMPLE: WrittenPolicy = {
    mutations: ['Object{metadata: Object.metadata{labels: {"sidecar": "yes"}}}'],
    matchConditions: { 'no-sidecar-yet': '!object.spec.initContainers.exists(c, c.name == "proxy")' },
  };
  const POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, image: i}]}';

  it('rejects the request', () => {
    expect(answer({ policies: { p: EXAMPLE }, object: POD })).toMatchObject({
      code: 403,
      message: expect.stringContaining('resulted in error: no such key: initContainers'),
    });
  });

  it('leaves the object unchanged if failures are ignored', () => {
    const result = answer({ policies: { p: { ...EXAMPLE, failurePolicy: 'Ignore' } }, object: POD });
    expect('object' in result && (result.object as Stored).metadata.labels).toBeUndefined();
  });
});
