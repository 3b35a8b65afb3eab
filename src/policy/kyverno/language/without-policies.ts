// What Kyverno says of every request where there is none of its policies: nothing, as nobody asks it.
import { UNASKED } from '../../evaluation/joined-outcome.ts';
import type { LoadedPolicies, PolicyReferences } from '../../language/policy-language.ts';

export const NO_REFERENCES: PolicyReferences = { kinds: [], objects: [], asksAuthorizer: false, others: [] };

/** The same as KyvernoPolicies of no resources. */
export function withoutPolicies(): LoadedPolicies {
  return {
    policies: [],
    diagnostics: [],
    unknowns: [],
    prepare: () => {},
    evaluate: () => ({ ...UNASKED, exempt: true }),
    explain: () => [],
  };
}
