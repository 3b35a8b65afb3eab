// Result of one rule for one request, before anything is decided about its consequences.
import type { Read } from '../../cel/value/trace.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { BindingIdentity, PolicyIdentity, ValidationAction } from '../language/policy.ts';

/**
 * `error`: the rule could not be evaluated. `unknown`: the result depends on something outside the repository; the
 * other fields then describe the possible failure.
 */
export type EvaluationResult = 'fail' | 'error' | 'unknown';

export interface Evaluation {
  readonly policy: PolicyIdentity;
  /** Absent when the policy itself is misconfigured. */
  readonly binding: BindingIdentity | undefined;
  readonly param: Resource | undefined;
  readonly result: EvaluationResult;
  /** Unknown because evaluation exceeds the work limit. No addition to the repository would settle it. */
  readonly isUnfinished?: true;
  /** The failure comes from a mutation, not a validation. */
  readonly isMutation?: true;
  /** What would settle an unknown result, one phrase each: `whether alice may …`. Empty for other results. */
  readonly missing: readonly string[];
  /** The outcome after failurePolicy. Only `deny` has consequences. */
  readonly action: 'admit' | 'deny';
  /** The binding's validationActions. Configuration errors and audit annotation errors deny regardless of them. */
  readonly validationActions: readonly ValidationAction[];
  /** Field of the policy that produced the result, e.g. spec, validations, 0, expression. */
  readonly rule: FieldPath;
  readonly expression: string | undefined;
  /** For errors without an expression: this object causes the error, not the policy alone. */
  readonly isOfObject?: true;
  readonly message: string;
  /** Status reason. Defaults to `Invalid`. */
  readonly reason: string;
  readonly code: number;
  /** Complete text of the API server's denial (Deny) or warning (Warn). */
  readonly serverMessage: string;
  /**
   * Fields whose values decided, best candidate first. Empty when the rule read no field of the object. Evaluates the
   * expression again with tracing.
   */
  explain(): readonly Read[];
}
