// Evaluates a validate rule of CEL expressions with the API server's semantics (`handlers/validation/validate_cel.go`).
import { BOOL, STRING } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import type { Read } from '../../../cel/value/trace.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { AuthorizationSource } from '../../../kubernetes/cel/authorization-source.ts';
import type { MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, textField } from '../../../source/json/json-field.ts';
import { authorizerValues } from '../../expression/authorizer-values.ts';
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionContext,
} from '../../expression/compiled-expression.ts';
import { evaluateExpressions, RUNTIME_COST_BUDGET } from '../../expression/condition-evaluator.ts';
import { selectMessage } from '../../expression/decision-message.ts';
import { explainReads } from '../../expression/explain-reads.ts';
import { evaluateMatchConditions } from '../../expression/match-conditions.ts';
import { NamespaceObject } from '../../expression/namespace-object.ts';
import { type EvaluationSubject, RequestActivation } from '../../expression/request-activation.ts';
import { CompiledVariables } from '../../expression/variables.ts';
import { collectCelParams, type ParamSource } from './cel-params.ts';

/** Settings shared by all rules of a run. */
export interface CelSettings {
  /** Includes Kyverno's own `orValue`. */
  readonly environments: AdmissionEnvironments;
  /** Throws `Undecided` if the answer is unknown. */
  readonly authorization: () => AuthorizationSource;
  readonly params: ParamSource;
  /** Budget for every expression. Absent: no limit. */
  readonly work?: RunBudget;
}

export interface CelRuleSubject {
  readonly matched: MatchedRequest;
  /** Undefined for cluster-scoped objects. */
  readonly namespaceObject: JsonObject | undefined;
}

export type CelOutcome =
  | { readonly result: 'pass' }
  | { readonly result: 'unmet' }
  | { readonly result: 'error'; readonly message: string }
  | {
      readonly result: 'fail';
      readonly message: string;
      /** Index of the expression. Undefined if the preconditions failed. */
      readonly index: number | undefined;
      /** Fields that decided, best first. */
      explain(): readonly Read[];
    };

interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly compiled: CompiledExpression;
  readonly messageExpression: CompiledExpression | undefined;
}

export class CelRule {
  readonly #variables: CompiledVariables;
  readonly #preconditions: readonly CompiledExpression[];
  readonly #validations: readonly Validation[];
  readonly #settings: CelSettings;
  readonly #cel: JsonObject;

  /** `message`: the rule's message, for expressions without their own. */
  constructor(cel: JsonObject, preconditions: readonly JsonObject[], message: string, settings: CelSettings) {
    this.#settings = settings;
    this.#cel = cel;
    const hasParams = isJsonObject(cel.get('paramKind'));
    const contextFor = (hasAuthorizer: boolean, types: TypeProvider): ExpressionContext => {
      const declarations = { mode: 'stored', hasParams, hasAuthorizer, variables: types } as const;
      return settings.environments.context(declarations);
    };
    const named = objectItems(cel.get('variables')).map((variable) => ({
      name: textField(variable, 'name'),
      expression: textField(variable, 'expression'),
    }));
    this.#variables = new CompiledVariables(named, (types) => contextFor(true, types));
    const context = contextFor(true, this.#variables);
    const messageContext = contextFor(false, this.#variables);
    this.#preconditions = preconditions.map((condition) =>
      compileExpression(textField(condition, 'expression'), [BOOL], context),
    );
    this.#validations = objectItems(cel.get('expressions')).map((validation) => {
      const expression = textField(validation, 'expression');
      const messageExpression = textField(validation, 'messageExpression');
      return {
        expression,
        message: textField(validation, 'message') || message,
        compiled: compileExpression(expression, [BOOL], context),
        messageExpression:
          messageExpression === '' ? undefined : compileExpression(messageExpression, [STRING], messageContext),
      };
    });
  }

  /** Evaluates the rule with each of its params. */
  evaluate(asked: CelRuleSubject): CelOutcome {
    const { request } = asked.matched;
    const isNamespace = request.kind.group === '' && request.kind.kind === 'Namespace';
    const collected = collectCelParams(this.#cel, isNamespace ? '' : request.namespace, this.#settings.params);
    if ('error' in collected) {
      return { result: 'error', message: `error in parameterized resource: ${collected.error}` };
    }
    for (const params of collected) {
      const outcome = this.#evaluateWith(params, asked);
      if (outcome.result !== 'pass') return outcome;
    }
    return { result: 'pass' };
  }

  #evaluateWith(params: JsonObject | null, { matched, namespaceObject }: CelRuleSubject): CelOutcome {
    const subject: EvaluationSubject = {
      matched,
      params,
      namespace: namespaceObject === undefined ? null : new NamespaceObject(namespaceObject),
      authorizerFor: () => authorizerValues(matched, this.#settings.authorization()),
      ...(this.#settings.work && { work: this.#settings.work }),
    };
    if (this.#preconditions.length > 0) {
      const activation = new RequestActivation(subject, 'matchConditions', this.#variables, false);
      const outcome = evaluateMatchConditions(this.#preconditions, activation, 'Fail');
      if ('error' in outcome) return { result: 'fail', message: outcome.error, index: undefined, explain: () => [] };
      if (!outcome.matches) return { result: 'unmet' };
    }
    return this.#validate(subject);
  }

  #validate(subject: EvaluationSubject): CelOutcome {
    const validations = this.#validations;
    const activation = new RequestActivation(subject, 'validations', this.#variables, false);
    const expressions = validations.map(({ compiled }) => compiled);
    const round = evaluateExpressions(expressions, activation, RUNTIME_COST_BUDGET);
    if ('outOfBudget' in round) return { result: 'fail', message: round.outOfBudget, index: 0, explain: () => [] };
    if (round.allTrue && validations.every(({ messageExpression }) => messageExpression === undefined)) {
      return { result: 'pass' };
    }
    const messageActivation = new RequestActivation(subject, 'messageExpressions', this.#variables, false);
    const messageExpressions = validations.map(({ messageExpression }) => messageExpression);
    const messages = evaluateExpressions(messageExpressions, messageActivation, round.remainingBudget);
    for (const [index, outcome] of round.outcomes.entries()) {
      const validation = validations[index] as Validation;
      const explain = (): readonly Read[] => explainReads(validation.compiled, subject, 'validations', this.#variables);
      const failed = (message: string, wasStopped = false): CelOutcome => {
        return { result: 'fail', message, index, explain: wasStopped ? () => [] : explain };
      };
      if (outcome !== undefined && 'error' in outcome) return failed(outcome.error, outcome.isStopped);
      if ('outOfBudget' in messages) return failed(`failed messageExpression: ${messages.outOfBudget}`);
      if (outcome?.value !== true) return failed(selectMessage(validation, messages.outcomes[index]));
    }
    return { result: 'pass' };
  }
}
