// Joins two outcomes of one language for one request.
import type { AdmissionOutcome } from '../language/policy-language.ts';

/** When both deny, the first denial is the answer. */
export function joinedOutcome(first: AdmissionOutcome, second: AdmissionOutcome): AdmissionOutcome {
  const open = [...(first.open ?? []), ...(second.open ?? [])];
  return {
    exempt: first.exempt && second.exempt,
    matched: [...new Set([...first.matched, ...second.matched])],
    evaluations: [...first.evaluations, ...second.evaluations],
    omitted: [...first.omitted, ...second.omitted],
    passed: first.passed + second.passed,
    denial: first.denial ?? second.denial,
    warnings: [...first.warnings, ...second.warnings],
    auditAnnotations: new Map([...first.auditAnnotations, ...second.auditAnnotations]),
    unknowns: [...first.unknowns, ...second.unknowns],
    ...(open.length > 0 && { open }),
    exceptions: [...(first.exceptions ?? []), ...(second.exceptions ?? [])],
  };
}

/** Outcome of a language that has no policy for a request, or does not run. */
export const UNASKED: AdmissionOutcome = {
  exempt: false,
  matched: [],
  evaluations: [],
  omitted: [],
  passed: 0,
  denial: undefined,
  warnings: [],
  auditAnnotations: new Map(),
  unknowns: [],
};
