// ValidatingAdmissionPolicy as a policy language: loads policies and bindings, compiles each once and dispatches requests.

import { RbacAuthorizer } from '../../../kubernetes/access/rbac.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { PolicyFacts } from '../../language/policy-facts.ts';
import type { LoadedPolicies, PolicyLanguage } from '../../language/policy-language.ts';
import { SharedMatchResources } from '../../matching/match-resources.ts';
import { bindingsByPolicy } from '../generic/bindings-by-policy.ts';
import { RequestNamespaces } from '../generic/dispatched-request.ts';
import { SharedPaths } from '../generic/field-reads.ts';
import { HookIndex } from '../generic/hook-index.ts';
import { resolveParamKind } from '../generic/params.ts';
import { admissionFacts } from '../generic/policy-facts.ts';
import { admissionReferences } from '../generic/policy-references.ts';
import { RefusedPolicies } from '../generic/refused-policies.ts';
import { compilePolicy, expressionsOf, SharedExpressions } from './compiled-policy.ts';
import { dispatch, type PolicyHook } from './dispatcher.ts';
import { explainValidations } from './explain-validation.ts';
import { IllTypedExpressions } from './ill-typed-expressions.ts';
import { type CheckedPolicies, checkPolicies } from './policy-diagnostics.ts';
import { validateBinding } from './validate-binding.ts';
import { validatePolicy } from './validate-policy.ts';
import {
  isValidatingBinding,
  isValidatingPolicy,
  readValidatingBinding,
  readValidatingPolicy,
  type ValidatingBinding,
  type ValidatingPolicy,
} from './validating-policy.ts';
import { Validator } from './validator.ts';

export interface ValidatingOptions {
  /** The policies already exist in the cluster, so the server rejects none. */
  readonly areStored?: boolean;
}

export function validatingLanguage({ areStored = false }: ValidatingOptions = {}): PolicyLanguage {
  return {
    name: 'ValidatingAdmissionPolicy',
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    accepts: (resource) => isValidatingPolicy(resource) || isValidatingBinding(resource),
    references: admissionReferences,
    load: (resources, cluster) => load(resources, cluster, areStored),
  };
}

function load(resources: readonly Resource[], cluster: Cluster, areStored: boolean): LoadedPolicies {
  const environments = new AdmissionEnvironments(cluster.version);
  const shared = new SharedExpressions();
  const refused = new RefusedPolicies(areStored, (policy: ValidatingPolicy) => {
    const compiled = compilePolicy(policy, 'new', environments, shared);
    return { compiled, errors: validatePolicy(policy, compiled, cluster.version) };
  });
  const criteria = new SharedMatchResources();
  const policies = resources.filter(isValidatingPolicy).map((resource) => {
    const policy = readValidatingPolicy(resource);
    return { ...policy, matchConstraints: policy.matchConstraints && criteria.share(policy.matchConstraints) };
  });
  const bindings = resources.filter(isValidatingBinding).map((resource) => {
    const binding = readValidatingBinding(resource);
    return { ...binding, matchResources: binding.matchResources && criteria.share(binding.matchResources) };
  });
  const byPolicyName = bindingsByPolicy(bindings);
  const bindingsOf = (policy: ValidatingPolicy): readonly ValidatingBinding[] => byPolicyName.get(policy.name) ?? [];
  const isTaken = (binding: ValidatingBinding): boolean =>
    areStored || validateBinding(binding, cluster.version).length === 0;
  const members = policies.map((policy) => {
    let validator: Validator | undefined;
    return {
      policy,
      bindings: bindingsOf(policy).filter(isTaken),
      paramKind: resolveParamKind(policy.paramKind, cluster),
      refusal: refused.refusalOf(policy),
      budgetShare: () => validator?.budgetShare,
      validator: (): Validator => {
        validator ??= new Validator(policy, compilePolicy(policy, 'stored', environments, shared), cluster.work);
        return validator;
      },
    };
  });
  const known = new Map(members.map((member) => [member.policy, member]));
  const hooks = members.flatMap(({ policy, bindings, paramKind, refusal, validator }): readonly PolicyHook[] => {
    return bindings.length === 0 || paramKind === undefined
      ? []
      : [{ policy, bindings, paramKind, refusal, validator }];
  });
  const index = new HookIndex(hooks, cluster, ({ validator, refusal }) => {
    if (!refusal.isRefused()) validator();
  });
  const context = {
    index,
    cluster,
    namespaces: new RequestNamespaces(cluster),
    paths: new SharedPaths(),
    authorizer: new RbacAuthorizer(cluster),
  };
  let illTyped: IllTypedExpressions | undefined;
  const typeChecking = (): IllTypedExpressions => {
    illTyped ??= new IllTypedExpressions(cluster, environments);
    return illTyped;
  };
  const factsOf = (policy: ValidatingPolicy): PolicyFacts => {
    const compileFor = (other: AdmissionEnvironments) => expressionsOf(compilePolicy(policy, 'new', other));
    const actions = new Set(bindingsOf(policy).flatMap(({ validationActions }) => validationActions));
    const share = known.get(policy)?.budgetShare();
    return {
      ...admissionFacts(policy, compileFor),
      actions: [...actions],
      // The server does not type-check policies that it rejects.
      ...(!refused.refusalOf(policy).isRefused() && { typeWarnings: typeChecking().warningsOf(policy).length }),
      ...(share !== undefined && { budgetShare: share }),
    };
  };
  let checked: CheckedPolicies | undefined;
  return {
    policies: policies.map((policy) => ({
      identity: policy,
      bindings: bindingsOf(policy).length,
      isRefused: refused.refusalOf(policy).isRefused,
      facts: () => factsOf(policy),
    })),
    get diagnostics() {
      checked ??= checkPolicies(policies, bindings, environments, cluster, (policy) => refused.checked(policy));
      const { diagnostics, refusals } = checked;
      return diagnostics.map((diagnostic) => {
        const policy = refusals.get(diagnostic);
        const concerns = policy && refused.concernsOf(policy);
        return concerns === undefined ? diagnostic : { ...diagnostic, concerns };
      });
    },
    prepare: (request) => index.prepare(request),
    evaluate: (request, record) => dispatch(request, context, record),
    expressions: () => members.flatMap(({ validator }) => validator().expressions()),
    explain: (request) =>
      explainValidations(
        members.map(({ refusal, ...each }) => ({ ...each, isRefused: refusal.isRefused })),
        request,
        context,
      ),
  };
}
