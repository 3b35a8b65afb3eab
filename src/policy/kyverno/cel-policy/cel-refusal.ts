// Why Kyverno does not take a CEL policy: expressions that do not compile.
import type { FieldError } from '../../../kubernetes/field-error.ts';

export interface CelRefusal {
  readonly errors: readonly FieldError[];
  /** What Kyverno says before them. */
  readonly preamble: string | undefined;
}
