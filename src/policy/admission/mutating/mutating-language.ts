// MutatingAdmissionPolicy as a policy language: loads policies and bindings, compiles each once and mutates objects.
import { compareStrings } from '../../../go/strings/string-order.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { formatVersion, isAtLeast, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { UNASKED } from '../../evaluation/joined-outcome.ts';
import type { LoadedPolicies, PolicyLanguage } from '../../language/policy-language.ts';
import { isAdmissionKind } from '../generic/admission-policy.ts';
import { ExpressionTyping } from '../generic/expression-typing.ts';
import { type AdmissionOptions, admissionLanguage, loadAdmissionPolicies } from '../generic/load-policies.ts';
import { observableExpressions } from '../generic/observable-expressions.ts';
import { compileMutations, expressionsOf, typedExpressions } from './compiled-policy.ts';
import { isMutationExempt, mutate, mutateObserved } from './dispatcher.ts';
import { Entanglements } from './entangled-policies.ts';
import { explainMutations } from './explain-mutation.ts';
import { type MutatingPolicy, readMutatingBinding, readMutatingPolicy } from './mutating-policy.ts';
import type { MutationAttempt } from './mutation-attempt.ts';
import { mutatorOf } from './mutator-of.ts';
import { validateMutatingBinding, validateMutatingPolicy } from './validate-mutating.ts';

const KIND = 'MutatingAdmissionPolicy';

export function mutatingLanguage(options: AdmissionOptions = {}): PolicyLanguage {
  return admissionLanguage(KIND, (resources, cluster) => load(resources, cluster, options));
}

function load(resources: readonly Resource[], cluster: Cluster, options: AdmissionOptions): LoadedPolicies {
  const { version, work } = cluster;
  const environments = new AdmissionEnvironments(version);
  const isEnabled = isServed(cluster);
  const count = resources.filter((resource) => isAdmissionKind(resource, KIND)).length;
  return loadAdmissionPolicies(resources, cluster, options, {
    kind: KIND,
    readPolicy: readMutatingPolicy,
    readBinding: readMutatingBinding,
    inOrder: (items) => items.toSorted((one, other) => compareStrings(one.name, other.name)),
    isServed: isEnabled,
    compile: (policy, mode, other = environments) => compileMutations(policy, mode, other),
    expressionsOf,
    validatePolicy: (policy, compiled) => validateMutatingPolicy(policy, compiled, version),
    validateBinding: (binding) => validateMutatingBinding(binding, version),
    runner: (policy, compiled) => mutatorOf(policy, compiled, work),
    typing: () => {
      const typing = new ExpressionTyping(cluster, environments);
      return (policy, compiled) =>
        typing.diagnostics(policy, typedExpressions(policy, compiled), { hasPatchTypes: true });
    },
    facts: () => ({ actions: ['Mutate'] }),
    answers: (members, shared) => {
      const context = { ...shared, entanglements: new Entanglements(), warned: new Set<MutatingPolicy | string>() };
      return {
        unknowns: isEnabled || count === 0 ? [] : [disabled(count, version)],
        // Mutations report failures where the change is made.
        evaluate: (request) => ({ ...UNASKED, exempt: isMutationExempt(request) }),
        expressions: () =>
          members.flatMap(({ policy, runner }) =>
            observableExpressions(policy, expressionsOf(policy, runner().compiled)),
          ),
        explain: (request) => explainMutations(members, request, context, []),
        ...(!context.index.isEmpty && {
          mutation: {
            concerns: (request) => !isMutationExempt(request) && context.index.hooksFor(request).length > 0,
            mutate: (request, stage) => mutate(request, stage, context),
            observe: (request, stage) => {
              const attempts: MutationAttempt[] = [];
              const outcome = mutateObserved(request, stage, context, (attempt) => void attempts.push(attempt));
              return { ...outcome, explanations: explainMutations(members, request, context, attempts) };
            },
          },
        }),
      };
    },
  });
}

const FIRST_WITH_GATE = '1.32';
const FIRST_BY_DEFAULT = '1.36';

/** False where the feature does not exist or is off by default. */
function isServed({ version, featureGates }: Cluster): boolean {
  if (isAtLeast(version, FIRST_BY_DEFAULT)) return true;
  return isAtLeast(version, FIRST_WITH_GATE) && featureGates.get(KIND) === true;
}

function disabled(count: number, version: KubernetesVersion): string {
  const reason = isAtLeast(version, FIRST_WITH_GATE)
    ? `Kubernetes ${formatVersion(version)} has them only with the feature gate ${KIND}, which \`featureGates\` in the configuration can name`
    : `Kubernetes has them from ${FIRST_WITH_GATE} on`;
  return `${count} MutatingAdmissionPolicy (admissionregistration.k8s.io) not evaluated: ${reason}`;
}
