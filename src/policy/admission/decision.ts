// What evaluating one policy with one param decided (apiserver `validating/policy_decision.go`).
import type { Read } from '../../cel/trace.ts';
import type { FieldPath } from '../../source/field-path.ts';

export interface Decision {
  readonly action: 'admit' | 'deny';
  readonly evaluation: 'admit' | 'deny' | 'error';
  readonly message: string;
  /** Empty for errors and for what is admitted. */
  readonly reason: string;
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
}

export interface ValidateResult {
  readonly decisions: readonly Decision[];
  readonly auditAnnotations: readonly AuditAnnotationDecision[];
  /** True when a match condition was false, so that nothing else was evaluated. */
  readonly skipped: boolean;
}
