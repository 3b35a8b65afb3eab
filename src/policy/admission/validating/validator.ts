// Evaluates a compiled ValidatingAdmissionPolicy for a request, param and Namespace (apiserver `validating/{plugin,validator}.go`).
import type { Read } from '../../../cel/value/trace.ts';
import { typeOf } from '../../../cel/value/type-of.ts';
import type { Value } from '../../../cel/value/value.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import type { AuthorizationSource } from '../../../kubernetes/cel/authorization-source.ts';
import type { MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type { RunBudget, Spender } from '../../../kubernetes/request/run-budget.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import type { ObservedExpression } from '../../explanation/explanation.ts';
import type { PolicyExpression } from '../../explanation/policy-coverage.ts';
import { authorizerValues } from '../../expression/authorizer-values.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import {
  type EvaluationRound,
  type ExpressionOutcome,
  evaluateExpressions,
  OUT_OF_BUDGET,
  RUNTIME_COST_BUDGET,
} from '../../expression/condition-evaluator.ts';
import { selectMessage } from '../../expression/decision-message.ts';
import { explainReads } from '../../expression/explain-reads.ts';
import { evaluateMatchConditions } from '../../expression/match-conditions.ts';
import type { NamespaceObject } from '../../expression/namespace-object.ts';
import { observeExpression } from '../../expression/observed-expression.ts';
import { openView } from '../../expression/open-view.ts';
import {
  type AuthorizerValues,
  type EvaluationSubject,
  type Phase,
  RequestActivation,
} from '../../expression/request-activation.ts';
import { UNFINISHED_WORK } from '../../expression/unfinished.ts';
import { readsAuthorizer, readsNamespace } from '../generic/assumed-namespaces.ts';
import { UserReads } from '../generic/assumed-user.ts';
import { FieldReads } from '../generic/field-reads.ts';
import { observableExpressions } from '../generic/observable-expressions.ts';
import { type CompiledPolicy, expressionsOf } from './compiled-policy.ts';
import type { AuditAnnotationDecision, Decision, ValidateResult } from './decision.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

const SKIPPED: ValidateResult = { decisions: [], auditAnnotations: [], skipped: true, passes: true };

/** Traces of the expressions. Undefined for those that do not compile. */
export interface ObservedValidation {
  readonly matchConditions: readonly (ObservedExpression | undefined)[];
  readonly validations: readonly (ObservedExpression | undefined)[];
}

export class Validator {
  readonly #policy: ValidatingPolicy;
  readonly #work: RunBudget;
  readonly #spender: Spender;
  readonly #compiled: CompiledPolicy;
  /** Shared decisions for validations that pass. */
  readonly #admitted: readonly Decision[];
  /** Shared parts of denials without a messageExpression. */
  readonly #denied: readonly PlainDenial[];
  /** Shared result when all validations pass. */
  readonly #passed: ValidateResult;
  readonly #hasMessageExpressions: boolean;
  readonly readsNamespace: boolean;
  readonly readsAuthorizer: boolean;
  readonly reads: FieldReads;
  readonly #userReads: UserReads;
  /** Remaining budget after the most expensive request so far. */
  #leastBudget = RUNTIME_COST_BUDGET;

  constructor(policy: ValidatingPolicy, compiled: CompiledPolicy, work: RunBudget) {
    this.#work = work;
    this.#spender = work.spender(`${policy.kind} ${policy.name}`, policy.resource);
    this.#policy = policy;
    this.#compiled = compiled;
    this.readsNamespace = readsNamespace(expressionsOf(compiled));
    this.readsAuthorizer = readsAuthorizer(expressionsOf(compiled));
    this.reads = new FieldReads(expressionsOf(compiled));
    this.#userReads = new UserReads(expressionsOf(compiled));
    this.#admitted = policy.validations.map((validation, index) => ({
      action: 'admit',
      evaluation: 'admit',
      message: '',
      reason: '',
      rule: ['spec', 'validations', index, 'expression'],
      expression: validation.expression,
      explain: () => [],
    }));
    this.#denied = policy.validations.map((validation, index) => ({
      rule: ['spec', 'validations', index, 'expression'],
      expression: validation.expression,
      reason: validation.reason,
      message: selectMessage(validation, undefined),
    }));
    this.#passed = { decisions: this.#admitted, auditAnnotations: [], skipped: false, passes: true };
    this.#hasMessageExpressions = compiled.messageExpressions.some((expression) => expression !== undefined);
  }

  /** `namespace` is null for cluster-scoped requests and for Namespaces. `open`: fields without a known value. */
  validate(
    matched: MatchedRequest,
    params: JsonObject | null,
    namespace: NamespaceObject | null,
    authorization: () => AuthorizationSource,
    openFields: readonly FieldPath[] = NO_FIELDS,
  ): ValidateResult {
    const authorizerFor = (): AuthorizerValues => authorizerValues(matched, authorization());
    const open = openFields.length === 0 ? undefined : openView(matched.request, openFields);
    const subject: EvaluationSubject = { matched, params, namespace, authorizerFor, open, work: this.#work };
    const result = this.#validate(subject);
    return open === undefined ? result : withOpenFields(result, openFields);
  }

  /** True if the policy admits the request, but may not do so for every user. A policy that names the user is right about it. */
  admitsOnlyUser(
    matched: MatchedRequest,
    params: JsonObject | null,
    namespace: NamespaceObject | null,
    { decisions, skipped }: ValidateResult,
  ): boolean {
    if (!this.#userReads.mayDecide(skipped ? 'skip' : 'admit')) return false;
    if (decisions.some(({ action }) => action === 'deny')) return false;
    if (this.#userReads.names(matched.request.userInfo)) return false;
    const subject = { matched, params, namespace, authorizerFor: noAuthorizer, isUserOpen: true, work: this.#work };
    return this.#validate(subject).decisions.some(({ action }) => action === 'deny');
  }

  #validate(subject: EvaluationSubject): PartialResult {
    this.#work.begin(this.#spender);
    this.#work.spend(STEPS_FOR_REQUEST);
    let condition: string | undefined;
    if (this.#compiled.matchConditions.length > 0) {
      const activation = this.#activation(subject, 'matchConditions');
      const outcome = evaluateMatchConditions(this.#compiled.matchConditions, activation, this.#policy.failurePolicy);
      if ('error' in outcome) return this.#matchConditionError(outcome, subject);
      if (!outcome.matches) return SKIPPED;
      condition = outcome.unknown;
    }
    const decisions = this.#decisions(subject);
    if (decisions === undefined) return this.#budgetError(['spec', 'validations']);
    if (decisions === this.#admitted && this.#compiled.auditAnnotations.length === 0) return this.#passed;
    const auditAnnotations = this.#auditAnnotationDecisions(subject);
    if (auditAnnotations === undefined) return this.#budgetError(['spec', 'auditAnnotations']);
    return {
      decisions,
      auditAnnotations,
      skipped: false,
      passes: false,
      ...(condition !== undefined && { condition }),
    };
  }

  /** Evaluates match conditions and validations again with tracing. Runs the validations even if a condition is false. */
  observe(
    matched: MatchedRequest,
    params: JsonObject | null,
    namespace: NamespaceObject | null,
    authorization: () => AuthorizationSource,
  ): ObservedValidation {
    const subject = { matched, params, namespace, authorizerFor: () => authorizerValues(matched, authorization()) };
    const { variables, matchConditions, validations } = this.#compiled;
    const observe = (phase: Phase, expressions: readonly CompiledExpression[]) => {
      const activation = new RequestActivation(subject, phase, variables, true);
      return expressions.map((expression) => observeExpression(expression, activation, variables));
    };
    return {
      matchConditions: observe('matchConditions', matchConditions),
      validations: observe('validations', validations),
    };
  }

  /** Share of the validation budget that the most expensive request used, up to 1. 0 before the first request. */
  get budgetShare(): number {
    return 1 - this.#leastBudget / RUNTIME_COST_BUDGET;
  }

  /** Excludes message expressions and audit annotations, which decide nothing. */
  expressions(): readonly PolicyExpression[] {
    return observableExpressions(this.#policy, expressionsOf(this.#compiled));
  }

  #activation(subject: EvaluationSubject, phase: Phase): RequestActivation {
    return new RequestActivation(subject, phase, this.#compiled.variables, false);
  }

  /** Undefined if the validations exceeded the budget. Audit annotations are then not evaluated. */
  #decisions(subject: EvaluationSubject): readonly Decision[] | undefined {
    const round = evaluateExpressions(
      this.#compiled.validations,
      this.#activation(subject, 'validations'),
      RUNTIME_COST_BUDGET,
    );
    if ('outOfBudget' in round) {
      this.#leastBudget = 0;
      return undefined;
    }
    if (round.remainingBudget < this.#leastBudget) this.#leastBudget = round.remainingBudget;
    if (!this.#hasMessageExpressions && round.allTrue) return this.#admitted;
    const messages = this.#messages(subject, round.remainingBudget);
    const outOfBudget = 'outOfBudget' in messages ? messages.outOfBudget : undefined;
    const messageOutcomes = 'outcomes' in messages ? messages.outcomes : [];
    const decisions: Decision[] = [];
    for (let index = 0; index < round.outcomes.length; index++) {
      const decision = this.#decision(index, round.outcomes[index], messageOutcomes[index], outOfBudget, subject);
      if (decision.action === 'deny') this.#work.spend(STEPS_FOR_FAILURE);
      decisions.push(decision);
    }
    return decisions;
  }

  /** Also evaluates messages of passing validations: they use budget. */
  #messages(subject: EvaluationSubject, budget: number): EvaluationRound {
    if (!this.#hasMessageExpressions) return NO_MESSAGES;
    const activation = this.#activation(subject, 'messageExpressions');
    return evaluateExpressions(this.#compiled.messageExpressions, activation, budget);
  }

  #decision(
    index: number,
    outcome: ExpressionOutcome,
    messageOutcome: ExpressionOutcome,
    messageError: string | undefined,
    subject: EvaluationSubject,
  ): Decision {
    if (messageError === undefined && holds(outcome)) return this.#admitted[index] as Decision;
    const denied = this.#denied[index] as PlainDenial;
    const { rule, expression, reason } = denied;
    const explain = (): readonly Read[] =>
      this.#explain(this.#compiled.validations[index] as CompiledExpression, subject, 'validations');
    if (outcome !== undefined && 'error' in outcome && outcome.unknown !== undefined) {
      return { ...denied, action: 'deny', evaluation: 'unknown', missing: [outcome.unknown], explain: () => [] };
    }
    if (outcome !== undefined && 'error' in outcome) {
      return { ...this.#failed(outcome), rule, expression, explain: outcome.isStopped ? () => [] : explain };
    }
    if (messageError !== undefined) {
      const message = `failed messageExpression: ${messageError}`;
      return { action: this.#errorAction, evaluation: 'error', message, reason: '', rule, expression, explain };
    }
    const validation = this.#policy.validations[index] as ValidatingPolicy['validations'][number];
    const message = messageOutcome === undefined ? denied.message : selectMessage(validation, messageOutcome);
    return { action: 'deny', evaluation: 'deny', message, reason, rule, expression, explain };
  }

  /** Undefined if the budget ran out. */
  #auditAnnotationDecisions(subject: EvaluationSubject): readonly AuditAnnotationDecision[] | undefined {
    if (this.#compiled.auditAnnotations.length === 0) return [];
    const round = evaluateExpressions(
      this.#compiled.auditAnnotations,
      this.#activation(subject, 'auditAnnotations'),
      RUNTIME_COST_BUDGET,
    );
    if ('outOfBudget' in round) return undefined;
    return round.outcomes.map((outcome, index) => {
      const { key, valueExpression } = this.#policy.auditAnnotations[
        index
      ] as ValidatingPolicy['auditAnnotations'][number];
      const place = {
        key,
        rule: ['spec', 'auditAnnotations', index, 'valueExpression'],
        expression: valueExpression,
        explain: () =>
          this.#explain(this.#compiled.auditAnnotations[index] as CompiledExpression, subject, 'auditAnnotations'),
      };
      if (outcome !== undefined && 'error' in outcome && outcome.unknown !== undefined) {
        return { ...place, action: 'exclude', value: '', error: '' };
      }
      if (outcome !== undefined && 'error' in outcome) {
        const action = this.#policy.failurePolicy === 'Ignore' ? 'exclude' : 'error';
        return { ...place, action, value: '', error: outcome.error };
      }
      const value = outcome?.value ?? null;
      if (value !== null && typeof value !== 'string') {
        return { ...place, action: 'error', value: '', error: unsupportedType(valueExpression, value) };
      }
      const trimmed = trimSpace(value ?? '');
      return { ...place, action: trimmed === '' ? 'exclude' : 'publish', value: trimmed, error: '' };
    });
  }

  #failed({
    error,
    isUnfinished,
  }: FailedExpression): Pick<Decision, 'action' | 'evaluation' | 'message' | 'reason' | 'missing' | 'isUnfinished'> {
    if (isUnfinished !== true) return { action: this.#errorAction, evaluation: 'error', message: error, reason: '' };
    return {
      action: 'deny',
      evaluation: 'unknown',
      message: 'not evaluated',
      reason: '',
      missing: [UNFINISHED_WORK],
      isUnfinished,
    };
  }

  #matchConditionError(
    { index, ...failure }: FailedExpression & { readonly index: number },
    subject: EvaluationSubject,
  ): ValidateResult {
    const compiled = this.#compiled.matchConditions[index] as CompiledExpression;
    const decision: Decision = {
      ...this.#failed(failure),
      rule: ['spec', 'matchConditions', index, 'expression'],
      expression: compiled.expression,
      explain: () => this.#explain(compiled, subject, 'matchConditions'),
    };
    return { decisions: [decision], auditAnnotations: [], skipped: false, passes: false };
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
    return { decisions: [decision], auditAnnotations: [], skipped: false, passes: false };
  }

  #explain(compiled: CompiledExpression, subject: EvaluationSubject, phase: Phase): readonly Read[] {
    this.#work.begin(this.#spender);
    return explainReads(compiled, { ...subject, open: undefined }, phase, this.#compiled.variables);
  }

  get #errorAction(): 'admit' | 'deny' {
    return this.#policy.failurePolicy === 'Ignore' ? 'admit' : 'deny';
  }
}

interface PartialResult extends ValidateResult {
  /** The open field that decides whether the policy matches. */
  readonly condition?: string;
}

const NO_FIELDS: readonly FieldPath[] = [];

function noAuthorizer(): never {
  throw new Error('the permissions of an unknown user are unknown');
}

/** If a condition is unknown, only decisions that admit are known. */
function withOpenFields({ condition, ...result }: PartialResult, open: readonly FieldPath[]): ValidateResult {
  const decisions = result.decisions.map((decision): Decision => {
    const isOpen = decision.evaluation === 'unknown' && decision.isUnfinished !== true;
    const field = isOpen ? decision.missing?.[0] : decision.action === 'deny' ? condition : undefined;
    const dependsOn = field === undefined ? undefined : open.find((path) => formatFieldPath(path) === field);
    if (dependsOn === undefined) return decision;
    return { ...decision, action: 'deny', evaluation: 'unknown', missing: [formatFieldPath(dependsOn)], dependsOn };
  });
  return { ...result, decisions, auditAnnotations: condition === undefined ? result.auditAnnotations : [] };
}

/** Cost of building a failure, in steps: about 2.5 µs, ten times the evaluation. */
const STEPS_FOR_FAILURE = 120;

/** Fixed cost of a policy evaluation with one param, in steps, besides its expressions. */
const STEPS_FOR_REQUEST = 40;

/** The remaining budget is not read. */
const NO_MESSAGES: EvaluationRound = { outcomes: [], remainingBudget: 0, allTrue: true };

type PlainDenial = Pick<Decision, 'rule' | 'expression' | 'reason' | 'message'>;

/** `isUnfinished`: Preadmit's own limit stopped the evaluation. */
interface FailedExpression {
  readonly error: string;
  readonly isUnfinished?: true;
}

function holds(outcome: ExpressionOutcome): boolean {
  return outcome !== undefined && 'value' in outcome && outcome.value === true;
}

/** A declared string may have another type at run time, as in `dyn(1).orValue('')`. failurePolicy does not apply here. */
function unsupportedType(valueExpression: string, value: Value): string {
  return `valueExpression '${valueExpression}' resulted in unsupported return type: ${typeOf(value)}. Return type must be either string or null.`;
}
