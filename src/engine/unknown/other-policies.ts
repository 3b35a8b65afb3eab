// Reports policies in the files that this run does not evaluate: other languages, mutation, webhooks.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';

export interface OtherPolicies {
  readonly group: string;
  /** Absent: every kind of the group. */
  readonly kinds?: readonly string[];
  /** Completes "3 MutatingAdmissionPolicy (…) not evaluated: …". */
  readonly consequence: string;
}

const BY_KYVERNO = 'Kyverno evaluates them in the cluster';
const BY_GATEKEEPER = 'Gatekeeper evaluates them in the cluster';

/** Entries that a loaded language accepts are evaluated and not reported. */
export const OTHER_POLICIES: readonly OtherPolicies[] = [
  {
    group: 'admissionregistration.k8s.io',
    kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    consequence: 'only the cluster can call the webhooks',
  },
  { group: 'kyverno.io', kinds: ['ClusterPolicy', 'Policy', 'PolicyException'], consequence: BY_KYVERNO },
  {
    group: 'kyverno.io',
    kinds: ['CleanupPolicy', 'ClusterCleanupPolicy'],
    consequence: 'Kyverno uses them to delete objects in the cluster',
  },
  { group: 'kyverno.io', kinds: ['GlobalContextEntry'], consequence: 'their data exists only in the cluster' },
  {
    group: 'policies.kyverno.io',
    kinds: [
      'ValidatingPolicy',
      'NamespacedValidatingPolicy',
      'MutatingPolicy',
      'NamespacedMutatingPolicy',
      'GeneratingPolicy',
      'NamespacedGeneratingPolicy',
      'DeletingPolicy',
      'NamespacedDeletingPolicy',
      'ImageValidatingPolicy',
      'NamespacedImageValidatingPolicy',
      'PolicyException',
    ],
    consequence: BY_KYVERNO,
  },
  { group: 'templates.gatekeeper.sh', kinds: ['ConstraintTemplate'], consequence: BY_GATEKEEPER },
  { group: 'constraints.gatekeeper.sh', consequence: BY_GATEKEEPER },
  {
    group: 'mutations.gatekeeper.sh',
    consequence: 'policies see the objects without these mutations',
  },
  {
    group: 'policies.kubewarden.io',
    kinds: ['ClusterAdmissionPolicy', 'AdmissionPolicy', 'ClusterAdmissionPolicyGroup', 'AdmissionPolicyGroup'],
    consequence: 'Kubewarden evaluates them in the cluster',
  },
];

/** One sentence for each kind that occurs and that no language accepts, in the order of the table. */
export function unevaluatedPolicies(
  resources: readonly Resource[],
  languages: readonly PolicyLanguage[],
): readonly string[] {
  const sentences: string[] = [];
  for (const { group, kinds, consequence } of OTHER_POLICIES) {
    const ofGroup = resources.filter(({ gvk }) => gvk.group === group);
    const left = ofGroup.filter((resource) => !languages.some((language) => language.accepts(resource)));
    for (const kind of kinds ?? [...new Set(left.map(({ gvk }) => gvk.kind))].sort()) {
      const count = left.filter(({ gvk }) => gvk.kind === kind).length;
      if (count > 0) sentences.push(`${count} ${kind} (${group}) not evaluated: ${consequence}`);
    }
  }
  return sentences;
}
