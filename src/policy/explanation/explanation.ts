// How a policy reaches its result for a request, step by step. Used by `preadmit why` and by test coverage.
import type { CheckedAst } from '../../cel/check/checked-ast.ts';
import type { TraceEvent } from '../../cel/value/trace.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { PolicyIdentity } from '../language/policy.ts';

export interface PolicyExplanation {
  readonly policy: PolicyIdentity;
  /** `stops`: the policy does not apply to the request. */
  readonly result: StepResult;
  /** In the server's order. Steps after one with the result `stops` are absent. */
  readonly steps: readonly ExplanationStep[];
}

/**
 * `passes`: evaluation continues. `stops`: the policy or binding does not apply; this is no failure. `fails`, `error`,
 * `unknown`: as in an Evaluation.
 */
export type StepResult = 'passes' | 'stops' | 'fails' | 'error' | 'unknown';

export interface ExplanationStep {
  readonly result: StepResult;
  /** The comparison made, without a full stop. */
  readonly says: string;
  /** The resource (policy, binding or exception) and the field of it that define this step. */
  readonly by?: { readonly resource: Resource; readonly field: FieldPath };
  readonly observed?: ObservedExpression;
  /** For a mutation: the changed fields, in the order of their paths. */
  readonly patch?: readonly PatchedField[];
  /** Inner steps. For a binding: the steps for each of its params. */
  readonly steps?: readonly ExplanationStep[];
}

/** `before` undefined: added; `after` undefined: removed. */
export interface PatchedField {
  readonly path: FieldPath;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

export interface ObservedExpression extends TracedText {
  readonly trace: TraceEvent;
  /** Cost units, including variables that it evaluated. */
  readonly cost: number;
  /** A variable's text, for events of its own run inside the trace. */
  variable(name: string): TracedText | undefined;
}

export interface TracedText {
  readonly expression: string;
  readonly ast: CheckedAst;
}

/** Result of consecutive steps: one that stops ends the evaluation. */
export function resultInOrder(steps: readonly ExplanationStep[]): StepResult {
  return hardest(steps, ['fails', 'error', 'unknown', 'stops', 'passes']);
}

/** Result of alternatives, such as bindings: one that passes is enough. */
export function resultOfAny(steps: readonly ExplanationStep[]): StepResult {
  return hardest(steps, ['fails', 'error', 'unknown', 'passes', 'stops']);
}

function hardest(steps: readonly ExplanationStep[], order: readonly StepResult[]): StepResult {
  return order.find((result) => steps.some((step) => step.result === result)) ?? 'passes';
}
