// What is wrong with the policies and bindings of one language: what the API server would refuse, and what would have no effect.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { FieldError } from '../../../kubernetes/validation/field-error.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';
import type { CompiledRules } from './lint/compiled-rules.ts';
import { PolicyLint } from './lint/policy-lint.ts';
import { fieldDiagnostics, inertPolicies } from './policy-problems.ts';
import type { RefusedPolicies } from './refused-policies.ts';

export interface PolicyChecks<Policy, Binding, Compiled> {
  readonly refused: RefusedPolicies<Policy, Compiled>;
  readonly validateBinding: (binding: Binding, version: KubernetesVersion) => readonly FieldError[];
  /** Expressions that cannot work for a kind the policy is about. */
  readonly illTyped: (policy: Policy, compiled: Compiled) => readonly Diagnostic[];
  readonly rulesOf: (policy: Policy, compiled: Compiled) => CompiledRules;
}

export class CheckedPolicies<Policy extends AdmissionPolicy, Binding extends AdmissionBinding, Compiled> {
  readonly #policies: readonly Policy[];
  readonly #bindings: readonly Binding[];
  readonly #version: KubernetesVersion;
  readonly #checks: PolicyChecks<Policy, Binding, Compiled>;
  #checked: readonly Diagnostic[] | undefined;
  /** The first diagnostic of each policy that the server refuses. */
  readonly #refusals = new Map<Diagnostic, Policy>();

  constructor(
    policies: readonly Policy[],
    bindings: readonly Binding[],
    version: KubernetesVersion,
    checks: PolicyChecks<Policy, Binding, Compiled>,
  ) {
    this.#policies = policies;
    this.#bindings = bindings;
    this.#version = version;
    this.#checks = checks;
  }

  /** With the number of objects that a refused policy concerns, of those evaluated until now. */
  get diagnostics(): readonly Diagnostic[] {
    this.#checked ??= this.#check();
    return this.#checked.map((diagnostic) => {
      const policy = this.#refusals.get(diagnostic);
      const concerns = policy && this.#checks.refused.concernsOf(policy);
      return concerns === undefined ? diagnostic : { ...diagnostic, concerns };
    });
  }

  #check(): readonly Diagnostic[] {
    const { refused, validateBinding, illTyped, rulesOf } = this.#checks;
    const lint = new PolicyLint(this.#version);
    return [
      ...this.#policies.flatMap((policy) => {
        const { compiled, errors } = refused.checked(policy);
        const ofErrors = errors.flatMap((error) => fieldDiagnostics(error, 'invalid-policy', policy.resource));
        const [first] = ofErrors;
        if (first !== undefined) this.#refusals.set(first, policy);
        return [...ofErrors, ...illTyped(policy, compiled), ...lint.ofPolicy(policy, rulesOf(policy, compiled))];
      }),
      ...this.#bindings.flatMap((binding) =>
        validateBinding(binding, this.#version).flatMap((error) =>
          fieldDiagnostics(error, 'invalid-binding', binding.resource),
        ),
      ),
      ...this.#bindings.flatMap((binding) => lint.ofBinding(binding)),
      ...inertPolicies(this.#policies, this.#bindings),
    ];
  }
}
