// Properties of every expression and object: nothing throws, observation has no effect, `&&` and `||` do not depend on order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckedAst } from '../../src/cel/check/checked-ast.ts';
import { explain } from '../../src/cel/eval/explain.ts';
import { COST_EXCEEDED } from '../../src/cel/eval/frame.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { type Program, ProgramError, type ProgramResult } from '../../src/cel/eval/program.ts';
import { Provenance } from '../../src/cel/eval/provenance.ts';
import { ErrorValue, type Value } from '../../src/cel/value/value.ts';
import { activationOf, celValue, dynEnvironment } from '../support/cel-program.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(300, 20_240_229, 300);
/** Only comprehensions bind `e`. */
const ENVIRONMENT = dynEnvironment('x', 'y', 'e');

const LEAVES = [
  ...['1', '0', '-1', '2u', '1.5', "'a'", "''", 'true', 'false', 'null', "b'a'", "duration('1h')", 'int', '[]', '{}'],
  ...[
    'x',
    'y',
    'e',
    'x.a',
    'x.b.c',
    'x[0]',
    "x['a']",
    'x.?a',
    'x.?b.?c',
    'x[?0]',
    'y.a',
    'e.a',
    'has(x.a)',
    'has(e.b)',
  ],
];

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const wrap = (...templates: string[]): fc.Arbitrary<string> =>
    fc.tuple(fc.constantFrom(...templates), inner, inner, inner).map(([template, a, b, c]) => {
      const parts: Record<string, string> = { A: a, B: b, C: c };
      return template.replace(/[ABC]/g, (name) => parts[name] as string);
    });
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...LEAVES),
      wrap('(dyn(A) && dyn(B))', '(dyn(A) || dyn(B))', '(dyn(A) ? dyn(B) : dyn(C))', '!dyn(A)', '-dyn(A)'),
      wrap('(dyn(A) + dyn(B))', '(dyn(A) - dyn(B))', '(dyn(A) * dyn(B))', '(dyn(A) / dyn(B))', '(dyn(A) % dyn(B))'),
      wrap('(dyn(A) == dyn(B))', '(dyn(A) != dyn(B))', '(dyn(A) < dyn(B))', '(dyn(A) >= dyn(B))', '(dyn(A) in dyn(B))'),
      wrap('dyn(A).all(e, dyn(B))', 'dyn(A).exists(e, dyn(B))', 'dyn(A).exists_one(e, dyn(B))', 'dyn(A).map(e, B)'),
      wrap(
        'dyn(A).filter(e, dyn(B))',
        'dyn(A).all(k, e, dyn(B))',
        'dyn(A).transformMap(k, e, B)',
        'dyn(A).map(e, dyn(B), C)',
      ),
      wrap(
        '[dyn(A), dyn(B)]',
        "{'a': dyn(A), 'b': dyn(B)}",
        '{dyn(A): B}',
        'dyn(A)[dyn(B)]',
        'dyn(A)[?dyn(B)]',
        'dyn(A).a',
      ),
      wrap(
        'size(dyn(A))',
        'string(dyn(A))',
        'int(dyn(A))',
        'type(A)',
        'dyn(A).startsWith(dyn(B))',
        'dyn(A).matches(dyn(B))',
      ),
      wrap(
        'optional.of(A).orValue(B)',
        'optional.ofNonZeroValue(A)',
        'optional.of(A).optMap(e, B)',
        'x.?a.or(optional.of(A))',
      ),
    ),
  };
});

const json = fc
  .jsonValue({ depthSize: 'small', maxDepth: 4 })
  .chain((value) => fc.constantFrom(value, { a: value }, [value], { a: value, b: { c: value } }));

/** Undefined for the few expressions that do not type-check. */
function prepare(text: string, costLimit?: number): { ast: CheckedAst; program: Program } | undefined {
  const { ast } = ENVIRONMENT.compile(text);
  if (ast === undefined) return undefined;
  const program = plan(ENVIRONMENT, ast, costLimit === undefined ? {} : { costLimit });
  return program instanceof ProgramError ? undefined : { ast, program };
}

function evaluate(text: string, x: unknown, y: unknown, costLimit?: number): ProgramResult | undefined {
  return prepare(text, costLimit)?.program.evaluate(activationOf({ x: celValue(x), y: celValue(y) }));
}

/** Compares errors by their text. */
function comparable(value: Value): unknown {
  return value instanceof ErrorValue ? { error: value.message } : value;
}

describe('evaluation', () => {
  it('never throws, and observation does not change results', () => {
    fc.assert(
      fc.property(expression, json, json, (text, x, y) => {
        const bindings = { x: celValue(x), y: celValue(y) };
        const prepared = prepare(text);
        if (prepared === undefined) return;
        const { ast, program } = prepared;
        const plain = program.evaluate(activationOf(bindings));
        const { trace, ...observed } = program.evaluate(activationOf(bindings), { trace: true });
        expect({ ...observed, value: comparable(observed.value) }).toEqual({
          ...plain,
          value: comparable(plain.value),
        });
        expect(plain.value instanceof ErrorValue ? plain.value.message : '').not.toMatch(
          /^internal error: (?!runtime)/,
        );
        if (trace !== undefined) explain({ ast, trace }, new Provenance(new Map(Object.entries(bindings))));
      }),
      RUNS,
    );
  });

  it('is repeatable', () => {
    fc.assert(
      fc.property(expression, json, (text, x) => {
        const program = prepare(text)?.program;
        const activation = activationOf({ x: celValue(x), y: null });
        const first = program?.evaluate(activation);
        program?.evaluate(activationOf({ x: null, y: null }));
        expect(program?.evaluate(activation)).toEqual(first);
      }),
      RUNS,
    );
  });

  it.each(['&&', '||'])('%s gives the same either way round, or an error both times', (operator) => {
    fc.assert(
      fc.property(expression, expression, json, (left, right, x) => {
        const forth = evaluate(`dyn(${left}) ${operator} dyn(${right})`, x, null)?.value;
        const back = evaluate(`dyn(${right}) ${operator} dyn(${left})`, x, null)?.value;
        if (forth === undefined || back === undefined) return;
        if (forth instanceof ErrorValue) expect(back).toBeInstanceOf(ErrorValue);
        else expect(back).toBe(forth);
      }),
      RUNS,
    );
  });

  it('stops only at the cost limit', () => {
    fc.assert(
      fc.property(expression, json, fc.double({ min: 0, max: 1, noNaN: true }), (text, x, share) => {
        const full = evaluate(text, x, null);
        if (full === undefined) return;
        expect(evaluate(text, x, null, full.cost)).toEqual(full);
        const limit = Math.floor(full.cost * share);
        if (limit === full.cost) return;
        const stopped = evaluate(text, x, null, limit) as ProgramResult;
        expect(comparable(stopped.value)).toEqual({ error: COST_EXCEEDED });
        expect(stopped.cost).toBeGreaterThan(limit);
        expect(stopped.cost).toBeLessThanOrEqual(full.cost);
      }),
      RUNS,
    );
  });
});
