// The variables an admission expression can see, bound for one round of evaluation (apiserver `plugin/cel/activation.go`).
import type { Activation } from '../../cel/eval/program.ts';
import { Meter } from '../../cel/value/meter.ts';
import type { Value } from '../../cel/value/value.ts';
import { type MatchedRequest, requestVariable } from '../../kubernetes/admission-request.ts';
import type { JsonObject, JsonValue } from '../../source/json.ts';
import { objectOrEmpty } from '../../source/json-field.ts';
import { type CompiledVariables, LazyVariables } from './variables.ts';

/** Which expressions a round is about; they do not all see the same. */
export type Phase = 'matchConditions' | 'validations' | 'messageExpressions' | 'auditAnnotations';

export interface AuthorizerValues {
  readonly authorizer: Value;
  readonly requestResource: Value;
}

/** What one policy is asked with one param. */
export interface EvaluationSubject {
  readonly matched: MatchedRequest;
  readonly params: JsonObject | null;
  /** The stored Namespace; null for cluster-scoped requests and for Namespaces. */
  readonly namespace: JsonObject | null;
  readonly authorizerFor: () => AuthorizerValues;
}

/** Fields of the Namespace that expressions do not see (`CreateNamespaceObject`). */
const HIDDEN_NAMESPACE_METADATA: readonly string[] = ['ownerReferences', 'managedFields', 'selfLink'];

/** Values that few expressions look at are made when one does. */
export class RequestActivation implements Activation {
  /** One for the expressions of the round and the variables they look at. */
  readonly meter = new Meter();
  readonly #subject: EvaluationSubject;
  readonly #phase: Phase;
  readonly #compiledVariables: CompiledVariables;
  readonly #trace: boolean;
  #variables: LazyVariables | undefined;
  #request: JsonObject | undefined;
  #namespaceObject: JsonObject | null | undefined;
  #authorizer: AuthorizerValues | undefined;

  constructor(subject: EvaluationSubject, phase: Phase, variables: CompiledVariables, trace: boolean) {
    this.#subject = subject;
    this.#phase = phase;
    this.#compiledVariables = variables;
    this.#trace = trace;
  }

  resolve(name: string): Value | undefined {
    switch (name) {
      case 'object':
        return this.#subject.matched.request.object;
      case 'oldObject':
        return this.#subject.matched.request.oldObject;
      case 'params':
        return this.#subject.params;
      case 'request':
        this.#request ??= this.#makeRequest();
        return this.#request;
      case 'namespaceObject':
        if (this.#namespaceObject === undefined) this.#namespaceObject = this.#makeNamespaceObject();
        return this.#namespaceObject;
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

  /** Cost of the policy's variables that ran since the last call. */
  takeVariablesCost(): number {
    return this.#variables?.takeCost() ?? 0;
  }

  /** matchConditions see the resource of the request beside the kind it was matched as (`webhook/matchconditions/matcher.go`). */
  #makeRequest(): JsonObject {
    const { request, matchedKind, matchedResource } = this.#subject.matched;
    return requestVariable(
      request,
      matchedKind,
      this.#phase === 'matchConditions' ? request.resource : matchedResource,
    );
  }

  /** matchConditions see none, audit annotations the whole of it, the others what is exposed. */
  #makeNamespaceObject(): JsonObject | null {
    if (this.#phase === 'matchConditions') return null;
    const { namespace } = this.#subject;
    return this.#phase === 'auditAnnotations' || namespace === null ? namespace : exposedNamespace(namespace);
  }

  /** Not declared for messageExpression, and declared without a value for audit annotations. */
  #authorizerValues(): AuthorizerValues | undefined {
    if (this.#phase === 'messageExpressions' || this.#phase === 'auditAnnotations') return undefined;
    this.#authorizer ??= this.#subject.authorizerFor();
    return this.#authorizer;
  }
}

function exposedNamespace(namespace: JsonObject): JsonObject {
  const metadata = new Map<string, JsonValue>(objectOrEmpty(namespace.get('metadata')));
  for (const field of HIDDEN_NAMESPACE_METADATA) metadata.delete(field);
  return new Map<string, JsonValue>([
    ['metadata', metadata],
    ['spec', namespace.get('spec') ?? new Map()],
    ['status', namespace.get('status') ?? new Map()],
  ]);
}
