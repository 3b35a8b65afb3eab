// Construction and extension of environments.
import { describe, expect, it } from 'vitest';
import { INT, STRING, struct } from '../../../src/cel/check/type.ts';
import type { TypeProvider } from '../../../src/cel/check/type-provider.ts';
import type { Library } from '../../../src/cel/declaration/library.ts';
import { Environment } from '../../../src/cel/environment.ts';
import { standardLibrary } from '../../../src/cel/library/standard.ts';

function provider(field: string): TypeProvider {
  return {
    findStruct: (name) => (name === 'T' ? struct('T') : undefined),
    findField: (_, name) => (name === field ? INT : undefined),
    fieldNames: () => [field],
  };
}

function library(name: string, ...overloads: [id: string, signature: string][]): Library {
  const declared = overloads.map(([id, signature]) => ({ id, signature, evaluate: () => null }));
  return { name, functions: [{ name: 'f', overloads: declared }] };
}

const BASE = new Environment({ libraries: [standardLibrary()], variables: [{ name: 'x', type: INT }] });

describe('Environment', () => {
  it('extends without changing the original', () => {
    const extended = BASE.extend({ variables: [{ name: 'y', type: STRING }] });
    expect(extended.compile('x').ast?.outputType).toBe(INT);
    expect(extended.compile('y').ast?.outputType).toBe(STRING);
    expect(BASE.compile('y').ast).toBeUndefined();
    expect(BASE.findVariable('y')).toBeUndefined();
  });

  it('lets later variables hide earlier ones', () => {
    expect(BASE.extend({ variables: [{ name: 'x', type: STRING }] }).findVariable('x')).toBe(STRING);
  });

  it('queries the types of the extension first', () => {
    const outer = BASE.extend({ types: [provider('old')], variables: [{ name: 't', type: struct('T') }] });
    const inner = outer.extend({ types: [provider('new')] });
    expect(outer.compile('t.old').issues).toEqual([]);
    expect(inner.compile('t.new').issues).toEqual([]);
    expect(inner.compile('t.old').issues).toHaveLength(1);
  });

  it('accumulates the overloads of a function, and keeps the position of a repeated one', () => {
    const extended = BASE.extend({
      libraries: [
        library('one', ['a', 'f(int) -> int'], ['b', 'f(string) -> int']),
        library('two', ['c', 'f() -> int'], ['a', 'f(int) -> string']),
      ],
    });
    expect(extended.findFunction('f')?.overloads.map(({ id, signature }) => `${id}: ${signature}`)).toEqual([
      'a: f(int) -> string',
      'b: f(string) -> int',
      'c: f() -> int',
    ]);
    expect(extended.compile('f(1)').ast?.outputType).toBe(STRING);
    expect(BASE.findFunction('f')).toBeUndefined();
  });

  it('adds the macros of its libraries', () => {
    const twice: Library = {
      name: 'twice',
      functions: [],
      macros: [
        {
          name: 'twice',
          argCount: 1,
          receiverStyle: false,
          expand: (factory, _, [arg]) => arg && factory.call('_+_', arg, factory.copy(arg)),
        },
      ],
    };
    const { ast } = BASE.extend({ libraries: [twice] }).compile('twice(x) + twice(1, 2)');
    expect(ast).toBeUndefined();
    expect(BASE.extend({ libraries: [twice] }).compile('twice(x)').ast?.outputType).toBe(INT);
  });

  it('runs each stage only if the previous one found nothing', () => {
    expect(BASE.compile('nobody +').issues.map(({ kind }) => kind)).toEqual(['syntax']);
    expect(BASE.compile('nobody').issues.map(({ kind }) => kind)).toEqual(['check']);
  });
});
