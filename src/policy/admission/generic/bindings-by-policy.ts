// Groups bindings by policy.
import type { AdmissionBinding } from './admission-policy.ts';

/** Keyed by policy name. Each list keeps the input order. */
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
