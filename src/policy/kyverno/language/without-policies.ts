// Kyverno's answer for targets without Kyverno policies: it is never called.
import type { LoadedPolicies, PolicyReferences } from '../../language/policy-language.ts';

export const NO_REFERENCES: PolicyReferences = { kinds: [], objects: [], asksAuthorizer: false, others: [] };

/** Equivalent to KyvernoPolicies without resources. */
export function withoutPolicies(): LoadedPolicies {
  return {
    policies: [],
    diagnostics: [],
    unknowns: [],
    prepare: () => {},
    evaluate: () => ({
      exempt: true,
      matched: [],
      evaluations: [],
      omitted: [],
      passed: 0,
      denial: undefined,
      warnings: [],
      auditAnnotations: new Map(),
      unknowns: [],
    }),
    explain: () => [],
  };
}
