// The answer about an object of which the repository does not tell whether it exists.
import type { AdmissionOutcome } from '../../policy/language/policy-language.ts';

/** Rules that fail are undecided. `dependsOn`: what decides whether the object exists, to complete "depends on …". */
export function conditionalOutcome(outcome: AdmissionOutcome, dependsOn: string): AdmissionOutcome {
  if (outcome.evaluations.length === 0 && outcome.omitted.length === 0) return outcome;
  return {
    ...outcome,
    evaluations: outcome.evaluations.map((evaluation) => {
      if (evaluation.action !== 'deny') return evaluation;
      const missing = [...evaluation.missing, dependsOn];
      return { ...evaluation, result: 'unknown', missing };
    }),
    omitted: outcome.omitted.map((omitted) => ({ ...omitted, result: 'unknown' })),
    denial: undefined,
    warnings: [],
  };
}
