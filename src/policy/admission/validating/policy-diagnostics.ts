// What is wrong with policies and bindings: what the API server would refuse, and what would have no effect.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { PolicyLint } from '../generic/lint/policy-lint.ts';
import { fieldDiagnostics, inertPolicies } from '../generic/policy-problems.ts';
import { compilePolicy, expressionsOf } from './compiled-policy.ts';
import { IllTypedExpressions } from './ill-typed-expressions.ts';
import { validateBinding } from './validate-binding.ts';
import { validatePolicy } from './validate-policy.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';

export function checkPolicies(
  policies: readonly ValidatingPolicy[],
  bindings: readonly ValidatingBinding[],
  environments: AdmissionEnvironments,
  cluster: Cluster,
): readonly Diagnostic[] {
  const { version } = cluster;
  const illTyped = new IllTypedExpressions(cluster, environments);
  const lint = new PolicyLint(version);
  return [
    ...policies.flatMap((policy) => {
      const compiled = compilePolicy(policy, 'new', environments);
      const errors = validatePolicy(policy, compiled, version);
      return [
        ...errors.flatMap((error) => fieldDiagnostics(error, 'invalid-policy', policy.resource)),
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
}
