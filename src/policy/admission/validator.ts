// A compiled ValidatingAdmissionPolicy: request, param and namespace in, decisions out (apiserver `validating/{plugin,validator}.go`).
import type { Read } from '../../cel/trace.ts';
import type { Value } from '../../cel/value/value.ts';
import { type MatchedRequest, requestVariable } from '../../kubernetes/admission-request.ts';
import type { FieldPath } from '../../source/field-path.ts';
import type { JsonObject, JsonValue } from '../../source/json.ts';
import { objectOrEmpty } from '../../source/json-field.ts';
import type { CompiledExpression } from '../expression/compiled-expression.ts';
import {
  type ExpressionOutcome,
  evaluateExpressions,
  OUT_OF_BUDGET,
  RUNTIME_COST_BUDGET,
} from '../expression/condition-evaluator.ts';
import { explainReads } from '../expression/explain-reads.ts';
import { evaluateMatchConditions } from '../expression/match-conditions.ts';
import { type ActivationInput, RequestActivation } from '../expression/request-activation.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { AuditAnnotationDecision, Decision, ValidateResult } from './decision.ts';
import { selectMessage, trimSpace } from './decision-message.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

export type AuthorizerValues = NonNullable<ActivationInput['authorizer']>;

/** Fields of the Namespace that validations see; the rest of its metadata is hidden (`CreateNamespaceObject`). */
const HIDDEN_NAMESPACE_METADATA: readonly string[] = ['ownerReferences', 'managedFields', 'selfLink'];

export class Validator {
  readonly #policy: ValidatingPolicy;
  readonly #compiled: CompiledPolicy;
  readonly #authorizerFor: (matched: MatchedRequest) => AuthorizerValues;

  constructor(
    policy: ValidatingPolicy,
    compiled: CompiledPolicy,
    authorizerFor: (matched: MatchedRequest) => AuthorizerValues,
  ) {
    this.#policy = policy;
    this.#compiled = compiled;
    this.#authorizerFor = authorizerFor;
  }

  /** `namespace` is the stored Namespace, null for cluster-scoped requests and for Namespaces. */
  validate(matched: MatchedRequest, params: JsonObject | null, namespace: JsonObject | null): ValidateResult {
    const { request, matchedKind, matchedResource } = matched;
    const authorizer = this.#authorizerFor(matched);
    const common = { object: request.object, oldObject: request.oldObject, params };
    const conditionsInput: ActivationInput = {
      ...common,
      request: requestVariable(request, matchedKind, request.resource),
      namespaceObject: null,
      authorizer,
    };
    if (this.#compiled.matchConditions.length > 0) {
      const outcome = evaluateMatchConditions(
        this.#compiled.matchConditions,
        this.#activation(conditionsInput),
        this.#policy.failurePolicy,
      );
      if ('error' in outcome) return this.#matchConditionError(outcome.error, outcome.index, conditionsInput);
      if (!outcome.matches) return { decisions: [], auditAnnotations: [], skipped: true };
    }
    const input: ActivationInput = {
      ...common,
      request: requestVariable(request, matchedKind, matchedResource),
      namespaceObject: exposedNamespace(namespace),
      authorizer,
    };
    const decisions = this.#decisions(input);
    const annotations = this.#auditAnnotationDecisions({ ...input, namespaceObject: namespace, authorizer: undefined });
    if (annotations === undefined) return this.#budgetError(['spec', 'auditAnnotations']);
    return { decisions, auditAnnotations: annotations, skipped: false };
  }

  #activation(input: ActivationInput): RequestActivation {
    return new RequestActivation(input, this.#compiled.variables);
  }

  #decisions(input: ActivationInput): readonly Decision[] {
    const round = evaluateExpressions(this.#compiled.validations, this.#activation(input), RUNTIME_COST_BUDGET);
    if ('outOfBudget' in round) return this.#budgetError(['spec', 'validations']).decisions;
    const messageInput: ActivationInput = { ...input, authorizer: undefined };
    const messages = evaluateExpressions(
      this.#compiled.messageExpressions,
      this.#activation(messageInput),
      round.remainingBudget,
    );
    const outOfBudget = 'outOfBudget' in messages ? messages.outOfBudget : undefined;
    const messageOutcomes = 'outcomes' in messages ? messages.outcomes : [];
    return round.outcomes.map((outcome, index) =>
      this.#decision(index, outcome, messageOutcomes[index], outOfBudget, input),
    );
  }

  #decision(
    index: number,
    outcome: ExpressionOutcome,
    messageOutcome: ExpressionOutcome,
    messageError: string | undefined,
    input: ActivationInput,
  ): Decision {
    const validation = this.#policy.validations[index] as ValidatingPolicy['validations'][number];
    const place = {
      rule: ['spec', 'validations', index, 'expression'],
      expression: validation.expression,
      explain: (): readonly Read[] => this.#explain(this.#compiled.validations[index] as CompiledExpression, input),
    };
    if (outcome !== undefined && 'error' in outcome) {
      return { ...place, action: this.#errorAction, evaluation: 'error', message: outcome.error, reason: '' };
    }
    if (messageError !== undefined) {
      const message = `failed messageExpression: ${messageError}`;
      return { ...place, action: this.#errorAction, evaluation: 'error', message, reason: '' };
    }
    if (outcome?.value === true) return { ...place, action: 'admit', evaluation: 'admit', message: '', reason: '' };
    const message = selectMessage(validation, messageOutcome);
    const reason = validation.reason === '' ? 'Invalid' : validation.reason;
    return { ...place, action: 'deny', evaluation: 'deny', message, reason };
  }

  /** Undefined when the budget ran out. */
  #auditAnnotationDecisions(input: ActivationInput): readonly AuditAnnotationDecision[] | undefined {
    const round = evaluateExpressions(this.#compiled.auditAnnotations, this.#activation(input), RUNTIME_COST_BUDGET);
    if ('outOfBudget' in round) return undefined;
    return round.outcomes.map((outcome, index) => {
      const { key, valueExpression } = this.#policy.auditAnnotations[
        index
      ] as ValidatingPolicy['auditAnnotations'][number];
      const place = { key, rule: ['spec', 'auditAnnotations', index, 'valueExpression'], expression: valueExpression };
      if (outcome !== undefined && 'error' in outcome) {
        const action = this.#policy.failurePolicy === 'Ignore' ? 'exclude' : 'error';
        return { ...place, action, value: '', error: outcome.error };
      }
      const value = annotationValue(outcome?.value);
      return { ...place, action: value === '' ? 'exclude' : 'publish', value, error: '' };
    });
  }

  #matchConditionError(message: string, index: number, input: ActivationInput): ValidateResult {
    const compiled = this.#compiled.matchConditions[index] as CompiledExpression;
    const decision: Decision = {
      action: this.#errorAction,
      evaluation: 'error',
      message,
      reason: '',
      rule: ['spec', 'matchConditions', index, 'expression'],
      expression: compiled.expression,
      explain: () => this.#explain(compiled, input),
    };
    return { decisions: [decision], auditAnnotations: [], skipped: false };
  }

  #budgetError(rule: FieldPath): ValidateResult {
    const decision: Decision = {
      action: this.#errorAction,
      evaluation: 'error',
      message: OUT_OF_BUDGET,
      reason: '',
      rule,
      expression: undefined,
      explain: () => [],
    };
    return { decisions: [decision], auditAnnotations: [], skipped: false };
  }

  #explain(compiled: CompiledExpression, input: ActivationInput): readonly Read[] {
    return explainReads(compiled, input, this.#compiled.variables);
  }

  get #errorAction(): 'admit' | 'deny' {
    return this.#policy.failurePolicy === 'Ignore' ? 'admit' : 'deny';
  }
}

/** Null and blank are not published; the static type allows nothing but string and null. */
function annotationValue(value: Value | undefined): string {
  return typeof value === 'string' ? trimSpace(value) : '';
}

function exposedNamespace(namespace: JsonObject | null): JsonObject | null {
  if (namespace === null) return null;
  const metadata = new Map<string, JsonValue>(objectOrEmpty(namespace.get('metadata')));
  for (const field of HIDDEN_NAMESPACE_METADATA) metadata.delete(field);
  const exposed = new Map<string, JsonValue>([['metadata', metadata]]);
  exposed.set('spec', namespace.get('spec') ?? new Map());
  exposed.set('status', namespace.get('status') ?? new Map());
  return exposed;
}
