// Properties of partial evaluation: a decided result is the result for every value of the open fields.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { ErrorValue, UnknownValue, type Value } from '../../src/cel/value/value.ts';
import { openView } from '../../src/policy/expression/open-view.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../src/source/json/json.ts';
import { withValues } from '../../src/source/json/with-values.ts';
import type { FieldPath } from '../../src/source/node/field-path.ts';
import { dynEnvironment } from '../support/cel-program.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(2000, 360_036, 500);
const ENVIRONMENT = dynEnvironment('object', 'e');

const OPEN: readonly FieldPath[] = [
  ['spec', 'replicas'],
  ['spec', 'paused'],
  ['spec', 'list', 1],
  ['spec', 'items', 0, 'image'],
  ['spec', 'items'],
  ['metadata', 'labels', 'team'],
  ['metadata', 'labels'],
];

const scalar = fc.constantFrom<JsonValue>(0n, 1n, 9n, true, false, '', 'a', 'b', 'registry/a:1');
const container = fc.constantFrom<JsonValue>([], ['a'], new Map(), new Map<string, JsonValue>([['team', 'b']]));
const sample = fc.oneof({ weight: 4, arbitrary: scalar }, container);

const object = fc.tuple(scalar, scalar, scalar, scalar).map(([replicas, paused, image, team]): JsonObject => {
  const items = [
    new Map([['image', image]]),
    new Map<string, JsonValue>([
      ['image', 'a'],
      ['privileged', true],
    ]),
  ];
  const spec = new Map<string, JsonValue>([
    ['replicas', replicas],
    ['paused', paused],
    ['list', ['a', team]],
    ['items', items],
  ]);
  const labels = new Map<string, JsonValue>([
    ['team', team],
    ['app', 'web'],
  ]);
  return new Map<string, JsonValue>([
    ['spec', spec],
    ['metadata', new Map([['labels', labels]])],
  ]);
});

const LEAVES = [
  ...['1', '9', "'a'", "'b'", 'true', 'false', '[]', '{}', "['a', 'b']", "{'team': 'b'}"],
  ...[
    'object',
    'object.spec',
    'object.spec.replicas',
    'object.spec.?paused',
    'object.spec.list',
    'object.spec.list[1]',
  ],
  ...['object.spec.items', 'object.spec.items[0].image', 'object.spec.items[1]', 'object.metadata.labels'],
  ...['object.metadata.labels.team', "object.metadata.labels['app']", 'object.metadata.labels[object.spec.list[1]]'],
  ...['has(object.spec.replicas)', 'has(object.metadata.labels.team)', 'e', 'e.image'],
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
      wrap('(dyn(A) && dyn(B))', '(dyn(A) || dyn(B))', '(dyn(A) ? dyn(B) : dyn(C))', '!dyn(A)'),
      wrap('(dyn(A) == dyn(B))', '(dyn(A) != dyn(B))', '(dyn(A) < dyn(B))', '(dyn(A) in dyn(B))', '(dyn(A) + dyn(B))'),
      wrap('dyn(A).all(e, dyn(B))', 'dyn(A).exists(e, dyn(B))', 'dyn(A).exists_one(e, dyn(B))', 'dyn(A).map(e, B)'),
      wrap('dyn(A).filter(e, dyn(B))', 'dyn(A).all(k, e, dyn(B))', 'dyn(A).transformList(k, e, B)', 'size(dyn(A))'),
      wrap('[dyn(A), dyn(B)]', "{'team': A}", 'optional.of(A)', 'dyn(A).orValue(B)', 'string(dyn(A))', 'type(dyn(A))'),
    ),
  };
});

describe('partial evaluation', () => {
  it('decides only what holds for every value of the open fields', () => {
    const seen = { decided: 0, unknown: 0 };
    fc.assert(
      fc.property(
        expression,
        object,
        fc.uniqueArray(fc.constantFrom(...OPEN), { minLength: 1, maxLength: 3 }),
        fc.array(fc.array(sample, { minLength: 3, maxLength: 3 }), { minLength: 4, maxLength: 4 }),
        (text, written, open, samples) => {
          const { ast } = ENVIRONMENT.compile(text);
          const program = ast && plan(ENVIRONMENT, ast);
          if (program === undefined || program instanceof ProgramError) return;
          const view = openView({ object: written, oldObject: null }, open);
          const partial = program.evaluate({
            isPartial: true,
            resolve: (name) => (name === 'object' ? view.object : undefined),
          });
          seen[partial.value instanceof UnknownValue ? 'unknown' : 'decided']++;
          // A rule's result is a scalar or an error.
          if (partial.value instanceof UnknownValue || isContainer(partial.value)) return;
          for (const values of samples) {
            const tried = filled(written, open, values);
            const plain = program.evaluate({ resolve: (name) => (name === 'object' ? tried : undefined) });
            expect(shape(plain.value), `${text} with ${shape(tried)}`).toBe(shape(partial.value));
          }
        },
      ),
      RUNS,
    );
    expect(seen.decided).toBeGreaterThan(seen.unknown / 10);
    expect(seen.unknown).toBeGreaterThan(seen.decided / 100);
  });
});

/** A field of a fixed type may also be absent: the server drops empty values. */
function filled(object: JsonObject, open: readonly FieldPath[], values: readonly JsonValue[]): JsonObject {
  return open.reduce((value: JsonValue, path, index) => {
    const next = values[index] as JsonValue;
    const isStruct = path.length === 2 && path[0] === 'spec';
    return next === '' && isStruct ? without(value, path) : withValues(value, [{ path, leaf: next }]);
  }, object) as JsonObject;
}

function without(value: JsonValue, [parent = '', key = '']: FieldPath): JsonValue {
  if (!isJsonObject(value)) return value;
  const members = value.get(String(parent));
  if (!isJsonObject(members)) return value;
  return new Map(value).set(String(parent), new Map([...members].filter(([name]) => name !== key)));
}

function isContainer(value: Value): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof ErrorValue);
}

function shape(value: Value): string {
  if (value instanceof ErrorValue) return 'error';
  return isContainer(value)
    ? stringifyJson(value as JsonValue, { sortKeys: true, escapeHtml: false })
    : `${typeof value} ${String(value)}`;
}
