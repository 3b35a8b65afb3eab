// How a policy came to what it says of a request, step by step: for people who ask why, and to know what a test reached.
import type { CheckedAst } from '../../cel/check/checked-ast.ts';
import type { TraceEvent } from '../../cel/value/trace.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { PolicyIdentity } from '../language/policy.ts';

export interface PolicyExplanation {
  readonly policy: PolicyIdentity;
  /** `stops`: the policy does not apply to the request. */
  readonly result: StepResult;
  /** In the order in which the server takes them; what comes after one that stops is not there. */
  readonly steps: readonly ExplanationStep[];
}

/**
 * `passes`: the request goes on. `stops`: policy or binding has nothing to say of it, which is no failure. `fails`, `error`, `unknown`:
 * as in an Evaluation.
 */
export type StepResult = 'passes' | 'stops' | 'fails' | 'error' | 'unknown';

export interface ExplanationStep {
  readonly result: StepResult;
  /** What was compared with what, without a full stop. */
  readonly says: string;
  /** Where it is asked for: a policy, a binding or an exception, and the field in it. */
  readonly by?: { readonly resource: Resource; readonly field: FieldPath };
  readonly observed?: ObservedExpression;
  /** What happens inside of it: to a binding, the steps with each of its params. */
  readonly steps?: readonly ExplanationStep[];
}

/** An expression as it ran. */
export interface ObservedExpression extends TracedText {
  readonly trace: TraceEvent;
  /** Cost units, variables that ran on its behalf included. */
  readonly cost: number;
  /** A variable's text, for the events of its own run inside the trace. */
  variable(name: string): TracedText | undefined;
}

export interface TracedText {
  readonly expression: string;
  readonly ast: CheckedAst;
}

/** Of steps that come one after the other: one that stops ends the way. */
export function resultInOrder(steps: readonly ExplanationStep[]): StepResult {
  return hardest(steps, ['fails', 'error', 'unknown', 'stops', 'passes']);
}

/** Of steps beside each other, such as bindings: it takes one that goes on. */
export function resultOfAny(steps: readonly ExplanationStep[]): StepResult {
  return hardest(steps, ['fails', 'error', 'unknown', 'passes', 'stops']);
}

function hardest(steps: readonly ExplanationStep[], order: readonly StepResult[]): StepResult {
  return order.find((result) => steps.some((step) => step.result === result)) ?? 'passes';
}
