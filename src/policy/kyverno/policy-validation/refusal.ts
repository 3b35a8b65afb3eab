// Why Kyverno rejects a policy, with the location.
import { aggregateErrors } from '../../../kubernetes/validation/aggregate-errors.ts';
import { type FieldError, formatFieldError } from '../../../kubernetes/validation/field-error.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

export interface Refusal {
  /** Kyverno's exact text. */
  readonly message: string;
  readonly path: FieldPath;
}

export function refusal(message: string, path: FieldPath): Refusal {
  return { message, path };
}

/** Undefined if there are no errors. */
export function refusalOf(errors: readonly FieldError[]): Refusal | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  return { message: aggregateErrors(errors.map(formatFieldError)), path: first.path };
}
