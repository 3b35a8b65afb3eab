// Calls whose result is certain because their arguments are: the functions that conditions on names are written with.

import type { Environment } from '../environment.ts';
import { resolveCallee } from '../eval/callee.ts';
import { ErrorValue, type Value } from '../value/value.ts';

const FUNCTIONS: ReadonlySet<string> = new Set([
  '!_',
  '_==_',
  '_!=_',
  '_<_',
  '_<=_',
  '_>_',
  '_>=_',
  '@in',
  '@not_strictly_false',
  'contains',
  'endsWith',
  'lowerAscii',
  'matches',
  'size',
  'startsWith',
  'upperAscii',
]);

/** Undefined for other functions and for calls that fail. */
export function constantCall(environment: Environment, name: string, args: readonly Value[]): Value | undefined {
  const declaration = FUNCTIONS.has(name) ? environment.findFunction(name) : undefined;
  if (declaration === undefined) return undefined;
  const signatures = environment.declaredFunction(name)?.overloads ?? [];
  const result = resolveCallee(declaration, signatures, [], args.length).evaluate(...args);
  return result instanceof ErrorValue ? undefined : result;
}
