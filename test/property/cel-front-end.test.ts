// For any text: parsing and checking terminate with a result, and nodes are nested correctly.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DYN } from '../../src/cel/check/type.ts';
import { displayIssues } from '../../src/cel/issue/display-issues.ts';
import { NO_PLACE } from '../../src/cel/issue/issue.ts';
import type { Expr } from '../../src/cel/syntax/ast.ts';
import { forEachChild } from '../../src/cel/syntax/children.ts';
import { kubernetesEnvironment } from '../../src/kubernetes/cel/environment.ts';
import { tries } from '../support/tries.ts';

const ENVIRONMENT = kubernetesEnvironment({ major: 1, minor: 36 }, 'stored').extend({
  variables: [{ name: 'object', type: DYN }],
});
const SETTINGS = tries(400, 20);

const TOKENS = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '.',
    ',',
    '?',
    ':',
    '!',
    '-',
    '+',
    '*',
    '/',
    '%',
    '<',
    '==',
    'in',
    '&&',
    '||',
    '.?',
  ],
  ...[
    'object',
    'x',
    'T',
    'as',
    'true',
    'null',
    '1',
    '0x',
    '2u',
    '1.5',
    '.5',
    "'a'",
    'b"b"',
    "r'",
    '"""',
    '`a`',
    '@',
    '=',
    '\\',
  ],
  ...[
    'has(',
    '.all(x, ',
    '.map(x, ',
    '.filter(x, x)',
    '.optMap(x, x)',
    '.sortBy(x, x)',
    'T{a: ',
    'é',
    '😀',
    '\ud800',
    '//',
    ' ',
    '\n',
  ],
];

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 60 }).map((tokens) => tokens.join('')),
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((tokens) => tokens.join(' ')),
  fc.tuple(fc.constantFrom(...TOKENS), fc.nat(3_000)).map(([token, count]) => token.repeat(count)),
);

const wellFormed: fc.Arbitrary<string> = fc.letrec<{ expr: string }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom('object', '1', '-2', "'é😀'", 'true', '[]', 'null'),
    fc
      .tuple(tie('expr'), fc.constantFrom('+', '&&', '||', '==', 'in', '*'), tie('expr'))
      .map(([a, o, b]) => `${a} ${o} ${b}`),
    tie('expr').map((a) => `( ${a} )`),
    tie('expr').map((a) => `(${a}).name`),
    tie('expr').map((a) => `[${a}].all(x, x == ${a})`),
    tie('expr').map((a) => `{'k': ${a}}.?k.optMap(v, v)`),
    fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `(${a})[${b}]`),
    fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    tie('expr').map((a) => `size(${a}, !has(object.a))`),
  ),
})).expr;

function expectNested(outer: Expr): void {
  expect(outer.start).toBeLessThanOrEqual(outer.end);
  forEachChild(outer, (inner) => {
    expect(inner.start).toBeGreaterThanOrEqual(outer.start);
    expect(inner.end).toBeLessThanOrEqual(outer.end);
    expectNested(inner);
  });
}

describe('the front end', () => {
  it('returns a tree, or issues inside the text, for any text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { ast, issues } = ENVIRONMENT.compile(text);
        expect(ast === undefined).toBe(issues.length > 0);
        for (const { offset } of issues) {
          expect(offset).toBeGreaterThanOrEqual(NO_PLACE);
          expect(offset).toBeLessThanOrEqual([...text].length);
        }
        if (issues.length > 0) expect(displayIssues(text, issues)).toContain('ERROR: <input>:');
      }),
      SETTINGS,
    );
  });

  it('parses well-formed text into nested nodes with unique ids', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const { ast, issues } = ENVIRONMENT.parse(text);
        expect(issues).toEqual([]);
        const { expr } = ast as { expr: Expr };
        expectNested(expr);
        const ids: number[] = [];
        const collect = (node: Expr): void => {
          ids.push(node.id);
          forEachChild(node, collect);
        };
        collect(expr);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      SETTINGS,
    );
  });

  it('ignores surrounding white space', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const plain = ENVIRONMENT.compile(text);
        const padded = ENVIRONMENT.compile(`  ${text}\n`);
        expect(String(padded.ast?.outputType)).toBe(String(plain.ast?.outputType));
        expect(padded.issues.map(({ message, offset }) => [message, offset - 2])).toEqual(
          plain.issues.map(({ message, offset }) => [message, offset]),
        );
      }),
      SETTINGS,
    );
  });
});
