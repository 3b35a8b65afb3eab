// Loads the policies and bindings of an admission policy language: reads, validates and joins them, and compiles each policy once.

import { RbacAuthorizer } from '../../../kubernetes/access/rbac.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { CompiledVariables } from '../../expression/variables.ts';
import type { PolicyFacts } from '../../language/policy-facts.ts';
import type { LoadedPolicies, LoadedPolicy, PolicyLanguage } from '../../language/policy-language.ts';
import { type MatchResources, SharedMatchResources } from '../../matching/match-resources.ts';
import { type AdmissionBinding, type AdmissionPolicy, isAdmissionKind } from './admission-policy.ts';
import type { AdmissionSteps, DispatchContext, PolicyState } from './admission-steps.ts';
import { bindingsByPolicy } from './bindings-by-policy.ts';
import { type CheckedPolicies, checkPolicies } from './check-policies.ts';
import { RequestNamespaces } from './dispatched-request.ts';
import { SharedPaths } from './field-reads.ts';
import { type BoundPolicy, type Hook, HookIndex } from './hook-index.ts';
import { resolveParamKind } from './params.ts';
import { admissionFacts } from './policy-facts.ts';
import { admissionReferences } from './policy-references.ts';
import { readAccess } from './read-access.ts';
import { RefusedPolicies } from './refused-policies.ts';

export interface AdmissionOptions {
  /** The server stores the policies already and refuses none. */
  readonly areStored?: boolean;
}

export function admissionLanguage(kind: string, load: PolicyLanguage['load']): PolicyLanguage {
  const kinds = [kind, `${kind}Binding`];
  return {
    name: kind,
    kinds,
    accepts: (resource) => kinds.some((each) => isAdmissionKind(resource, each)),
    references: admissionReferences,
    load,
  };
}

/** A policy whose runner can also be read without compiling the policy. */
interface LoadedMember<Policy extends AdmissionPolicy, Binding extends AdmissionBinding, Runner>
  extends BoundPolicy<Policy, Binding, Runner> {
  readonly runnerSoFar: () => Runner | undefined;
}

type HasVariables = { readonly variables: CompiledVariables };

export function loadAdmissionPolicies<
  Policy extends AdmissionPolicy,
  Binding extends AdmissionBinding,
  Compiled extends HasVariables,
  Runner,
>(
  resources: readonly Resource[],
  cluster: Cluster,
  { areStored = false }: AdmissionOptions,
  steps: AdmissionSteps<Policy, Binding, Compiled, Runner>,
): LoadedPolicies {
  const { policies, bindings } = readObjects(resources, steps);
  const byPolicyName = bindingsByPolicy(bindings);
  const bindingsOf = ({ name }: Policy): readonly Binding[] => byPolicyName.get(name) ?? [];
  const isAccepted = (binding: Binding): boolean => areStored || steps.validateBinding(binding).length === 0;
  const refused = new RefusedPolicies(areStored, (policy: Policy) => {
    const compiled = steps.compile(policy, 'new');
    return { compiled, errors: steps.validatePolicy(policy, compiled) };
  });
  const join = (policy: Policy): LoadedMember<Policy, Binding, Runner> => ({
    policy,
    bindings: steps.inOrder(bindingsOf(policy).filter(isAccepted)),
    paramKind: resolveParamKind(policy.paramKind, cluster),
    refusal: refused.refusalOf(policy),
    ...lazyRunner(policy, steps),
  });
  const members = steps.isServed ? steps.inOrder(policies).map(join) : [];
  const memberOf = new Map(members.map((member) => [member.policy, member]));
  const context = contextOf(members, cluster);
  const loaded = (policy: Policy): LoadedPolicy => {
    const { isRefused } = refused.refusalOf(policy);
    const bound = bindingsOf(policy);
    const facts = (): PolicyFacts => {
      const runner = memberOf.get(policy)?.runnerSoFar();
      const access = readAccess(policy, bound, cluster);
      const own = factsOf({ policy, bindings: bound, isRefused: isRefused(), runner }, steps);
      return access.length === 0 ? own : { ...own, readAccess: access };
    };
    const neverDenies = steps.neverDenies?.(bound.filter(isAccepted)) ?? false;
    return { identity: policy, bindings: bound.length, neverDenies, isRefused, facts };
  };
  let checked: CheckedPolicies<Policy> | undefined;
  return {
    policies: policies.map(loaded),
    get diagnostics() {
      checked ??= checkPolicies(policies, bindings, cluster.version, (policy) => refused.checked(policy), steps);
      const { diagnostics, refusals } = checked;
      return diagnostics.map((diagnostic) => {
        const policy = refusals.get(diagnostic);
        const concerns = policy && refused.concernsOf(policy);
        return concerns === undefined ? diagnostic : { ...diagnostic, concerns };
      });
    },
    prepare: (request) => context.index.prepare(request),
    ...steps.answers(members, context),
  };
}

function readObjects<Policy extends AdmissionPolicy, Binding extends AdmissionBinding>(
  resources: readonly Resource[],
  {
    kind,
    readPolicy,
    readBinding,
  }: Pick<AdmissionSteps<Policy, Binding, HasVariables, unknown>, 'kind' | 'readPolicy' | 'readBinding'>,
): { readonly policies: readonly Policy[]; readonly bindings: readonly Binding[] } {
  const criteria = new SharedMatchResources();
  const share = (read: MatchResources | undefined): MatchResources | undefined => read && criteria.share(read);
  const ofKind = (wanted: string) => resources.filter((resource) => isAdmissionKind(resource, wanted));
  return {
    policies: ofKind(kind).map((resource) => {
      const policy = readPolicy(resource);
      return { ...policy, matchConstraints: share(policy.matchConstraints) };
    }),
    bindings: ofKind(`${kind}Binding`).map((resource) => {
      const binding = readBinding(resource);
      return { ...binding, matchResources: share(binding.matchResources) };
    }),
  };
}

function lazyRunner<Policy extends AdmissionPolicy, Compiled extends HasVariables, Runner>(
  policy: Policy,
  { compile, runner }: Pick<AdmissionSteps<Policy, AdmissionBinding, Compiled, Runner>, 'compile' | 'runner'>,
): { readonly runner: () => Runner; readonly runnerSoFar: () => Runner | undefined } {
  let made: Runner | undefined;
  return {
    runner: () => {
      made ??= runner(policy, compile(policy, 'stored'));
      return made;
    },
    runnerSoFar: () => made,
  };
}

function factsOf<
  Policy extends AdmissionPolicy,
  Binding extends AdmissionBinding,
  Compiled extends HasVariables,
  Runner,
>(
  state: PolicyState<Policy, Binding, Runner>,
  { compile, expressionsOf, facts }: AdmissionSteps<Policy, Binding, Compiled, Runner>,
): PolicyFacts {
  const { policy } = state;
  return {
    ...admissionFacts(policy, (other) => expressionsOf(policy, compile(policy, 'new', other))),
    ...(state.isRefused && { isRefused: true }),
    ...facts(state),
  };
}

/** Policies without accepted bindings and policies that the server drops have no hook. */
function contextOf<Policy extends AdmissionPolicy, Binding extends AdmissionBinding, Runner>(
  members: readonly BoundPolicy<Policy, Binding, Runner>[],
  cluster: Cluster,
): DispatchContext<Policy, Binding, Runner> {
  const hooks = members.flatMap(({ paramKind, ...member }): readonly Hook<Policy, Binding, Runner>[] =>
    member.bindings.length === 0 || paramKind === undefined ? [] : [{ ...member, paramKind }],
  );
  return {
    index: new HookIndex(hooks, cluster),
    cluster,
    namespaces: new RequestNamespaces(cluster),
    paths: new SharedPaths(),
    authorizer: new RbacAuthorizer(cluster),
  };
}
