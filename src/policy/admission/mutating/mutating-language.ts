// MutatingAdmissionPolicy as a policy language: loads policies and bindings, compiles each once and mutates objects.
import { compareStrings } from '../../../go/strings/string-order.ts';
import { RbacAuthorizer } from '../../../kubernetes/access/rbac.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { formatVersion, isAtLeast, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { UNASKED } from '../../evaluation/joined-outcome.ts';
import type { LoadedPolicies, PolicyLanguage } from '../../language/policy-language.ts';
import { SharedMatchResources } from '../../matching/match-resources.ts';
import { bindingsByPolicy } from '../generic/bindings-by-policy.ts';
import { RequestNamespaces } from '../generic/dispatched-request.ts';
import { SharedPaths } from '../generic/field-reads.ts';
import { HookIndex } from '../generic/hook-index.ts';
import { observableExpressions } from '../generic/observable-expressions.ts';
import { resolveParamKind } from '../generic/params.ts';
import { admissionFacts } from '../generic/policy-facts.ts';
import { admissionReferences } from '../generic/policy-references.ts';
import { RefusedPolicies } from '../generic/refused-policies.ts';
import { compileMutations, expressionsOf } from './compiled-policy.ts';
import { isMutationExempt, mutate } from './dispatcher.ts';
import { Entanglements } from './entangled-policies.ts';
import { explainMutations } from './explain-mutation.ts';
import type { MutatingHook } from './invocations.ts';
import { type CheckedMutatingPolicies, checkMutatingPolicies } from './mutating-diagnostics.ts';
import {
  isMutatingBinding,
  isMutatingPolicy,
  type MutatingBinding,
  type MutatingPolicy,
  readMutatingBinding,
  readMutatingPolicy,
} from './mutating-policy.ts';
import type { Mutator } from './mutator.ts';
import { mutatorOf } from './mutator-of.ts';
import { validateMutatingBinding, validateMutatingPolicy } from './validate-mutating.ts';

export interface MutatingOptions {
  /** The policies already exist in the cluster, so the server rejects none. */
  readonly areStored?: boolean;
}

export function mutatingLanguage({ areStored = false }: MutatingOptions = {}): PolicyLanguage {
  return {
    name: 'MutatingAdmissionPolicy',
    kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    accepts: (resource) => isMutatingPolicy(resource) || isMutatingBinding(resource),
    references: admissionReferences,
    load: (resources, cluster) => load(resources, cluster, areStored),
  };
}

function load(resources: readonly Resource[], cluster: Cluster, areStored: boolean): LoadedPolicies {
  const environments = new AdmissionEnvironments(cluster.version);
  const refused = new RefusedPolicies(areStored, (policy: MutatingPolicy) => {
    const compiled = compileMutations(policy, 'new', environments);
    return { compiled, errors: validateMutatingPolicy(policy, compiled, cluster.version) };
  });
  const criteria = new SharedMatchResources();
  const policies = resources.filter(isMutatingPolicy).map((resource) => {
    const policy = readMutatingPolicy(resource);
    return { ...policy, matchConstraints: policy.matchConstraints && criteria.share(policy.matchConstraints) };
  });
  const bindings = resources.filter(isMutatingBinding).map((resource) => {
    const binding = readMutatingBinding(resource);
    return { ...binding, matchResources: binding.matchResources && criteria.share(binding.matchResources) };
  });
  const byPolicyName = bindingsByPolicy(bindings);
  const bindingsOf = (policy: MutatingPolicy): readonly MutatingBinding[] => byPolicyName.get(policy.name) ?? [];
  const isTaken = (binding: MutatingBinding): boolean =>
    areStored || validateMutatingBinding(binding, cluster.version).length === 0;
  const isEnabled = isServed(cluster);
  const known = (isEnabled ? policies.toSorted(byName) : []).map((policy) => {
    let mutator: Mutator | undefined;
    return {
      policy,
      bindings: bindingsOf(policy).filter(isTaken).toSorted(byName),
      paramKind: resolveParamKind(policy.paramKind, cluster),
      refusal: refused.refusalOf(policy),
      mutator: (): Mutator => {
        mutator ??= mutatorOf(policy, compileMutations(policy, 'stored', environments), cluster.work);
        return mutator;
      },
    };
  });
  const hooks = known.flatMap(({ paramKind, ...hook }): readonly MutatingHook[] => {
    return hook.bindings.length === 0 || paramKind === undefined ? [] : [{ ...hook, paramKind }];
  });
  const index = new HookIndex(hooks, cluster, ({ mutator, refusal }) => {
    if (!refusal.isRefused()) mutator();
  });
  const context = {
    index,
    cluster,
    namespaces: new RequestNamespaces(cluster),
    paths: new SharedPaths(),
    authorizer: new RbacAuthorizer(cluster),
    entanglements: new Entanglements(),
    told: new Set<MutatingPolicy | string>(),
  };
  let checked: CheckedMutatingPolicies | undefined;
  return {
    policies: policies.map((policy) => ({
      identity: policy,
      bindings: bindingsOf(policy).length,
      facts: () => ({
        ...admissionFacts(policy, (other) => expressionsOf(policy, compileMutations(policy, 'new', other))),
        actions: ['Mutate'],
      }),
      isRefused: refused.refusalOf(policy).isRefused,
    })),
    get diagnostics() {
      checked ??= checkMutatingPolicies(policies, bindings, environments, cluster, (policy) => refused.checked(policy));
      const { diagnostics, refusals } = checked;
      return diagnostics.map((diagnostic) => {
        const policy = refusals.get(diagnostic);
        const concerns = policy && refused.concernsOf(policy);
        return concerns === undefined ? diagnostic : { ...diagnostic, concerns };
      });
    },
    unknowns: isEnabled || policies.length === 0 ? [] : [disabled(policies.length, cluster.version)],
    prepare: (request) => index.prepare(request),
    // `mutate` reports the changes.
    evaluate: (request) => ({ ...UNASKED, exempt: isMutationExempt(request) }),
    expressions: () =>
      known.flatMap(({ policy, mutator }) => observableExpressions(policy, expressionsOf(policy, mutator().compiled))),
    explain: (request) => explainMutations(known, request, context),
    ...(hooks.length > 0 && {
      mutation: {
        concerns: (request) => !isMutationExempt(request) && index.hooksFor(request).length > 0,
        mutate: (request, stage) => mutate(request, stage, context),
      },
    }),
  };
}

const GATE = 'MutatingAdmissionPolicy';
const FIRST_WITH_GATE = '1.32';
const FIRST_BY_DEFAULT = '1.36';

/** False where the feature does not exist or is off by default. */
function isServed({ version, featureGates }: Cluster): boolean {
  if (isAtLeast(version, FIRST_BY_DEFAULT)) return true;
  return isAtLeast(version, FIRST_WITH_GATE) && featureGates.includes(GATE);
}

function disabled(count: number, version: KubernetesVersion): string {
  const reason = isAtLeast(version, FIRST_WITH_GATE)
    ? `Kubernetes ${formatVersion(version)} has them only with the feature gate ${GATE}, which \`featureGates\` in the configuration can name`
    : `Kubernetes has them from ${FIRST_WITH_GATE} on`;
  return `${count} MutatingAdmissionPolicy (admissionregistration.k8s.io) not evaluated: ${reason}`;
}

function byName(one: MutatingPolicy | MutatingBinding, other: MutatingPolicy | MutatingBinding): number {
  return compareStrings(one.name, other.name);
}
