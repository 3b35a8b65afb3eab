// Objects that the validation engine could not judge in time.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/source/json/json.ts';
import { parseJson } from '../../../src/source/json/parse-json.ts';
import { excessiveWork } from '../../../src/validation/engine/engine-work.ts';

function workOf(value: unknown): string | undefined {
  return excessiveWork((parseJson(JSON.stringify(value)) as { readonly value: JsonObject }).value);
}

const variables = (count: number): object => ({ env: Array.from({ length: count }, () => ({ name: 'A' })) });

describe('the work of an object', () => {
  test('grows with the square of a list', () => {
    expect(workOf({ spec: { containers: [variables(10_000)] } })).toBeUndefined();
    expect(workOf({ spec: { containers: [variables(15_000)] } })).toBe('a list has too many items');
    expect(workOf({ spec: { containers: Array.from({ length: 3 }, () => variables(10_000)) } })).toBe(
      'a list has too many items',
    );
  });

  test('is too much for a number with a billion digits', () => {
    expect(workOf({ limits: { cpu: '1e999999999' } })).toBe('a number has too large an exponent');
    expect(workOf({ limits: { cpu: '-1.5E-9999999' } })).toBe('a number has too large an exponent');
    expect(workOf({ limits: { cpu: '1e100' } })).toBeUndefined();
    expect(workOf({ metadata: { labels: { commit: '1e12345678' } }, env: [{ value: '1e12345678' }] })).toBeUndefined();
  });
});
