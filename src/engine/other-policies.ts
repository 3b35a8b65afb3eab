// Policies among the files that this run does not speak for: other languages, mutation, webhooks.
import type { Resource } from '../kubernetes/resource.ts';

interface OtherPolicy {
  readonly group: string;
  readonly kinds: readonly string[];
  /** Completes "3 MutatingAdmissionPolicy (…) not evaluated: …". */
  readonly consequence: string;
}

const OTHER_POLICIES: readonly OtherPolicy[] = [
  {
    group: 'admissionregistration.k8s.io',
    kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    consequence: 'what a webhook answers can only be known from the cluster',
  },
];

/** One sentence for each kind that occurs. */
export function unevaluatedPolicies(resources: readonly Resource[]): readonly string[] {
  const sentences: string[] = [];
  for (const { group, kinds, consequence } of OTHER_POLICIES) {
    for (const kind of kinds) {
      const count = resources.filter(({ gvk }) => gvk.group === group && gvk.kind === kind).length;
      if (count > 0) sentences.push(`${count} ${kind} (${group}) not evaluated: ${consequence}`);
    }
  }
  return sentences;
}
