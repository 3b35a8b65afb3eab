// Test coverage of policies: which expressions ran, and which results each part of them had.
import type { CheckedAst } from '../../cel/check/checked-ast.ts';
import { type DecisionPoint, decisionPoints } from '../../cel/eval/decision-points.ts';
import type { TraceEvent } from '../../cel/value/trace.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { PolicyIdentity } from '../language/policy.ts';
import type { ExplanationStep, PolicyExplanation } from './explanation.ts';

/** An expression of a policy. Listed even if it never runs. */
export interface PolicyExpression {
  readonly policy: PolicyIdentity;
  readonly field: FieldPath;
  readonly ast: CheckedAst;
  /** Name of the variable that the expression defines. */
  readonly variable?: string;
}

export interface CoveredPoint extends DecisionPoint {
  readonly expression: PolicyExpression;
  readonly seenTrue: boolean;
  readonly seenFalse: boolean;
  readonly isReached: boolean;
}

interface Seen {
  isTrue: boolean;
  isFalse: boolean;
}

export class PolicyCoverage {
  /** By policy, then by field or variable. */
  readonly #expressions = new Map<Resource, Map<string, PolicyExpression>>();
  /** By expression, then by node. */
  readonly #seen = new Map<PolicyExpression, Map<number, Seen>>();
  readonly #bindings = new Map<Resource, boolean>();

  /** Ignores expressions that are already registered. */
  expect(expressions: readonly PolicyExpression[], bindings: readonly Resource[]): void {
    for (const expression of expressions) {
      const { policy, field, variable } = expression;
      const known = this.#expressions.get(policy.resource) ?? new Map<string, PolicyExpression>();
      this.#expressions.set(policy.resource, known);
      const key = keyOf(field, variable);
      if (known.has(key)) continue;
      known.set(key, expression);
      this.#seen.set(expression, new Map());
    }
    for (const binding of bindings) if (!this.#bindings.has(binding)) this.#bindings.set(binding, false);
  }

  add(explanations: readonly PolicyExplanation[]): void {
    for (const { policy, steps } of explanations) this.#addSteps(policy.resource, steps);
  }

  /** In the order of policies, fields and text. */
  points(): readonly CoveredPoint[] {
    return [...this.#seen].flatMap(([expression, nodes]) =>
      decisionPoints(expression.ast).map((point) => {
        const seen = nodes.get(point.nodeId);
        return {
          ...point,
          expression,
          isReached: seen !== undefined,
          seenTrue: seen?.isTrue === true,
          seenFalse: seen?.isFalse === true,
        };
      }),
    );
  }

  /** All bindings; `applied` is true if at least one request matched. */
  bindings(): readonly { readonly binding: Resource; readonly applied: boolean }[] {
    return [...this.#bindings].map(([binding, applied]) => ({ binding, applied }));
  }

  #addSteps(policy: Resource, steps: readonly ExplanationStep[]): void {
    for (const { by, observed, result, steps: inner } of steps) {
      if (by !== undefined && this.#bindings.has(by.resource) && inner !== undefined && result !== 'stops') {
        this.#bindings.set(by.resource, true);
      }
      const known = by && this.#expressions.get(policy)?.get(keyOf(by.field, undefined));
      if (observed !== undefined && known !== undefined) this.#addEvent(policy, known, observed.trace);
      if (inner !== undefined) this.#addSteps(policy, inner);
    }
  }

  #addEvent(policy: Resource, expression: PolicyExpression, event: TraceEvent): void {
    const nodes = this.#seen.get(expression);
    const seen = nodes?.get(event.nodeId) ?? { isTrue: false, isFalse: false };
    // A comprehension's step events carry the node id of its result, not of the condition.
    if (event.element === undefined) {
      if (event.value === true) seen.isTrue = true;
      if (event.value === false) seen.isFalse = true;
      nodes?.set(event.nodeId, seen);
    }
    const { variable } = event;
    const ofVariable = variable && this.#expressions.get(policy)?.get(keyOf([], variable.name));
    if (variable !== undefined && ofVariable !== undefined) this.#addEvent(policy, ofVariable, variable.event);
    for (const child of event.children) this.#addEvent(policy, expression, child);
  }
}

function keyOf(field: FieldPath, variable: string | undefined): string {
  return variable === undefined ? formatFieldPath(field) : `variables.${variable}`;
}
