// Syntax trees of well-formed expressions.
import { describe, expect, it } from 'vitest';
import type { Expr } from '../../../../src/cel/syntax/ast.ts';
import { DEFAULT_LIMITS } from '../../../../src/cel/syntax/limits.ts';
import { macroTable } from '../../../../src/cel/syntax/macro-table.ts';
import { parse } from '../../../../src/cel/syntax/parser.ts';
import { Bytes, Uint } from '../../../../src/cel/value/scalar.ts';
import { debugString } from '../../../support/cel-debug-string.ts';

const OPTIONS = { macros: macroTable([]), optionalSyntax: true, escapedIdentifiers: true, limits: DEFAULT_LIMITS };

function parsed(text: string): Expr {
  const { ast, issues } = parse(text, OPTIONS);
  expect(issues).toEqual([]);
  return ast?.expr as Expr;
}

/** Formats a tree on one line. */
function shape(text: string): string {
  return debugString(parsed(text), () => '').replace(/\n */g, ' ');
}

describe('operators', () => {
  it.each([
    ['a + b * c', '_+_( a, _*_( b, c ) )'],
    ['a - b - c', '_-_( _-_( a, b ), c )'],
    ['a < b == c', '_==_( _<_( a, b ), c )'],
    ['a in b', '@in( a, b )'],
    ['!a && b || c', '_||_( _&&_( !_( a ), b ), c )'],
    ['a ? b : c ? d : e', '_?_:_( a, b, _?_:_( c, d, e ) )'],
    ['!!a', 'a'],
    ['!!!a', '!_( a )'],
    ['--a', 'a'],
    ['-(-a)', '-_( -_( a ) )'],
    ['a--1', '_-_( a, -1 )'],
    ['(a + b) * c', '_*_( _+_( a, b ), c )'],
  ])('%s', (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  it('balances chains of one connective', () => {
    expect(shape('a && b && c && d')).toBe('_&&_( _&&_( a, b ), _&&_( c, d ) )');
    expect(shape('a || b || c')).toBe('_||_( _||_( a, b ), c )');
  });
});

describe('members', () => {
  it.each([
    ['a.b.c', 'a.b.c'],
    ['.a.b', '.a.b'],
    ['a.b(c).d', 'a.b( c ).d'],
    ['a[b][c]', '_[_]( _[_]( a, b ), c )'],
    ['a.?b', '_?._( a, "b" )'],
    ['a[?b]', '_[?_]( a, b )'],
    ['a.`b-c/d`', 'a.b-c/d'],
    ['a.namespace.as', 'a.namespace.as'],
    ['f()', 'f()'],
    ['.f(a, b)', '.f( a, b )'],
    ['"text".size()', '"text".size()'],
  ])('%s', (text, expected) => {
    expect(shape(text)).toBe(expected);
  });
});

describe('aggregates', () => {
  it.each([
    ['[]', '[]'],
    ['[,]', '[]'],
    ['[1, 2,]', '[ 1, 2 ]'],
    ['{}', '{}'],
    ['{,}', '{}'],
    ['{a: b, ?c: d,}', '{ a:b, ?c:d }'],
    ['T{}', 'T{}'],
    ['.a.b.T{x: 1, ?y: z}', '.a.b.T{ x:1, ?y:z }'],
    ['T{x: 1}.x', 'T{ x:1 }.x'],
  ])('%s', (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  it('marks optional elements', () => {
    expect(parsed('[a, ?b, c, ?d]')).toMatchObject({ kind: 'list', optionalIndices: [1, 3] });
  });
});

describe('literals', () => {
  it.each<[string, unknown]>([
    ['42', 42n],
    ['-42', -42n],
    ['- 42', -42n],
    ['0xfF', 255n],
    ['-9223372036854775808', -9223372036854775808n],
    ['0x7fffffffffffffff', 9223372036854775807n],
    ['42u', new Uint(42n)],
    ['0xFFU', new Uint(255n)],
    ['18446744073709551615u', new Uint(18446744073709551615n)],
    ['1.5', 1.5],
    ['.5e-3', 0.0005],
    ['1e3', 1000],
    ['-0.0', -0],
    ['true', true],
    ['null', null],
    ['"\'"', "'"],
    [String.raw`'\a\b\f\n\r\t\v\\\'\"\?\x41\X41\u00e9\U0001f600\101'`, '\x07\b\f\n\r\t\v\\\'"?AA\u00e9\u{1f600}A'],
    ["'''a\r\n\"b\"\rc'''", 'a\n"b"\nc'],
    ['"""""quotes"""', '""quotes'],
    [String.raw`r'\d'`, '\\d'],
    ['R"""\\"""', '\\'],
    [String.raw`b'\xff\377é'`, new Bytes(Uint8Array.of(255, 255, 195, 169))],
    [String.raw`bR"\x"`, new Bytes(Uint8Array.of(92, 120))],
  ])('%s', (text, value) => {
    expect(parsed(text)).toMatchObject({ kind: 'literal', value });
  });
});

describe('locations', () => {
  it("reports a node at cel-go's location and knows its whole range", () => {
    const expr = parsed('(a.b) + f( c)[1]');
    expect(expr).toMatchObject({ offset: 6, start: 0, end: 16 });
    expect(expr).toMatchObject({
      args: [
        { kind: 'select', offset: 2, start: 1, end: 4 },
        { function: '_[_]', offset: 13, start: 8, end: 16, args: [{ offset: 9, start: 8, end: 13 }, { offset: 14 }] },
      ],
    });
  });

  it('counts code points', () => {
    expect(parsed("'😀é' + a")).toMatchObject({
      offset: 5,
      args: [
        { start: 0, end: 4 },
        { start: 7, end: 8 },
      ],
    });
  });

  it('skips blanks and comments', () => {
    expect(parsed('a // one + two\n  . b')).toMatchObject({ kind: 'select', offset: 17, start: 0, end: 20 });
  });

  it('numbers nodes in the order of cel-go', () => {
    expect(parsed('f(a, [b], {c: d})')).toMatchObject({
      id: 1,
      args: [
        { id: 2 },
        { id: 3, elements: [{ id: 4 }] },
        { id: 5, entries: [{ id: 6, key: { id: 7 }, value: { id: 8 } }] },
      ],
    });
    expect(parsed('a && b + c')).toMatchObject({ id: 5, args: [{ id: 1 }, { id: 3, args: [{ id: 2 }, { id: 4 }] }] });
  });
});
