// Which bindings each policy has, found once for all policies.
import type { AdmissionBinding } from './admission-policy.ts';

/** By the name of the policy that they bind, in the order they come in. */
export function bindingsByPolicy<Binding extends AdmissionBinding>(
  bindings: readonly Binding[],
): ReadonlyMap<string, readonly Binding[]> {
  const byPolicy = new Map<string, Binding[]>();
  for (const binding of bindings) {
    const same = byPolicy.get(binding.policyName);
    if (same === undefined) byPolicy.set(binding.policyName, [binding]);
    else same.push(binding);
  }
  return byPolicy;
}
