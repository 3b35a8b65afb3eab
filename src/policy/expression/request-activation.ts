// The variables an admission expression can see, bound for one round of evaluation (apiserver `plugin/cel/activation.go`).
import type { Activation } from '../../cel/eval/program.ts';
import { UnknownValue, type Value } from '../../cel/value/value.ts';
import { Meter } from '../../go/meter.ts';
import { type MatchedRequest, requestVariable } from '../../kubernetes/request/admission-request.ts';
import type { RunBudget } from '../../kubernetes/request/run-budget.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { NamespaceObject } from './namespace-object.ts';
import type { OpenView } from './open-view.ts';
import { isUnfinished } from './unfinished.ts';
import { type CompiledVariables, LazyVariables } from './variables.ts';

/** Kind of expression. Each kind sees different variables. */
export type Phase = 'matchConditions' | 'validations' | 'messageExpressions' | 'auditAnnotations';

export interface AuthorizerValues {
  readonly authorizer: Value;
  readonly requestResource: Value;
}

/** Input of one policy evaluation with one param. */
export interface EvaluationSubject {
  readonly matched: MatchedRequest;
  readonly params: JsonObject | null;
  /** Null for cluster-scoped requests and for Namespaces. */
  readonly namespace: NamespaceObject | null;
  readonly authorizerFor: () => AuthorizerValues;
  /** Absent: the request's objects have no open fields. */
  readonly open?: OpenView | undefined;
  /** True if the user and its permissions are unknown values. */
  readonly isUserOpen?: boolean;
  /** Absent: no work limit. */
  readonly work?: RunBudget;
}

const OPEN_USER = new UnknownValue('request.userInfo', true);
const OPEN_AUTHORIZER: AuthorizerValues = { authorizer: OPEN_USER, requestResource: OPEN_USER };

/** Fixed cost per expression, in steps. */
const STEPS_FOR_EXPRESSION = 20;

/** Factor for a step under tracing. */
const OBSERVED = 5;

/** Creates rarely used values on first access. */
export class RequestActivation implements Activation {
  readonly #subject: EvaluationSubject;
  readonly #phase: Phase;
  readonly #compiledVariables: CompiledVariables;
  readonly #trace: boolean;
  #variables: LazyVariables | undefined;
  #request: ReadonlyMap<string, Value> | undefined;
  #authorizer: AuthorizerValues | undefined;
  #meter: Meter | undefined;
  #isUnfinished = false;

  constructor(subject: EvaluationSubject, phase: Phase, variables: CompiledVariables, trace: boolean) {
    this.#subject = subject;
    this.#phase = phase;
    this.#compiledVariables = variables;
    this.#trace = trace;
  }

  get isPartial(): boolean {
    return this.#subject.open !== undefined || this.#subject.isUserOpen === true;
  }

  resolve(name: string): Value | undefined {
    switch (name) {
      case 'object':
        return (this.#subject.open ?? this.#subject.matched.request).object;
      case 'oldObject':
        return (this.#subject.open ?? this.#subject.matched.request).oldObject;
      case 'params':
        return this.#subject.params;
      case 'request':
        this.#request ??= this.#makeRequest();
        return this.#request;
      case 'namespaceObject':
        return this.#namespaceObject();
      case 'authorizer':
        return this.#authorizerValues()?.authorizer;
      case 'authorizer.requestResource':
        return this.#authorizerValues()?.requestResource;
      case 'variables':
        this.#variables ??= new LazyVariables(this.#compiledVariables, this, this.#trace);
        return this.#variables;
      default:
        return undefined;
    }
  }

  /** Host values (request and params) that an expression may have accessed so far. */
  hostValues(): readonly Value[] {
    const { object, oldObject } = this.#subject.matched.request;
    return [object, oldObject, this.#subject.params, this.#request ?? null, this.#namespaceObject()];
  }

  /** Shared by the round's expressions and their variables. */
  get meter(): Meter {
    this.#meter ??= new Meter(undefined, this.#subject.work);
    return this.#meter;
  }

  /** Charges one expression's cost to the run's budget. */
  spend(cost: number): void {
    this.#subject.work?.spend((cost + STEPS_FOR_EXPRESSION) * (this.#trace ? OBSERVED : 1));
  }

  /** Records that Preadmit's own limit stopped an evaluation, even if a later operator absorbs the error. */
  observe(value: Value): void {
    this.#isUnfinished ||= isUnfinished(value);
  }

  /** True if that happened since the last call. Resets the flag. */
  takeUnfinished(): boolean {
    const wasUnfinished = this.#isUnfinished;
    this.#isUnfinished = false;
    return wasUnfinished;
  }

  takeVariablesCost(): number {
    return this.#variables?.takeCost() ?? 0;
  }

  /** matchConditions see the request's own resource with the matched kind (`webhook/matchconditions/matcher.go`). */
  #makeRequest(): ReadonlyMap<string, Value> {
    const { request, matchedKind, matchedResource } = this.#subject.matched;
    const variable = requestVariable(
      request,
      matchedKind,
      this.#phase === 'matchConditions' ? request.resource : matchedResource,
    );
    return this.#subject.isUserOpen === true ? new Map<string, Value>(variable).set('userInfo', OPEN_USER) : variable;
  }

  /** matchConditions see no Namespace, audit annotations the stored one, all others the exposed one. */
  #namespaceObject(): JsonObject | null {
    const { namespace } = this.#subject;
    if (this.#phase === 'matchConditions' || namespace === null) return null;
    return this.#phase === 'auditAnnotations' ? namespace.stored : namespace.exposed;
  }

  /** Not declared for messageExpression; declared without a value for audit annotations. */
  #authorizerValues(): AuthorizerValues | undefined {
    if (this.#phase === 'messageExpressions' || this.#phase === 'auditAnnotations') return undefined;
    if (this.#subject.isUserOpen === true) return OPEN_AUTHORIZER;
    this.#authorizer ??= this.#subject.authorizerFor();
    return this.#authorizer;
  }
}
