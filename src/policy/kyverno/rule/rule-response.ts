// The response of one rule for one object, with Kyverno's message.
import type { Read } from '../../../cel/value/trace.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import type { Origin } from '../jmespath/origin.ts';
import { isOpenMatch, type MatchAnswer, type OpenMatch, openReason } from '../matching/match-answer.ts';
import type { PatternFailure } from '../pattern/match-pattern.ts';
import type { VariableError } from '../variables/variable-error.ts';

export type RuleType = 'Validation' | 'Mutation' | 'Generation' | 'ImageVerify';

/** `unknown`: Kyverno's response depends on something outside the repository; the message names it. */
export type RuleStatus = 'pass' | 'fail' | 'warn' | 'error' | 'skip' | 'unknown';

export interface RuleResponse {
  /** Name of the rule, including generated ones. */
  readonly rule: string;
  readonly type: RuleType;
  readonly status: RuleStatus;
  readonly message: string;
  readonly computed?: ComputedRule;
  /** Names of the exceptions that skipped the rule, as `namespace/name`. */
  readonly exceptions?: readonly string[];
  /** For a pattern that did not match: the location of the mismatch. */
  readonly failure?: PatternFailure;
  /** The list element that `failure` refers to. Only known with an observed context. */
  readonly elementOrigin?: Origin;
  /** The patched object, if the rule patches an object other than the request's. */
  readonly patchedTarget?: JsonObject;
  /** Fields of the object that violate the rule, if the rule names them. */
  readonly paths?: readonly FieldPath[];
  /** Fields of the object that decided, best first, if known. */
  readonly explain?: () => readonly Read[];
  /** Set if the rule may not match. */
  readonly open?: OpenMatch;
}

/** The response of a rule that matches under `match`. Only an answer that lets the object pass stays the same either way. */
export function responseUnder(response: RuleResponse, match: MatchAnswer | undefined): RuleResponse;
export function responseUnder(
  response: RuleResponse | undefined,
  match: MatchAnswer | undefined,
): RuleResponse | undefined;
export function responseUnder(
  response: RuleResponse | undefined,
  match: MatchAnswer | undefined,
): RuleResponse | undefined {
  if (response === undefined || match === undefined || !isOpenMatch(match)) return response;
  const { status, failure: _failure, explain: _explain, ...rest } = response;
  if (status === 'pass' || status === 'skip' || status === 'unknown') return { ...response, open: match };
  return { ...rest, status: 'unknown', message: openReason(match), open: match };
}

/** Kyverno crashes here: the policy returns no answer. */
export class KyvernoPanic extends Error {}

/** Kyverno's response depends on something outside the repository: the time, a registry, the cluster. */
export class Undecided {
  readonly message: string;
  /** The object's fields that are involved, if known. */
  readonly reads: readonly Read[];
  /** True if no value leads to an error. */
  readonly isErrorFree: boolean;

  constructor(message: string, reads: readonly Read[] = [], isErrorFree = false) {
    this.message = message;
    this.reads = reads;
    this.isErrorFree = isErrorFree;
  }

  asErrorFree(): Undecided {
    return this.isErrorFree ? this : new Undecided(this.message, this.reads, true);
  }
}

/** Returns what `compute` throws if it is `Undecided`. */
export function orUndecided<Result>(compute: () => Result): Result | Undecided {
  try {
    return compute();
  } catch (reason) {
    if (reason instanceof Undecided) return reason;
    throw reason;
  }
}

/** Returns the error if Kyverno returns it as its answer. Throws otherwise. */
export function answered(error: VariableError): VariableError {
  if (error.isAnswer) return error;
  throw error.kind === 'panic' ? new KyvernoPanic(error.message) : new Undecided(error.message);
}
