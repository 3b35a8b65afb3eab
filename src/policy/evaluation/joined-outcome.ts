// Two parts of what one language said of one request, as one.
import type { AdmissionOutcome } from '../language/policy-language.ts';

/** The first part's denial is the answer where both deny. */
export function joinedOutcome(first: AdmissionOutcome, second: AdmissionOutcome): AdmissionOutcome {
  const openActions = [...new Set([...(first.openActions ?? []), ...(second.openActions ?? [])])];
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
    ...(openActions.length > 0 && { openActions }),
    exceptions: [...(first.exceptions ?? []), ...(second.exceptions ?? [])],
  };
}

/** Of a language that has nothing to say of a request, or whose turn does not come. */
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
