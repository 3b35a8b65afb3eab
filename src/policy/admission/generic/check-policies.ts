// Diagnostics of admission policies and bindings: what the API server would refuse, and what would have no effect.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { CompiledVariables } from '../../expression/variables.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';
import type { AdmissionSteps } from './admission-steps.ts';
import { PolicyLint } from './lint/policy-lint.ts';
import { fieldDiagnostics, inertPolicies } from './policy-problems.ts';
import type { CheckedPolicy } from './refused-policies.ts';

export interface CheckedPolicies<Policy> {
  readonly diagnostics: readonly Diagnostic[];
  /** The first diagnostic of each policy that the server refuses. */
  readonly refusals: ReadonlyMap<Diagnostic, Policy>;
}

/** `checked` validates each policy once and remembers the result. */
export function checkPolicies<
  Policy extends AdmissionPolicy,
  Binding extends AdmissionBinding,
  Compiled extends { readonly variables: CompiledVariables },
>(
  policies: readonly Policy[],
  bindings: readonly Binding[],
  version: KubernetesVersion,
  checked: (policy: Policy) => CheckedPolicy<Compiled>,
  steps: Pick<
    AdmissionSteps<Policy, Binding, Compiled, unknown>,
    'compile' | 'expressionsOf' | 'typing' | 'validateBinding'
  >,
): CheckedPolicies<Policy> {
  const { compile, expressionsOf } = steps;
  const illTyped = steps.typing();
  const lint = new PolicyLint(version);
  const refusals = new Map<Diagnostic, Policy>();
  const diagnostics = [
    ...policies.flatMap((policy) => {
      const { compiled, errors } = checked(policy);
      const ofErrors = errors.flatMap((error) => fieldDiagnostics(error, 'invalid-policy', policy.resource));
      const [first] = ofErrors;
      if (first !== undefined) refusals.set(first, policy);
      return [
        ...ofErrors,
        ...illTyped(policy, compiled),
        ...lint.ofPolicy(policy, {
          variables: compiled.variables,
          expressions: expressionsOf(policy, compiled),
          compileFor: (mode, other) => expressionsOf(policy, compile(policy, mode, other)),
        }),
      ];
    }),
    ...bindings.flatMap((binding) =>
      steps.validateBinding(binding).flatMap((error) => fieldDiagnostics(error, 'invalid-binding', binding.resource)),
    ),
    ...bindings.flatMap((binding) => lint.ofBinding(binding)),
    ...inertPolicies(policies, bindings),
  ];
  return { diagnostics, refusals };
}
