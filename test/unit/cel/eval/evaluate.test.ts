// Results and costs of expressions on JSON objects, as in cel-go v0.26 with Kubernetes' settings.
import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../src/cel/value/value.ts';
import { outcome, run } from '../../../support/cel-program.ts';

const OBJECT = {
  name: 'web',
  replicas: 3,
  ratio: 1.5,
  none: null,
  list: [1, 2, 3],
  labels: { app: 'web' },
  containers: [
    { name: 'server', image: 'registry.example.com/server:v1' },
    { name: 'proxy', image: 'registry.example.com/proxy:latest', ports: [80] },
  ],
};

function answer(expression: string, more: Readonly<Record<string, unknown>> = {}): [Value, number] {
  const evaluation = run(expression, { x: OBJECT, ...more });
  return [outcome(evaluation), evaluation.cost];
}

describe('selection', () => {
  it.each<[string, Value, number]>([
    ['x.replicas', 3n, 2],
    ['x.none', null, 2],
    ['x.missing', 'error: no such key: missing', 2],
    ['x.missing.deeper', 'error: no such key: missing', 2],
    ['x.none.deeper', 'error: no such key: deeper', 3],
    ['x.name.deeper', 'error: no such key: deeper', 3],
    ['x.list.deeper', "error: unsupported index type 'string' in list", 3],
    ['has(x.labels.app)', true, 2],
    ['has(x.labels.tier)', false, 2],
    ['has(x.none.deeper)', false, 2],
    ['has(x.name.deeper)', false, 2],
    ['has(x.missing.deeper)', 'error: no such key: missing', 1],
    ['has((x.replicas > 2 ? x : x.labels).name)', true, 3],
    ['has((x.replicas > "2" ? x : x.labels).name)', 'error: no such overload', 2],
    ['has((x.replicas > 2 ? x : x.labels).?labels.app)', true, 4],
    ['has((true ? x : x).missing)', false, 0],
    ['x.?labels.?app.orValue("z")', 'web', 3],
    ['x.?labels.?tier.orValue("z")', 'z', 2],
    ['x.?missing.?deeper.orValue("z")', 'z', 1],
    ['has(x.?labels.app)', true, 2],
    ['has(x.?missing.app)', false, 0],
  ])('%s', (expression, value, cost) => {
    expect(answer(expression)).toEqual([value, cost]);
  });

  it('names the variable that is not bound', () => {
    expect(answer('y', { y: undefined })[0]).toBe('error: no such attribute(s): y');
    expect(answer('y.z == 1 || true', { y: undefined })[0]).toBe(true);
  });
});

describe('indexing', () => {
  it.each<[string, Value, number]>([
    ['x.list[0]', 1n, 3],
    ['x.list[1.0]', 2n, 3],
    ['x.list[dyn(2u)]', 3n, 3],
    ['x.list[3]', 'error: index out of bounds: 3', 3],
    ['x.list[-1]', 'error: index out of bounds: -1', 3],
    ['x.list[0.5]', 'error: unsupported index value 0.5 in list', 3],
    ['x.list["a"]', "error: unsupported index type 'string' in list", 3],
    ['x.labels["app"]', 'web', 3],
    ['x.labels[1]', 'error: no such key: 1', 3],
    ['x.labels[x.none]', 'error: invalid qualifier type: <nil>', 4],
    ['x.labels[dyn(null)]', 'error: program: invalid qualifier type: types.Null', 0],
    ['x.labels[x.missing]', 'error: no such key: missing', 4],
    ['x.none["a"]', 'error: no such key: a', 3],
    ['x.list[?7].orValue(0)', 0n, 2],
    ['[1, 2][x.replicas - 2]', 2n, 5],
  ])('%s', (expression, value, cost) => {
    expect(answer(expression)).toEqual([value, cost]);
  });
});

describe('errors', () => {
  it.each<[string, Value, number]>([
    ['x.missing || true', true, 2],
    ['true || x.missing', true, 0],
    ['x.missing && false', false, 2],
    ['x.missing && true', 'error: no such key: missing', 2],
    ['x.missing || x.absent', 'error: no such key: missing', 4],
    ['x.name || false', 'error: no such overload', 2],
    ['x.name ? 1 : 2', 'error: no such overload', 2],
    ['!x.name', 'error: no such overload', 3],
    ['x.list + 1', 'error: no such overload', 3],
    ['x.none + 1', 'error: no such overload: _+_', 3],
    ['x.none < 1', 'error: no such overload: _<_', 3],
    ['x.name < 1', 'error: no such overload', 3],
    ['"a" in x.name', 'error: no such overload', 3],
    ['x.none.size()', 'error: no such overload: size', 3],
    ['string(x.none)', 'error: no such overload: string(null_type)', 3],
    ['x.name.getHours()', 'error: no such overload: getHours(string)', 3],
    ['x.none.startsWith("a")', 'error: no such overload', 3],
    ['x.name.matches(x.none)', 'error: no such overload', 5],
    ['x.missing.matches("a")', 'error: no such key: missing', 2],
    ['x.none.all(e, e)', "error: got 'types.Null', expected iterable type", 2],
    ['x.name.all(i, e, true)', 'error: unsupported comprehension range type: types.String', 2],
    ['int("a")', "error: program: type conversion error from 'string' to 'int'", 0],
    ['"a".matches("[")', 'error: program: error parsing regexp: missing closing ]: `[`', 0],
    ['dyn(b"a") in ["a"]', 'error: internal error: runtime error: hash of unhashable type types.Bytes', 0],
    ['dyn(b"a") in ["a"] || true', 'error: internal error: runtime error: hash of unhashable type types.Bytes', 0],
  ])('%s', (expression, value, cost) => {
    expect(answer(expression)).toEqual([value, cost]);
  });
});

describe('comprehensions', () => {
  it.each<[string, Value, number]>([
    ['x.list.all(e, e > 0)', true, 18],
    ['x.list.all(e, e < 2)', false, 15],
    ['x.list.exists(e, e == 2)', true, 18],
    ['x.list.exists_one(e, e > 2)', true, 12],
    ['x.list.map(e, e * 2)', [2n, 4n, 6n], 45],
    ['x.list.filter(e, e > 1)', [2n, 3n], 35],
    ['x.list.map(e, e > 2, e)', [3n], 22],
    ['x.labels.all(k, k == "app")', true, 8],
    ['[0, 1, 2].all(e, 1 / e > 5)', false, 15],
    ['[1, 2].all(e, e / 0 == 1)', 'error: division by zero', 13],
    ['[0, 1].exists(e, 1 / e == 1)', true, 15],
    ['[0, 1].exists_one(e, 1 / e == 1)', 'error: division by zero', 10],
    ['[0, 1].map(e, 1 / e)', 'error: division by zero', 29],
    ['[].all(e, e)', true, 1],
    ['x.list.exists(i, e, i == 2 && e == 3)', true, 23],
    ['x.list.transformList(i, e, e - i)', [1n, 1n, 1n], 48],
    ['optional.of(2).optMap(v, v * v).value()', 4n, 9],
    [
      'optional.of([]).optMap(v, [v + [1], v + [2]]).value()',
      [
        [1n, 2n],
        [1n, 2n],
      ] as Value,
      20,
    ],
  ])('%s', (expression, value, cost) => {
    expect(answer(expression)).toEqual([value, cost]);
  });

  it('builds maps', () => {
    expect(answer('{"a": 1}.transformMap(k, v, v + 1)')).toEqual([new Map([['a', 2n]]), 6]);
    expect(answer('[1, 1].transformMapEntry(i, v, {v: i})')[0]).toBe('error: insert failed: key 1 already exists');
  });

  it('evaluates no more elements than necessary', () => {
    expect(answer('optional.of(1).optMap(v, 5).value()')).toEqual([5n, 4]);
  });
});

describe('equality and membership', () => {
  it.each<[string, Value, number]>([
    ['x.name == "web"', true, 3],
    ['x.name == ""', false, 2],
    ['x.containers[0].image == "registry.example.com/server:v1"', true, 7],
    ['x.containers[0].image != "registry.example.com/proxy:latest"', true, 7],
    ['x.replicas == 3.0', true, 3],
    ['x.name == 3', false, 3],
    ['x.list == [1, 2, 3]', true, 3],
    ['x.none == null', true, 3],
    ['x.name in ["a", "web"]', true, 2],
    ['x.replicas in [3.0]', true, 2],
    ['x.missing in []', false, 0],
    ['"web" in x.labels', false, 3],
    ['2 in x.list', true, 3],
    ['x.none in [null]', true, 3],
  ])('%s', (expression, value, cost) => {
    expect(answer(expression)).toEqual([value, cost]);
  });
});

describe('the cost limit', () => {
  const limited = (expression: string, costLimit: number): [Value, number] => {
    const evaluation = run(expression, { x: OBJECT }, { costLimit });
    return [outcome(evaluation), evaluation.cost];
  };
  const EXCEEDED = 'error: operation cancelled: actual cost limit exceeded';

  it('is exceeded by a cost below zero', () => {
    expect(limited('has((true ? x.?missing : x).a)', 10)).toEqual([EXCEEDED, 11]);
  });

  it('is exceeded by the step that goes beyond it', () => {
    expect(limited('x.replicas == 3', 3)).toEqual([true, 3]);
    expect(limited('x.replicas == 3', 2)).toEqual([EXCEEDED, 3]);
    expect(limited('x.list.map(e, e)', 15)).toEqual([EXCEEDED, 16]);
    expect(limited('x.list.map(e, e)', 12)).toEqual([EXCEEDED, 14]);
  });

  it('cannot be absorbed', () => {
    expect(limited('x.list.all(e, e > 0) || true', 5)).toEqual([EXCEEDED, 6]);
  });

  it('calls the hook for the functions that it knows', () => {
    const asked: string[] = [];
    const options = {
      callCost: (name: string, id: string) => {
        asked.push(`${name} ${id}`);
        return 7;
      },
      callCostFunctions: new Set(['size']),
    };
    expect(run('size(x.list) + x.name.size()', { x: OBJECT }, options).cost).toBe(7 + 2 + 7 + 2 + 1);
    expect(asked).toEqual(['size ', 'size ']);
  });
});

describe('hostile expressions', () => {
  const STOPPED =
    'error: evaluation stopped: it takes more work than is allowed here (the API server has no such limit)';

  it('cannot double a list without limit', () => {
    const doubled = Array.from({ length: 6 }).reduce<string>(
      (inner) => `optional.of(${inner}).optMap(v, v + v).value()`,
      'x',
    );
    expect(outcome(run(doubled, { x: Array.from({ length: 100_000 }, () => 1) }, { costLimit: 1_000_000 }))).toBe(
      STOPPED,
    );
  });

  it('cannot compare large objects without limit', () => {
    const big = Array.from({ length: 20_000 }, (_, index) => ({ index }));
    const numbers = Array.from({ length: 10_000 }, (_, index) => index);
    const expression = 'numbers.all(n, dyn([a]) == dyn([b]))';
    expect(outcome(run(expression, { numbers, a: big, b: structuredClone(big) }, { costLimit: 1_000_000 }))).toBe(
      STOPPED,
    );
  });

  it('cannot nest too deeply', () => {
    const chain = Array.from({ length: 200 }, () => '1').join(' + ');
    expect(outcome(run(chain))).toBe(200n);
  });
});
