// What is wrong with mutating policies and bindings: what the API server would refuse, and what would have no effect.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { KubernetesVersion } from '../../../kubernetes/version.ts';
import { PolicyLint } from '../generic/lint/policy-lint.ts';
import { fieldDiagnostics, inertPolicies } from '../generic/policy-problems.ts';
import { compileMutations, expressionsOf } from './compiled-policy.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import { validateMutatingBinding, validateMutatingPolicy } from './validate-mutating.ts';

export function checkMutatingPolicies(
  policies: readonly MutatingPolicy[],
  bindings: readonly MutatingBinding[],
  environments: AdmissionEnvironments,
  version: KubernetesVersion,
): readonly Diagnostic[] {
  const lint = new PolicyLint(version);
  return [
    ...policies.flatMap((policy) => {
      const compiled = compileMutations(policy, 'new', environments);
      return [
        ...validateMutatingPolicy(policy, compiled, version).flatMap((error) =>
          fieldDiagnostics(error, 'invalid-policy', policy.resource),
        ),
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
}
