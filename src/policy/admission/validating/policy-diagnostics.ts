// Diagnostics for policies and bindings: those that the API server rejects and those without effect.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { PolicyLint } from '../generic/lint/policy-lint.ts';
import { fieldDiagnostics, inertPolicies } from '../generic/policy-problems.ts';
import type { CheckedPolicy } from '../generic/refused-policies.ts';
import { type CompiledPolicy, compilePolicy, expressionsOf } from './compiled-policy.ts';
import { IllTypedExpressions } from './ill-typed-expressions.ts';
import { validateBinding } from './validate-binding.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';

export interface CheckedPolicies {
  readonly diagnostics: readonly Diagnostic[];
  /** The first diagnostic of each policy that the server rejects. */
  readonly refusals: ReadonlyMap<Diagnostic, ValidatingPolicy>;
}

/** `checked` caches: each policy is checked once. */
export function checkPolicies(
  policies: readonly ValidatingPolicy[],
  bindings: readonly ValidatingBinding[],
  environments: AdmissionEnvironments,
  cluster: Cluster,
  checked: (policy: ValidatingPolicy) => CheckedPolicy<CompiledPolicy>,
): CheckedPolicies {
  const { version } = cluster;
  const illTyped = new IllTypedExpressions(cluster, environments);
  const lint = new PolicyLint(version);
  const refusals = new Map<Diagnostic, ValidatingPolicy>();
  const diagnostics = [
    ...policies.flatMap((policy) => {
      const { compiled, errors } = checked(policy);
      const ofErrors = errors.flatMap((error) => fieldDiagnostics(error, 'invalid-policy', policy.resource));
      const [first] = ofErrors;
      if (first !== undefined) refusals.set(first, policy);
      return [
        ...ofErrors,
        ...illTyped.diagnostics(policy, compiled),
        ...lint.ofPolicy(policy, {
          variables: compiled.variables,
          expressions: expressionsOf(compiled),
          compileFor: (mode, other) => expressionsOf(compilePolicy(policy, mode, other)),
        }),
      ];
    }),
    ...bindings.flatMap((binding) =>
      validateBinding(binding, version).flatMap((error) =>
        fieldDiagnostics(error, 'invalid-binding', binding.resource),
      ),
    ),
    ...bindings.flatMap((binding) => lint.ofBinding(binding)),
    ...inertPolicies(policies, bindings),
  ];
  return { diagnostics, refusals };
}
