// What evaluating one policy with one param decided (apiserver `validating/policy_decision.go`).
import type { Read } from '../../../cel/value/trace.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

export interface Decision {
  readonly action: 'admit' | 'deny';
  /** `unknown`: it depends on what the repository does not tell; action and message are those of the worst case. */
  readonly evaluation: 'admit' | 'deny' | 'error' | 'unknown';
  readonly message: string;
  /** Empty for errors and for what is admitted. */
  readonly reason: string;
  /** What would settle an unknown decision, one phrase each; only there. */
  readonly missing?: readonly string[];
  /** As of an Evaluation. */
  readonly isUnfinished?: true;
  /** Field of the policy that decided. */
  readonly rule: FieldPath;
  readonly expression: string | undefined;
  /** Runs the deciding expression again under observation; best candidate first. */
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
  /** As of a Decision. */
  explain(): readonly Read[];
}

export interface ValidateResult {
  readonly decisions: readonly Decision[];
  readonly auditAnnotations: readonly AuditAnnotationDecision[];
  /** True when a match condition was false, so that nothing else was evaluated. */
  readonly skipped: boolean;
  /** True when every decision admits and nothing else is to be said, as of most requests. */
  readonly passes: boolean;
}
