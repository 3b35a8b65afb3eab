// Runs CEL expressions over plain objects, with the libraries of all releases.
import { DYN } from '../../src/cel/check/type.ts';
import { Environment } from '../../src/cel/environment.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import {
  type Activation,
  type PlanOptions,
  type Program,
  ProgramError,
  type ProgramResult,
} from '../../src/cel/eval/program.ts';
import { OPTIONAL_LIBRARY } from '../../src/cel/library/optional.ts';
import { standardLibrary } from '../../src/cel/library/standard.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../../src/cel/library/two-variable-comprehensions.ts';
import { ErrorValue, type Value } from '../../src/cel/value/value.ts';

/** Declares every variable as dyn. */
export function dynEnvironment(...variables: string[]): Environment {
  return new Environment({
    libraries: [standardLibrary(), OPTIONAL_LIBRARY, TWO_VARIABLE_COMPREHENSIONS],
    variables: variables.map((name) => ({ name, type: DYN })),
    optionalSyntax: true,
    crossTypeNumericComparisons: true,
    homogeneousAggregateLiterals: true,
  });
}

/** Whole numbers become ints, objects become Maps. */
export function celValue(json: unknown): Value {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return json.map(celValue);
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map(Object.entries(json).map(([key, value]) => [key, celValue(value)]));
}

export function activationOf(bindings: Readonly<Record<string, Value>>): Activation {
  return { resolve: (name) => (Object.hasOwn(bindings, name) ? bindings[name] : undefined) };
}

/** Throws if the expression does not compile. */
export function program(
  expression: string,
  environment: Environment,
  options: PlanOptions = {},
): Program | ProgramError {
  const { ast, issues } = environment.compile(expression);
  if (ast === undefined) throw new Error(issues.map(({ message }) => message).join('\n'));
  return plan(environment, ast, options);
}

/** Binds every key of `variables`. */
export function run(
  expression: string,
  variables: Readonly<Record<string, unknown>> = {},
  options?: PlanOptions,
): ProgramResult {
  const planned = program(expression, dynEnvironment(...Object.keys(variables)), options);
  if (planned instanceof ProgramError) return { value: new ErrorValue(`program: ${planned.message}`), cost: 0 };
  const bindings = Object.fromEntries(Object.entries(variables).map(([name, json]) => [name, celValue(json)]));
  return planned.evaluate(activationOf(bindings));
}

/** The value, or the error message. */
export function outcome({ value }: ProgramResult): Value {
  return value instanceof ErrorValue ? `error: ${value.message}` : value;
}
