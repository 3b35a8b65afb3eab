// Kyverno's JMESPath: for any query, nothing throws, and searches terminate.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RegexCache } from '../../src/go/regexp/regex-cache.ts';
import { FUNCTIONS } from '../../src/policy/kyverno/jmespath/functions/functions.ts';
import { compileQuery, Query } from '../../src/policy/kyverno/jmespath/search.ts';
import { SearchError } from '../../src/policy/kyverno/jmespath/search-error.ts';
import { findVariables } from '../../src/policy/kyverno/variables/find-variables.ts';
import { substituteAll } from '../../src/policy/kyverno/variables/substitute.ts';
import { VariableError } from '../../src/policy/kyverno/variables/variable-error.ts';
import type { JsonValue } from '../../src/source/json/json.ts';

const RUNS = { numRuns: 2000, seed: 11 };
const environment = { regexes: new RegexCache(), defaultRegistry: 'docker.io', enableDefaultRegistryMutation: true };

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '[',
    ']',
    '[]',
    '[?',
    '[*]',
    '*',
    '(',
    ')',
    '{',
    '}',
    ':',
    ',',
    '|',
    '||',
    '&&',
    '&',
    '!',
    '==',
    '<',
  ],
  ...['@', '`1`', '`{"a": [1]}`', "'x'", '"a"', ' ', '0', '-1', "'1Gi'", "'1h'", "'2024-01-01T00:00:00Z'"],
  ...FUNCTIONS.declared.map(({ name }) => name),
);
const text = fc.oneof(
  fc.string(),
  fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
);

const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, 1n, 2.5, '', 'x', '1Gi', '1h', '{{ a }}'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')).map((members) => new Map(Object.entries(members))),
  ),
})).value;

const call = fc
  .tuple(
    fc.constantFrom(...FUNCTIONS.declared.map(({ name }) => name)),
    fc.array(fc.constantFrom('@', 'a', '&a', "'x'", '`2`', '`[1]`', "'['", "'1h'"), { maxLength: 3 }),
  )
  .map(([name, operands]) => `${name}(${operands.join(', ')})`);

describe('queries', () => {
  test('compile, or return an error', () => {
    fc.assert(
      fc.property(text, (query) => {
        const compiled = compileQuery(query);
        expect(compiled instanceof Query || compiled.message !== '').toBe(true);
      }),
      RUNS,
    );
  });

  test('return a result or an error', () => {
    fc.assert(
      fc.property(fc.oneof(text, call), value, (query, document) => {
        const compiled = compileQuery(query);
        if (!(compiled instanceof Query)) return;
        const found = compiled.search(document, environment);
        expect(found instanceof SearchError ? found.message !== '' : found !== undefined).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('variables', () => {
  const marked = fc
    .array(
      fc.oneof(
        fc.constantFrom('{', '}', '{{', '}}', '\\', 'a', '-', '@', '$(', ')', '/', ' ', '\u00e9'),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(''));
  const PATTERN = /(^|[^\\])(\{\{(?:\{[^{}]*\}|[^{}])*\}\})/gu;

  test('are found at the matches of the regular expression', () => {
    fc.assert(
      fc.property(marked, (written) => {
        expect(findVariables(written)).toEqual(written.match(PATTERN) ?? []);
      }),
      RUNS,
    );
  });

  test('are substituted, or return an error', () => {
    const source = {
      operation: '',
      query: (query: string): JsonValue => (query.length > 3 ? `{{ ${query} }}` : query),
    };
    fc.assert(
      fc.property(marked, marked, (key, written) => {
        const result = substituteAll(source, new Map<string, JsonValue>([[key, [written]]]));
        expect(result instanceof VariableError ? result.message !== '' : result instanceof Map).toBe(true);
      }),
      RUNS,
    );
  });
});
