// What expressions see that somebody tries out: values of their own choice, and the variables of a policy.
import type { Activation } from '../../../cel/eval/program.ts';
import type { Value } from '../../../cel/value/value.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { type AdmissionContext, AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { expressionHelp } from '../../expression/expression-help.ts';
import { CompiledVariables, LazyVariables } from '../../expression/variables.ts';
import type { ExpressionSite } from './expression-site.ts';

export interface TriedEnvironmentOptions {
  readonly version: KubernetesVersion;
  /** Absent: there is `params`, there are no `variables`, and nobody is asked for access. */
  readonly policy?: ExpressionSite['policy'];
  readonly isMutation: boolean;
  readonly bound: ReadonlyMap<string, JsonValue>;
}

/** `isMutation`: the types of patches are there, which is asked for each expression, as a policy has both sorts. */
export class TriedEnvironment {
  readonly #options: TriedEnvironmentOptions;
  readonly #environments: AdmissionEnvironments;
  readonly #variables: CompiledVariables | undefined;

  constructor(options: TriedEnvironmentOptions) {
    const { policy, version } = options;
    this.#options = options;
    this.#environments = new AdmissionEnvironments(version);
    this.#variables =
      policy &&
      new CompiledVariables(policy.variables, (variables) =>
        this.#environments.context({ ...this.#declarations(false), variables }),
      );
  }

  context(isMutation: boolean): AdmissionContext {
    const variables = this.#variables;
    return this.#environments.context({ ...this.#declarations(isMutation), ...(variables && { variables }) });
  }

  /** Variables are evaluated when they are first looked at, anew for each activation. */
  activation(trace: boolean): Activation {
    const { bound } = this.#options;
    const own: Activation & { spend(): void; observe(): void } = {
      resolve: (name) => (name === 'variables' ? lazy : bound.get(name)),
      spend: () => {},
      observe: () => {},
    };
    const lazy: Value | undefined = this.#variables && new LazyVariables(this.#variables, own, trace);
    return own;
  }

  /** What to write instead of what does not compile, each once. */
  helpFor(expression: string, isMutation: boolean): readonly string[] {
    const { environment } = this.context(isMutation);
    const { issues } = environment.compile(expression);
    const texts = issues.map((issue) => expressionHelp(issue, expression, environment));
    return [...new Set(texts.filter((text) => text !== undefined))];
  }

  #declarations(isMutation: boolean) {
    const { policy } = this.#options;
    return {
      mode: 'stored' as const,
      hasParams: policy === undefined || policy.paramKind !== undefined,
      hasAuthorizer: policy !== undefined,
      hasPatchTypes: isMutation || this.#options.isMutation,
    };
  }
}
