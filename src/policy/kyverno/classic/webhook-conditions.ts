// The conditions of a policy's own webhook. The server evaluates them before it calls Kyverno (`webhookConfiguration.matchConditions`).
import { BOOL } from '../../../cel/check/type.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { objectItems, textField } from '../../../source/json/json-field.ts';
import { authorizerValues } from '../../expression/authorizer-values.ts';
import { type CompiledExpression, compileExpression } from '../../expression/compiled-expression.ts';
import { evaluateMatchConditions } from '../../expression/match-conditions.ts';
import { RequestActivation } from '../../expression/request-activation.ts';
import { CompiledVariables } from '../../expression/variables.ts';
import type { CompiledPolicy } from '../rule/compiled-policy.ts';
import type { CelSettings } from '../validate/validate-cel.ts';
import { failsOnError } from './failure-action.ts';

export class WebhookConditions {
  readonly #settings: CelSettings;
  readonly #variables: CompiledVariables;
  readonly #conditions: readonly CompiledExpression[];
  readonly #failurePolicy: 'Fail' | 'Ignore';

  constructor(policy: CompiledPolicy, settings: CelSettings) {
    this.#settings = settings;
    this.#failurePolicy = failsOnError(policy) ? 'Fail' : 'Ignore';
    this.#variables = new CompiledVariables([], (types) => {
      return settings.environments.context({ mode: 'stored', hasParams: false, hasAuthorizer: true, variables: types });
    });
    const context = settings.environments.context({
      mode: 'stored',
      hasParams: false,
      hasAuthorizer: true,
      variables: this.#variables,
    });
    this.#conditions = objectItems(policy.webhookConfiguration?.get('matchConditions')).map((condition) =>
      compileExpression(textField(condition, 'expression'), [BOOL], context),
    );
  }

  /** Throws `Undecided` if the result depends on the authorizer. */
  matches(request: AdmissionRequest): boolean | { readonly error: string } {
    if (this.#conditions.length === 0) return true;
    const matched = { request, matchedKind: request.kind, matchedResource: request.resource };
    const authorizerFor = (): ReturnType<typeof authorizerValues> => {
      return authorizerValues(matched, this.#settings.authorization());
    };
    const { work } = this.#settings;
    const subject = { matched, params: null, namespace: null, authorizerFor, ...(work && { work }) };
    const activation = new RequestActivation(subject, 'matchConditions', this.#variables, false);
    const outcome = evaluateMatchConditions(this.#conditions, activation, this.#failurePolicy);
    return 'error' in outcome ? outcome : outcome.matches;
  }
}
