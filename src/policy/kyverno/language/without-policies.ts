// Kyverno's answer for targets without Kyverno policies: it is never called.
import { UNASKED } from '../../evaluation/joined-outcome.ts';
import type { LoadedPolicies, PolicyReferences } from '../../language/policy-language.ts';

export const NO_REFERENCES: PolicyReferences = { kinds: [], objects: [], asksAuthorizer: false, others: [] };

/** Equivalent to KyvernoPolicies without resources. */
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
