// What one rule said of one object, in Kyverno's words.
import type { Read } from '../../../cel/trace.ts';
import type { PatternFailure } from '../pattern/match-pattern.ts';

export type RuleType = 'Validation' | 'Mutation' | 'Generation' | 'ImageVerify';

export type RuleStatus = 'pass' | 'fail' | 'warn' | 'error' | 'skip';

export interface RuleResponse {
  /** Name, also of a rule that was made for controllers. */
  readonly rule: string;
  readonly type: RuleType;
  readonly status: RuleStatus;
  readonly message: string;
  /** Names of the exceptions that made the rule skip, as `namespace/name`. */
  readonly exceptions?: readonly string[];
  /** Of a pattern that did not fit, where it did not. */
  readonly failure?: PatternFailure;
  /** Fields of the object that decided, best first, where the rule can tell. */
  readonly explain?: () => readonly Read[];
}

/** Kyverno crashes here: the request gets no answer from this policy. */
export class KyvernoPanic extends Error {}
