// Why Kyverno does not take a CEL policy: expressions that do not compile.
import type { FieldError } from '../../../kubernetes/validation/field-error.ts';

export interface CelRefusal {
  readonly errors: readonly FieldError[];
  /** What Kyverno says before them. */
  readonly preamble: string | undefined;
}

/** Thrown where one of a policy's expressions does not compile. */
export class CompileFailure extends Error {
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super('a policy does not compile');
    this.errors = errors;
  }
}

/** What `compile` makes, or why Kyverno does not take it. `compiler`: what Kyverno calls it, where it says that before the errors. */
export function compiledOrRefused<Policy>(compiler: string | undefined, compile: () => Policy): Policy | CelRefusal {
  try {
    return compile();
  } catch (failure) {
    if (!(failure instanceof CompileFailure)) throw failure;
    const preamble = compiler && `<nil>: Internal error: ${compiler} error: failed to compile policy`;
    return { errors: failure.errors, preamble };
  }
}
