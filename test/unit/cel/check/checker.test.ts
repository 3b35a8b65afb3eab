// Types of expressions, meaning of names, and errors of the checker.
import { describe, expect, it } from 'vitest';
import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  opaque,
  optionalOf,
  STRING,
  struct,
  type Type,
} from '../../../../src/cel/check/type.ts';
import type { TypeProvider } from '../../../../src/cel/check/type-provider.ts';
import { Environment } from '../../../../src/cel/environment.ts';
import { displayIssues } from '../../../../src/cel/issue/display-issues.ts';
import { OPTIONAL_LIBRARY } from '../../../../src/cel/library/optional.ts';
import { SETS } from '../../../../src/cel/library/sets.ts';
import { standardLibrary } from '../../../../src/cel/library/standard.ts';

const NODE = struct('Node');
const FIELDS: Readonly<Record<string, Type>> = {
  name: STRING,
  next: NODE,
  labels: mapOf(STRING, STRING),
  count: INT,
  __namespace__: BOOL,
};
const NODES: TypeProvider = {
  findStruct: (name) => (name === 'Node' ? NODE : undefined),
  findField: (_, field) => (Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined),
  fieldNames: () => Object.keys(FIELDS),
  findIdentifier: (name) => (name === 'Color.RED' ? { type: INT, value: 1n } : undefined),
};

const ENVIRONMENT = new Environment({
  libraries: [standardLibrary(), OPTIONAL_LIBRARY, SETS],
  types: [NODES],
  variables: [
    { name: 'any', type: DYN },
    { name: 'node', type: NODE },
    { name: 'names', type: listOf(STRING) },
    { name: 'some', type: optionalOf(mapOf(STRING, INT)) },
    { name: 'box', type: opaque('box') },
    { name: 'ghost', type: struct('Ghost') },
    { name: 'a.b', type: INT },
  ],
  optionalSyntax: true,
  crossTypeNumericComparisons: true,
});

function typeOf(text: string, environment = ENVIRONMENT): string {
  const { ast, issues } = environment.compile(text);
  return ast === undefined ? displayIssues(text, issues) : String(ast.outputType);
}

function problems(text: string, environment = ENVIRONMENT): string[] {
  return environment.compile(text).issues.map(({ offset, message }) => `${offset}: ${message}`);
}

describe('types', () => {
  it.each([
    ['1 + 2', 'int'],
    ['any + 1', 'int'],
    ['any + any', 'dyn'],
    ['1 < 2.5', 'bool'],
    ['any.spec.replicas', 'dyn'],
    ['node.next.next.name', 'string'],
    ['node.labels.app', 'string'],
    ["node.labels['app']", 'string'],
    ['node.?name', 'optional_type(string)'],
    ['some.?a.orValue(1)', 'int'],
    ['some.a', 'optional_type(int)'],
    ["some[?'a']", 'optional_type(int)'],
    ['has(node.next.name)', 'bool'],
    ['[]', 'list(dyn)'],
    ['{}', 'map(dyn, dyn)'],
    ['[1] + []', 'list(int)'],
    ['[] + [1]', 'list(int)'],
    ["[1, 'a']", 'list(dyn)'],
    ['[1] + [any]', 'list(dyn)'],
    ['[null, node]', 'list(Node)'],
    ['{1: names}', 'map(int, list(string))'],
    ['[?some.?a]', 'list(int)'],
    ['true ? 1 : any', 'dyn'],
    ['names.map(n, n.size())', 'list(int)'],
    ['names.filter(n, n != "")', 'list(string)'],
    ['node.labels.all(k, node.labels[k] != "")', 'bool'],
    ['[{}.map(c, c, c)] + [{}.map(c, c, c)]', 'list(list(bool))'],
    ['some.optMap(m, m.a)', 'optional_type(int)'],
    ['sets.contains(names, [])', 'bool'],
    ['type(1)', 'type(int)'],
    ['int', 'type(int)'],
    ['type(names) == list', 'bool'],
    ['google.protobuf.Timestamp', 'type(google.protobuf.Timestamp)'],
    ['google.protobuf.Int32Value{value: 1}', 'wrapper(int)'],
    ["Node{name: 'x', next: null}", 'Node'],
    ['Color.RED', 'int'],
    ['.a.b + a.b', 'int'],
    ['duration("1s") == null', 'bool'],
  ])('%s', (text, type) => {
    expect(typeOf(text)).toBe(type);
  });
});

describe('problems', () => {
  it.each([
    ['nobody.name', ["0: undeclared reference to 'nobody' (in container '')"]],
    ['nothing(1)', ["7: undeclared reference to 'nothing' (in container '')"]],
    ['any.nothing()', ["11: undeclared reference to 'nothing' (in container '')"]],
    ["1 + 'a'", ["2: found no matching overload for '_+_' applied to '(int, string)'"]],
    ['names.contains(1)', ["14: found no matching overload for 'contains' applied to 'list(string).(int)'"]],
    ['node.nam', ["4: undefined field 'nam'"]],
    ['node.name.first', ["9: type 'string' does not support field selection"]],
    ['box.lid', ["3: type 'box' does not support field selection"]],
    ['ghost.name', ["5: unexpected failed resolution of 'Ghost'"]],
    ['[].length', ["2: type 'list(_var0)' does not support field selection"]],
    [
      '1.all(x, true)',
      ["0: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
    ],
    ['names.all(n, n)', ["13: expected type 'bool' but found 'string'"]],
    ['1 && true', ["0: expected type 'bool' but found 'int'"]],
    ['[?1]', ["2: expected type 'optional_type(int)' but found 'int'"]],
    ['Nobody{}', ["6: undeclared reference to 'Nobody' (in container '')"]],
    ['int{}', ["3: 'int' is not a message type"]],
    ['any{}', ["3: 'dyn' is not a type"]],
    [
      'Node{count: "1", nam: 1}',
      ["10: expected type of field 'count' is 'int' but provided type is 'string'", "20: undefined field 'nam'"],
    ],
    [
      'nobody + nothing()',
      [
        "0: undeclared reference to 'nobody' (in container '')",
        "16: undeclared reference to 'nothing' (in container '')",
      ],
    ],
  ])('%s', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});

describe('settings', () => {
  it('can require literals of one type', () => {
    const strict = new Environment({ libraries: [standardLibrary()], homogeneousAggregateLiterals: true });
    expect(problems("[1, 'a']", strict)).toEqual(["4: expected type 'int' but found 'string'"]);
    expect(problems("{1: 2, 'a': true}", strict)).toEqual([
      "7: expected type 'int' but found 'string'",
      "12: expected type 'int' but found 'bool'",
    ]);
  });

  it('can exclude comparisons across number types, except after a comprehension, like cel-go', () => {
    const old = new Environment({ libraries: [standardLibrary()] });
    expect(problems('1 < 2.0', old)).toEqual(["2: found no matching overload for '_<_' applied to '(int, double)'"]);
    expect(typeOf('[1].all(x, x < 2.0) && 1 < 2.0', old)).toBe('bool');
  });

  it('can permit unescaped fields named like keywords', () => {
    expect(problems('node.namespace')).toEqual(["4: undefined field 'namespace'"]);
    const lenient = new Environment({
      libraries: [standardLibrary()],
      types: [NODES],
      variables: [{ name: 'node', type: NODE }],
      keywordFieldNames: true,
    });
    expect(typeOf('node.namespace', lenient)).toBe('bool');
    expect(typeOf('Node{namespace: true}', lenient)).toBe('Node');
  });

  it('resolves names from the container outwards', () => {
    const inside = new Environment({
      libraries: [standardLibrary()],
      variables: [
        { name: 'p.q.x', type: INT },
        { name: 'p.y', type: STRING },
        { name: 'x', type: BOOL },
      ],
      container: 'p.q',
    });
    expect(typeOf('x', inside)).toBe('int');
    expect(typeOf('y', inside)).toBe('string');
    expect(typeOf('.x', inside)).toBe('bool');
    expect(problems('z', inside)).toEqual(["0: undeclared reference to 'z' (in container 'p.q')"]);
  });
});

describe('the checked tree', () => {
  it('contains the meaning of names', () => {
    const { ast } = ENVIRONMENT.compile('sets.contains([a.b], [Color.RED]) || int == type(any)');
    expect(ast?.expr).toMatchObject({
      function: '_||_',
      args: [
        {
          function: 'sets.contains',
          target: undefined,
          args: [{ elements: [{ kind: 'ident', name: 'a.b', offset: 16 }] }, {}],
        },
        {},
      ],
    });
    expect([...(ast?.references.values() ?? [])]).toContainEqual({ name: 'Color.RED', overloadIds: [], value: 1n });
  });

  it('keeps every overload that may apply', () => {
    const { ast } = ENVIRONMENT.compile('size(any)');
    expect([...(ast?.references.values() ?? [])].map(({ overloadIds }) => overloadIds)).toContainEqual([
      'size_bytes',
      'size_list',
      'size_map',
      'size_string',
    ]);
  });

  it('keeps the macro calls as written', () => {
    const { ast } = ENVIRONMENT.compile('has(node.name)');
    expect(ast?.macroCalls.get(ast.expr.id)).toMatchObject({
      function: 'has',
      args: [{ field: 'name', testOnly: false }],
    });
  });
});

describe('hostile expressions', () => {
  it('stops at types that double with every step', () => {
    expect(problems(`[1]${'.map(x, {x: x})'.repeat(60)}`).map((text) => text.replace(/^\d+: /, ''))).toEqual([
      'types are too large to be checked',
    ]);
  });
});
