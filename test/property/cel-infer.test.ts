// Inferred types hold in evaluation: on any object of the type, with any fields missing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOL, INT, listOf, mapOf, STRING, struct, type Type } from '../../src/cel/check/type.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { type InferenceContext, infer } from '../../src/cel/infer/infer.ts';
import { type Known, known } from '../../src/cel/infer/known.ts';
import { equals } from '../../src/cel/value/equality.ts';
import { typeOf } from '../../src/cel/value/type-of.ts';
import { ErrorValue } from '../../src/cel/value/value.ts';
import { activationOf, celValue, dynEnvironment } from '../support/cel-program.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(1500, 20_261_121, 1500);
const ENVIRONMENT = dynEnvironment('x', 'y', 'e');

const INNER = struct('Inner');
const OUTER = struct('Outer');
const FIELDS: ReadonlyMap<Type, Readonly<Record<string, Known>>> = new Map([
  [INNER, { flag: { type: BOOL }, name: { type: STRING } }],
  [
    OUTER,
    {
      kind: { ...known('Outer'), isAlwaysThere: true },
      count: { type: INT },
      list: { type: listOf(INNER) },
      labels: { type: mapOf(STRING, STRING) },
      inner: { type: INNER, isAlwaysThere: true },
      maybe: { type: INNER },
    },
  ],
]);

const CONTEXT: InferenceContext = {
  environment: ENVIRONMENT,
  variable: (name) => (name === 'x' ? { type: OUTER } : undefined),
  isObject: (type) => FIELDS.has(type),
  field: (object, name) => FIELDS.get(object)?.[name],
  displayName: ({ name }) => name,
};

const inner = fc.record({ flag: fc.boolean(), name: fc.constantFrom('', 'a', 'b') }, { requiredKeys: [] });
const outer = fc.record(
  {
    kind: fc.constant('Outer'),
    count: fc.integer({ min: -1, max: 2 }),
    list: fc.array(inner, { maxLength: 3 }),
    labels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('', '1'), { maxKeys: 2 }),
    inner,
    maybe: inner,
  },
  { requiredKeys: ['kind', 'inner'] },
);

const LEAVES = [
  ...['true', 'false', '1', "'a'", "'Outer'", "['Outer', 'a']", '[]', 'null', 'y', 'y.a', 'e', 'e.name', 'x', 'x.kind'],
  ...['x.count', 'x.list', 'x.list[0]', 'x.list[0].flag', 'x.labels', 'x.labels.a', "x.labels['b']", 'x.inner'],
  ...[
    'x.inner.flag',
    'x.maybe.name',
    "x['inner']",
    "x['nope']",
    'x.nope',
    'x.inner.nope',
    'has(x.nope)',
    'has(x.maybe)',
  ],
  ...[
    'has(x.inner)',
    'has(x.kind)',
    'has(x.inner.flag)',
    'has(x.nope.a)',
    "'nope' in x",
    "'maybe' in x",
    'has(e.flag)',
  ],
  ...['x.?nope', 'x.?maybe', 'x.?maybe.?name', 'x.?nope.a', 'x[?"count"]', "x.kind == 'Outer'", "x.kind in ['a']"],
];

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const part = tie('expression');
  const wrap = (...templates: string[]): fc.Arbitrary<string> =>
    fc.tuple(fc.constantFrom(...templates), part, part, part).map(([template, a, b, c]) => {
      const parts: Record<string, string> = { A: a, B: b, C: c };
      return template.replace(/[ABC]/g, (name) => parts[name] as string);
    });
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...LEAVES),
      wrap('(dyn(A) && B)', '(A && B)', '(A || B)', '(A ? B : C)', '!A', '(A ? B : B)'),
      wrap('(A == B)', '(A != B)', '(A < B)', '(A in B)', '(A + B)', 'A[B]', 'A[?B]'),
      wrap('A.all(e, B)', 'A.exists(e, B)', 'A.map(e, B)', 'A.filter(e, B)', 'A.all(k, e, B)', 'A.map(e, B, C)'),
      wrap('[A, B]', "{'a': A, 'b': B}", '[A].map(e, B)', 'type(A)', 'type(A) == string', 'size(A)', 'string(A)'),
      wrap('A.startsWith(B)', 'A.matches(B)', 'optional.of(A).orValue(B)', 'A.orValue(B)', 'A.hasValue()'),
      wrap('A.optMap(e, B)', 'A.or(B)', 'A.name', 'A.?name', 'has(A.name)', 'dyn(A)'),
    ),
  };
});

/** Expressions without operators that absorb errors. */
const STRAIGHT = /^(?!.*(?:&&|\|\||\?|all|exists|map|filter|orValue|optMap|\bor\b))/;

/** `map`, `list` and scalars; undefined if the inferred type is unknown. */
function shapeOf(type: Type): string | undefined {
  if (type.kind === 'struct') return FIELDS.has(type) ? 'map' : undefined;
  return ['dyn', 'any', 'param', 'error'].includes(type.kind) ? undefined : type.name;
}

describe('inference', () => {
  it('holds for every evaluation', () => {
    let inferred = 0;
    fc.assert(
      fc.property(expression, outer, fc.jsonValue({ maxDepth: 2 }), (text, x, y) => {
        const { ast } = ENVIRONMENT.compile(text);
        if (ast === undefined) return;
        const program = plan(ENVIRONMENT, ast, {});
        if (program instanceof ProgramError) return;
        const { result, observations } = infer(ast, CONTEXT);
        const { value } = program.evaluate(activationOf({ x: celValue(x), y: celValue(y) }));
        const fails = observations.some(
          (observation) =>
            observation.kind === 'undefined-field' ||
            (observation.kind === 'mismatch' && !observation.message.includes('never')),
        );
        inferred += 1;
        if (fails && STRAIGHT.test(text)) expect(value).toBeInstanceOf(ErrorValue);
        if (value instanceof ErrorValue) return;
        if (result.value !== undefined) expect(equals(value, result.value), text).toBe(true);
        const shape = shapeOf(result.type);
        if (shape !== undefined && value !== null) expect(typeOf(value).name, text).toBe(shape);
      }),
      RUNS,
    );
    expect(inferred).toBeGreaterThan(RUNS.numRuns / 4);
  });
});
