// Environment for evaluating expressions interactively, with given values and a policy's variables.

import type { Activation } from '../../../cel/eval/program.ts';
import { visitPostOrder } from '../../../cel/syntax/children.ts';
import type { Value } from '../../../cel/value/value.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { type AdmissionContext, AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { expressionHelp } from '../../expression/expression-help.ts';
import { CompiledVariables, LazyVariables } from '../../expression/variables.ts';
import type { ExpressionSite } from './expression-site.ts';

export interface TriedEnvironmentOptions {
  readonly version: KubernetesVersion;
  /** Absent: declares `params`, but neither `variables` nor `authorizer`. */
  readonly policy?: ExpressionSite['policy'];
  readonly isMutation: boolean;
  readonly bound: ReadonlyMap<string, JsonValue>;
}

/** `isMutation` declares the types for patches. It is set per expression because a policy has both kinds. */
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

  /** Each activation evaluates the variables again, on first use. */
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

  /** Distinct suggestions for an expression that does not compile. */
  helpFor(expression: string, isMutation: boolean): readonly string[] {
    const { environment } = this.context(isMutation);
    const { issues } = environment.compile(expression);
    const texts = issues.map((issue) => expressionHelp(issue, expression, environment));
    return [...new Set(texts.filter((text) => text !== undefined))];
  }

  /** Names of the variables that the expression reads itself; empty if it does not compile. */
  readsOf(expression: string, isMutation: boolean): ReadonlySet<string> {
    const { ast } = this.context(isMutation).environment.compile(expression);
    const names = new Set<string>();
    if (ast === undefined) return names;
    visitPostOrder(ast.expr, (node) => {
      if (node.kind === 'ident') names.add(node.name.replace(/^\./, ''));
    });
    return names;
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
