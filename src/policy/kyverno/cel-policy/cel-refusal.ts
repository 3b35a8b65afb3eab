// Why Kyverno rejects a CEL policy: expressions that do not compile.
import type { FieldError } from '../../../kubernetes/validation/field-error.ts';

export interface CelRefusal {
  readonly errors: readonly FieldError[];
  /** Kyverno's text before the errors. */
  readonly preamble: string | undefined;
}

/** Thrown if an expression of a policy does not compile. */
export class CompileFailure extends Error {
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super('a policy does not compile');
    this.errors = errors;
  }
}

/** The compiled policy, or why Kyverno rejects it. `compiler`: the compiler name that Kyverno prints before the errors, if it does. */
export function compiledOrRefused<Policy>(compiler: string | undefined, compile: () => Policy): Policy | CelRefusal {
  try {
    return compile();
  } catch (failure) {
    if (!(failure instanceof CompileFailure)) throw failure;
    const preamble = compiler && `<nil>: Internal error: ${compiler} error: failed to compile policy`;
    return { errors: failure.errors, preamble };
  }
}
