// ValidatingAdmissionPolicy as a policy language: loads policies and bindings, compiles each once and dispatches requests.

import type { Resource } from '../../../kubernetes/api/resource.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { LoadedPolicies, PolicyLanguage } from '../../language/policy-language.ts';
import { type AdmissionOptions, admissionLanguage, loadAdmissionPolicies } from '../generic/load-policies.ts';
import { compilePolicy, expressionsOf, SharedExpressions } from './compiled-policy.ts';
import { dispatch } from './dispatcher.ts';
import { explainValidations } from './explain-validation.ts';
import { IllTypedExpressions } from './ill-typed-expressions.ts';
import { validateBinding } from './validate-binding.ts';
import { validatePolicy } from './validate-policy.ts';
import { readValidatingBinding, readValidatingPolicy } from './validating-policy.ts';
import { Validator } from './validator.ts';

const KIND = 'ValidatingAdmissionPolicy';

export function validatingLanguage(options: AdmissionOptions = {}): PolicyLanguage {
  return admissionLanguage(KIND, (resources, cluster) => load(resources, cluster, options));
}

function load(resources: readonly Resource[], cluster: Cluster, options: AdmissionOptions): LoadedPolicies {
  const { version, work } = cluster;
  const environments = new AdmissionEnvironments(version);
  const shared = new SharedExpressions();
  let illTyped: IllTypedExpressions | undefined;
  const typeChecking = (): IllTypedExpressions => {
    illTyped ??= new IllTypedExpressions(cluster, environments);
    return illTyped;
  };
  return loadAdmissionPolicies(resources, cluster, options, {
    kind: KIND,
    readPolicy: readValidatingPolicy,
    readBinding: readValidatingBinding,
    inOrder: (items) => items,
    isServed: true,
    compile: (policy, mode, other) =>
      other === undefined ? compilePolicy(policy, mode, environments, shared) : compilePolicy(policy, mode, other),
    expressionsOf: (_, compiled) => expressionsOf(compiled),
    validatePolicy: (policy, compiled) => validatePolicy(policy, compiled, version),
    validateBinding: (binding) => validateBinding(binding, version),
    runner: (policy, compiled) => new Validator(policy, compiled, work),
    typing: () => {
      const checked = new IllTypedExpressions(cluster, environments);
      return (policy, compiled) => checked.diagnostics(policy, compiled);
    },
    neverDenies: (bindings) =>
      bindings.length > 0 && bindings.every(({ validationActions }) => !validationActions.includes('Deny')),
    facts: ({ policy, bindings, isRefused, runner }) => ({
      actions: [...new Set(bindings.flatMap(({ validationActions }) => validationActions))],
      // The server's type checking never gets to see what it refuses.
      ...(!isRefused && { typeWarnings: typeChecking().warningsOf(policy) }),
      ...(runner !== undefined && { budgetShare: runner.budgetShare }),
    }),
    answers: (members, context) => ({
      evaluate: (request, record) => dispatch(request, context, record),
      expressions: () => members.flatMap(({ runner }) => runner().expressions()),
      explain: (request) => explainValidations(members, request, context),
    }),
  });
}
