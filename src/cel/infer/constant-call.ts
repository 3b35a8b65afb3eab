// Evaluates calls with constant arguments, for the functions that conditions on names commonly use.
import { COMPARED, type Meter, WorkExceeded } from '../../go/meter.ts';
import type { Environment } from '../environment.ts';
import { resolveCallee } from '../eval/callee.ts';
import { equals, equalsOrError } from '../value/equality.ts';
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

/** Undefined for other functions, for calls that fail, and if the meter does not cover the work. */
export function constantCall(
  environment: Environment,
  name: string,
  args: readonly Value[],
  meter: Meter,
): Value | undefined {
  const declaration = FUNCTIONS.has(name) ? environment.findFunction(name) : undefined;
  if (declaration === undefined) return undefined;
  const compared = compareContainers(name, args, meter);
  if (compared === 'too much') return undefined;
  if (compared !== undefined) return compared instanceof ErrorValue ? undefined : compared;
  const signatures = environment.declaredFunction(name)?.overloads ?? [];
  const result = resolveCallee(declaration, signatures, [], args.length).evaluate(...args);
  return result instanceof ErrorValue ? undefined : result;
}

/**
 * Charges for every compared element: a list that contains another list twice, nested 59 times, is short to write but expensive to compare.
 */
function compareContainers(
  name: string,
  [left, right]: readonly Value[],
  meter: Meter,
): boolean | ErrorValue | 'too much' | undefined {
  if (left === undefined || right === undefined) return undefined;
  try {
    if (name === '_==_' && isContainer(left)) return equalsOrError(left, right, meter);
    if (name === '_!=_' && isContainer(left)) return !equals(left, right, meter);
    if (name !== '@in' || !Array.isArray(right)) return undefined;
    meter.spend(right.length * COMPARED);
    return isContainer(left) ? right.some((element) => equals(left, element as Value, meter)) : undefined;
  } catch (reason) {
    if (reason instanceof WorkExceeded) return 'too much';
    throw reason;
  }
}

function isContainer(value: Value): boolean {
  return Array.isArray(value) || value instanceof Map;
}
