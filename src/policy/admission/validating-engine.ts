// ValidatingAdmissionPolicy as a policy engine: loads policies and bindings, compiles each once, dispatches requests.

import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { AdmissionEnvironments } from '../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../kubernetes/cluster.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { LoadedPolicies, PolicyEngine } from '../policy-engine.ts';
import { authorizerValues, repositoryAuthorization } from './authorizer-values.ts';
import { compilePolicy } from './compiled-policy.ts';
import { dispatch, HookIndex, type PolicyHook } from './dispatcher.ts';
import { paramKindOf } from './params.ts';
import { checkPolicies } from './policy-diagnostics.ts';
import {
  isValidatingBinding,
  isValidatingPolicy,
  type ParamKind,
  readValidatingBinding,
  readValidatingPolicy,
} from './validating-policy.ts';
import { Validator } from './validator.ts';

export function validatingEngine(): PolicyEngine {
  return {
    name: 'ValidatingAdmissionPolicy',
    accepts: (resource) => isValidatingPolicy(resource) || isValidatingBinding(resource),
    load: (resources, cluster) => load(resources, cluster),
  };
}

function load(resources: readonly Resource[], cluster: Cluster): LoadedPolicies {
  const environments = new AdmissionEnvironments(cluster.version);
  const authorization = repositoryAuthorization(cluster);
  const policies = resources.filter(isValidatingPolicy).map(readValidatingPolicy);
  const bindings = resources.filter(isValidatingBinding).map(readValidatingBinding);
  const compiled = policies.map((policy) => ({
    policy,
    validator: new Validator(policy, compilePolicy(policy, 'stored', environments), (matched) =>
      authorizerValues(matched, authorization),
    ),
    bindings: bindings.filter((binding) => binding.policyName === policy.name),
    configurationError: paramKindError(policy.paramKind, cluster),
  }));
  const hooks: readonly PolicyHook[] = compiled.filter((hook) => hook.bindings.length > 0);
  const index = new HookIndex(hooks, cluster);
  const diagnostics: readonly Diagnostic[] = checkPolicies(policies, bindings, environments, cluster.version);
  return {
    policies: compiled.map(({ policy, bindings: own }) => ({ identity: policy, bindings: own.length })),
    diagnostics,
    evaluate: (request) => dispatch(index, request, cluster),
  };
}

/** `policy_source.go`: a paramKind the RESTMapper does not know; here only one that cannot be a kind at all. */
function paramKindError(paramKind: ParamKind | undefined, _cluster: Cluster): string | undefined {
  if (paramKind === undefined || paramKindOf(paramKind) !== undefined) return undefined;
  return `failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`;
}
