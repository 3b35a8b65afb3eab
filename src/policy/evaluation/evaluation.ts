// What one rule said about one request: the engine's unit of truth, before anyone decides what to do about it.
import type { Read } from '../../cel/value/trace.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { BindingIdentity, PolicyIdentity, ValidationAction } from '../language/policy.ts';

/**
 * `error`: the rule could not be evaluated. `unknown`: whether it fails depends on what the repository does not tell; the rest
 * of the Evaluation then describes the failure it may be.
 */
export type EvaluationResult = 'fail' | 'error' | 'unknown';

export interface Evaluation {
  readonly policy: PolicyIdentity;
  /** Absent when the policy itself cannot be configured. */
  readonly binding: BindingIdentity | undefined;
  readonly param: Resource | undefined;
  readonly result: EvaluationResult;
  /** Unknown because it takes more work than is allowed here: nothing in the repository would settle it. */
  readonly isUnfinished?: true;
  /** A mutation failed, not a judgement. */
  readonly isMutation?: true;
  /** What would settle an unknown result, one phrase each: `whether alice may …`. Empty for other results. */
  readonly missing: readonly string[];
  /** What the result leads to after failurePolicy; only `deny` has consequences. */
  readonly action: 'admit' | 'deny';
  /** The binding's validationActions; errors of configuration and of audit annotations deny whatever these say. */
  readonly validationActions: readonly ValidationAction[];
  /** Field of the policy that spoke, e.g. spec, validations, 0, expression. */
  readonly rule: FieldPath;
  readonly expression: string | undefined;
  /** Of an error without an expression: this object brings it about, not the policy alone. */
  readonly isOfObject?: true;
  /** The decision's own words. */
  readonly message: string;
  /** Status reason; `Invalid` where the policy names none. */
  readonly reason: string;
  /** HTTP status that goes with the reason. */
  readonly code: number;
  /** What the API server would answer (Deny) or warn (Warn), whole. */
  readonly serverMessage: string;
  /**
   * Fields whose values decided, best candidate first; empty where nothing of the object was read. Evaluates the expression once
   * more, under observation.
   */
  explain(): readonly Read[];
}
