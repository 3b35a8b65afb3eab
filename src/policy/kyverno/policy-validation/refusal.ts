// Why Kyverno refuses a policy, and where in the policy that is.
import { aggregateErrors } from '../../../kubernetes/validation/aggregate-errors.ts';
import { type FieldError, formatFieldError } from '../../../kubernetes/validation/field-error.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

export interface Refusal {
  /** Kyverno's text, exactly. */
  readonly message: string;
  /** Field of the policy. */
  readonly path: FieldPath;
}

export function refusal(message: string, path: FieldPath): Refusal {
  return { message, path };
}

/** Undefined if nothing is wrong. */
export function refusalOf(errors: readonly FieldError[]): Refusal | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  return { message: aggregateErrors(errors.map(formatFieldError)), path: first.path };
}
