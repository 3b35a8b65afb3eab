// The variables an admission expression can see, bound for one round of evaluation (apiserver `plugin/cel/activation.go`).
import type { Activation } from '../../cel/eval/program.ts';
import type { Value } from '../../cel/value/value.ts';
import type { JsonObject } from '../../source/json.ts';
import { type CompiledVariables, LazyVariables } from './variables.ts';

export interface ActivationInput {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
  readonly params: JsonObject | null;
  /** Null in matchConditions, for cluster-scoped requests and for Namespaces. */
  readonly namespaceObject: JsonObject | null;
  /** Undefined where the server binds none: messageExpression and auditAnnotations. */
  readonly authorizer: { readonly authorizer: Value; readonly requestResource: Value } | undefined;
}

export class RequestActivation implements Activation {
  readonly variables: LazyVariables;
  readonly #input: ActivationInput;

  constructor(input: ActivationInput, variables: CompiledVariables, trace = false) {
    this.#input = input;
    this.variables = new LazyVariables(variables, this, trace);
  }

  resolve(name: string): Value | undefined {
    switch (name) {
      case 'object':
        return this.#input.object;
      case 'oldObject':
        return this.#input.oldObject;
      case 'params':
        return this.#input.params;
      case 'request':
        return this.#input.request;
      case 'namespaceObject':
        return this.#input.namespaceObject;
      case 'authorizer':
        return this.#input.authorizer?.authorizer;
      case 'authorizer.requestResource':
        return this.#input.authorizer?.requestResource;
      case 'variables':
        return this.variables;
      default:
        return undefined;
    }
  }
}
