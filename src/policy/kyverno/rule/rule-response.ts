// What one rule said of one object, in Kyverno's words.
import type { Read } from '../../../cel/value/trace.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import type { Origin } from '../jmespath/origin.ts';
import type { PatternFailure } from '../pattern/match-pattern.ts';
import type { VariableError } from '../variables/variable-error.ts';

export type RuleType = 'Validation' | 'Mutation' | 'Generation' | 'ImageVerify';

/** `unknown`: what Kyverno would say depends on what is not known here; the message names it. */
export type RuleStatus = 'pass' | 'fail' | 'warn' | 'error' | 'skip' | 'unknown';

export interface RuleResponse {
  /** Name, also of a rule that was made for controllers. */
  readonly rule: string;
  readonly type: RuleType;
  readonly status: RuleStatus;
  readonly message: string;
  /** The rule that spoke. */
  readonly computed?: ComputedRule;
  /** Names of the exceptions that made the rule skip, as `namespace/name`. */
  readonly exceptions?: readonly string[];
  /** Of a pattern that did not fit, where it did not. */
  readonly failure?: PatternFailure;
  /** What `failure` speaks of, where that is an element of a list; only known to an observed context. */
  readonly elementOrigin?: Origin;
  /** Another object than the one of the request, as the rule patches it. */
  readonly patchedTarget?: JsonObject;
  /** Fields of the object that break the rule, where it names them. */
  readonly paths?: readonly FieldPath[];
  /** Fields of the object that decided, best first, where the rule can tell. */
  readonly explain?: () => readonly Read[];
}

/** Kyverno crashes here: the request gets no answer from this policy. */
export class KyvernoPanic extends Error {}

/** What Kyverno would say depends on what is not known here: the time, a registry, a cluster. */
export class Undecided {
  readonly message: string;
  /** Fields of the object that it is about, where they are known. */
  readonly reads: readonly Read[];

  constructor(message: string, reads: readonly Read[] = []) {
    this.message = message;
    this.reads = reads;
  }
}

/** The error, where it is one that Kyverno gives as its answer. */
export function answered(error: VariableError): VariableError {
  if (error.isAnswer) return error;
  throw error.kind === 'panic' ? new KyvernoPanic(error.message) : new Undecided(error.message);
}
