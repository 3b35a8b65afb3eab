// Evaluates expressions with selected libraries, and returns results in a short form.
import type { AstValidator } from '../../src/cel/check/ast-validator.ts';
import type { CallCost, Library } from '../../src/cel/declaration/library.ts';
import { Environment } from '../../src/cel/environment.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { standardLibrary } from '../../src/cel/library/standard.ts';
import { Uint } from '../../src/cel/value/scalar.ts';
import { ErrorValue, type Value } from '../../src/cel/value/value.ts';

export interface CelSettings {
  /** In addition to the standard library. */
  readonly libraries: readonly Library[];
  readonly validators?: readonly AstValidator[];
  readonly callCost?: CallCost;
}

/** `value`, else the message of the run-time error, of the program error or of the first issue. */
export function evaluateCel(text: string, settings: CelSettings): { value?: unknown; error?: string; cost?: number } {
  const environment = new Environment({
    libraries: [standardLibrary(), ...settings.libraries],
    validators: settings.validators ?? [],
    optionalSyntax: true,
  });
  const { ast, issues } = environment.compile(text);
  if (ast === undefined) return { error: issues[0]?.message ?? '' };
  const { callCost } = settings;
  const program = plan(environment, ast, callCost === undefined ? {} : { callCost });
  if (program instanceof ProgramError) return { error: program.message };
  const { value, cost } = program.evaluate({ resolve: () => undefined });
  return value instanceof ErrorValue ? { error: value.message, cost } : { value: plain(value), cost };
}

/** Unsigned numbers become `{ uint }`; other values are unchanged. */
function plain(value: Value): unknown {
  if (value instanceof Uint) return { uint: value.value };
  return Array.isArray(value) ? value.map(plain) : value;
}
