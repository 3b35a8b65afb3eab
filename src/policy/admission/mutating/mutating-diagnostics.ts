// What is wrong with mutating policies and bindings: what the API server would refuse, and what would have no effect.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { PolicyLint } from '../generic/lint/policy-lint.ts';
import { fieldDiagnostics, inertPolicies } from '../generic/policy-problems.ts';
import type { CheckedPolicy } from '../generic/refused-policies.ts';
import { type CompiledMutations, compileMutations, expressionsOf } from './compiled-policy.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import { validateMutatingBinding } from './validate-mutating.ts';

export interface CheckedMutatingPolicies {
  readonly diagnostics: readonly Diagnostic[];
  /** The first diagnostic of each policy that the server refuses. */
  readonly refusals: ReadonlyMap<Diagnostic, MutatingPolicy>;
}

/** `checked`: each policy is looked at once, whoever asks first. */
export function checkMutatingPolicies(
  policies: readonly MutatingPolicy[],
  bindings: readonly MutatingBinding[],
  { version }: Cluster,
  checked: (policy: MutatingPolicy) => CheckedPolicy<CompiledMutations>,
): CheckedMutatingPolicies {
  const lint = new PolicyLint(version);
  const refusals = new Map<Diagnostic, MutatingPolicy>();
  const diagnostics = [
    ...policies.flatMap((policy) => {
      const { compiled, errors } = checked(policy);
      const ofErrors = errors.flatMap((error) => fieldDiagnostics(error, 'invalid-policy', policy.resource));
      const [first] = ofErrors;
      if (first !== undefined) refusals.set(first, policy);
      return [
        ...ofErrors,
        ...lint.ofPolicy(policy, {
          variables: compiled.variables,
          expressions: expressionsOf(policy, compiled),
          compileFor: (mode, other) => expressionsOf(policy, compileMutations(policy, mode, other)),
        }),
      ];
    }),
    ...bindings.flatMap((binding) =>
      validateMutatingBinding(binding, version).flatMap((error) =>
        fieldDiagnostics(error, 'invalid-binding', binding.resource),
      ),
    ),
    ...bindings.flatMap((binding) => lint.ofBinding(binding)),
    ...inertPolicies(policies, bindings),
  ];
  return { diagnostics, refusals };
}
