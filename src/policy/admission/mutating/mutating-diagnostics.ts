// Diagnostics for mutating policies and bindings: those that the API server rejects and those without effect.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { PolicyExpressions } from '../generic/expression-remarks.ts';
import { ExpressionTyping } from '../generic/expression-typing.ts';
import { PolicyLint } from '../generic/lint/policy-lint.ts';
import { fieldDiagnostics, inertPolicies } from '../generic/policy-problems.ts';
import type { CheckedPolicy } from '../generic/refused-policies.ts';
import { type CompiledMutations, compileMutations, expressionPath, expressionsOf } from './compiled-policy.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import { validateMutatingBinding } from './validate-mutating.ts';

export interface CheckedMutatingPolicies {
  readonly diagnostics: readonly Diagnostic[];
  /** The first diagnostic of each policy that the server rejects. */
  readonly refusals: ReadonlyMap<Diagnostic, MutatingPolicy>;
}

/** `checked` caches: each policy is checked once. */
export function checkMutatingPolicies(
  policies: readonly MutatingPolicy[],
  bindings: readonly MutatingBinding[],
  environments: AdmissionEnvironments,
  cluster: Cluster,
  checked: (policy: MutatingPolicy) => CheckedPolicy<CompiledMutations>,
): CheckedMutatingPolicies {
  const { version } = cluster;
  const typing = new ExpressionTyping(cluster, environments);
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
        ...typing.diagnostics(policy, typedExpressions(policy, compiled), { hasPatchTypes: true }),
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

/** A mutation sees the object after earlier mutations. Its kind stays the same. */
function typedExpressions(policy: MutatingPolicy, compiled: CompiledMutations): PolicyExpressions {
  const { variables, matchConditions } = compiled;
  const rules = policy.mutations.map(({ expression }, index) => ({
    path: expressionPath(policy, index),
    written: expression,
    compiled: compiled.mutations[index],
  }));
  return { variables, matchConditions, rules };
}
