// Result of evaluating one policy with one param (apiserver `validating/policy_decision.go`).
import type { Read } from '../../../cel/value/trace.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

export interface Decision {
  readonly action: 'admit' | 'deny';
  /** `unknown`: depends on something outside the repository. Action and message are those of the worst case. */
  readonly evaluation: 'admit' | 'deny' | 'error' | 'unknown';
  readonly message: string;
  /** Empty for errors and for passes. */
  readonly reason: string;
  /** What would settle an unknown decision, one phrase each. Only for unknown decisions. */
  readonly missing?: readonly string[];
  /** The open field that an unknown decision depends on. */
  readonly dependsOn?: FieldPath;
  /** See Evaluation. */
  readonly isUnfinished?: true;
  readonly rule: FieldPath;
  readonly expression: string | undefined;
  /** Evaluates the deciding expression again with tracing. Best candidate first. */
  explain(): readonly Read[];
}

export interface AuditAnnotationDecision {
  readonly key: string;
  readonly action: 'publish' | 'exclude' | 'error';
  /** Empty unless published. */
  readonly value: string;
  /** Empty unless an error. */
  readonly error: string;
  readonly rule: FieldPath;
  readonly expression: string;
  /** See Decision. */
  explain(): readonly Read[];
}

export interface ValidateResult {
  readonly decisions: readonly Decision[];
  readonly auditAnnotations: readonly AuditAnnotationDecision[];
  /** True if a match condition was false, so nothing else was evaluated. */
  readonly skipped: boolean;
  /** True if every decision admits and there is nothing else to report. True for most requests. */
  readonly passes: boolean;
}
