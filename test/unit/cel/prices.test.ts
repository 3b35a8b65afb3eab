// Every function of every library has a price.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FunctionDeclaration, Library } from '../../../src/cel/declaration/library.ts';
import type { NamePrice } from '../../../src/cel/declaration/price.ts';
import { DEFAULT_VERSION } from '../../../src/kubernetes/api/version.ts';
import { kubernetesLibraries } from '../../../src/kubernetes/cel/environment.ts';
import { declarationsOf } from '../../../src/kubernetes/cel/library/declaration.ts';
import { NOMINAL, PASS } from '../../../src/kubernetes/cel/library/prices.ts';

const FOLDERS = ['cel/library', 'kubernetes/cel/library', 'policy/kyverno/cel', 'policy/kyverno/cel-policy/library'];

async function modulesOf(folder: string): Promise<readonly object[]> {
  const path = join(import.meta.dirname, '../../../src', folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.ts'));
  return Promise.all(files.map((file): Promise<object> => import(join(path, file))));
}

const modules = (await Promise.all(FOLDERS.map(modulesOf))).flat();

function isLibrary(value: unknown): value is Library {
  return typeof value === 'object' && value !== null && 'functions' in value && 'name' in value;
}

/** Exported constants, and the results of functions named `…Library`. */
const libraries = modules.flatMap((module) =>
  Object.entries(module).flatMap(([name, value]) => {
    const made: unknown = typeof value === 'function' && name.endsWith('Library') ? (value as () => unknown)() : value;
    return isLibrary(made) ? [made] : [];
  }),
);

function unpriced(functions: readonly FunctionDeclaration[]): readonly string[] {
  return functions.flatMap(({ overloads }) => overloads.filter(({ price }) => price === undefined).map(({ id }) => id));
}

test('the tested libraries include those of the server', () => {
  const names = new Set(libraries.map(({ name }) => name));
  const offered = kubernetesLibraries(DEFAULT_VERSION, DEFAULT_VERSION).map(({ name }) => name);
  expect(offered.filter((name) => !names.has(name))).toEqual([]);
  expect([...names].filter((name) => name.startsWith('kyverno')).sort()).toEqual([
    'kyverno.cluster',
    'kyverno.formats',
    'kyverno.hash',
    'kyverno.image',
    'kyverno.imageverify',
    'kyverno.lib.orValue',
    'kyverno.user',
  ]);
});

test('every overload has a price', () => {
  expect(libraries.flatMap(({ functions }) => unpriced(functions))).toEqual([]);
  const forgotten = {
    name: 'forgotten',
    overloads: [{ id: 'forgotten', signature: 'forgotten() -> int', evaluate: () => 1n }],
  };
  expect(unpriced([forgotten])).toEqual(['forgotten']);
});

test('a function name has the same host price in all libraries', () => {
  const prices = new Map<string, Set<NamePrice>>();
  for (const { functions } of libraries) {
    for (const { name, price } of functions) {
      if (price !== undefined) prices.set(name, (prices.get(name) ?? new Set()).add(price));
    }
  }
  expect(prices.size).toBeGreaterThan(60);
  // A regex library is created for each cache of patterns, but its prices are constants.
  expect([...prices].filter(([, different]) => different.size > 1).map(([name]) => name)).toEqual([]);
});

test('two rows of one function cannot have different prices', () => {
  const signature = 'twice() -> int';
  expect(() =>
    declarationsOf([
      ['twice', 'one', signature, NOMINAL, () => 1n],
      ['twice', 'two', signature, PASS, () => 1n],
    ]),
  ).toThrow('two prices for twice');
});
