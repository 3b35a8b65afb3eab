// One result out of those a policy could have, depending on what the repository does not tell.
import type { AuditAnnotationDecision, Decision, ValidateResult } from './decision.ts';
import type { PossibleResults } from './possible-answers.ts';

/** What all results agree on is settled. A decision that differs is unknown; an audit annotation that differs is left out. */
export function mergeResults({ results, missing, isExhaustive }: PossibleResults<ValidateResult>): ValidateResult {
  const [first] = results;
  if (results.length === 1) return first;
  const length = Math.max(...results.map(({ decisions }) => decisions.length));
  const decisions = Array.from({ length }, (_, index) => {
    const candidates = results.map((result) => result.decisions[index]);
    const settled = isExhaustive ? settledDecision(candidates) : undefined;
    return settled ?? { ...worstDecision(candidates), evaluation: 'unknown' as const, missing };
  });
  const isCommon = (annotation: AuditAnnotationDecision): boolean =>
    isExhaustive &&
    results.every(({ auditAnnotations }) => auditAnnotations.some((other) => isSame(annotation, other)));
  return {
    decisions,
    auditAnnotations: first.auditAnnotations.filter(isCommon),
    skipped: results.every(({ skipped }) => skipped),
  };
}

/** Where a result has no decision it admits. */
function settledDecision(candidates: readonly (Decision | undefined)[]): Decision | undefined {
  const actions = new Set(candidates.map((decision) => decision?.action ?? 'admit'));
  return actions.size === 1 ? candidates.find((decision) => decision !== undefined) : undefined;
}

function worstDecision(candidates: readonly (Decision | undefined)[]): Decision {
  const said = candidates.filter((decision) => decision !== undefined);
  return said.find(({ action }) => action === 'deny') ?? (said[0] as Decision);
}

function isSame(a: AuditAnnotationDecision, b: AuditAnnotationDecision): boolean {
  return a.key === b.key && a.action === b.action && a.value === b.value && a.error === b.error;
}
