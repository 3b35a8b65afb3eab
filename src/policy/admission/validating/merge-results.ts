// Merges the possible results of a policy when the repository leaves something open.
import { formatFieldPath } from '../../../source/node/field-path.ts';
import type { PossibleResults } from '../generic/possible-answers.ts';
import type { AuditAnnotationDecision, Decision, ValidateResult } from './decision.ts';

export interface MergedResult {
  readonly result: ValidateResult;
  /** True if open questions do not affect the result. */
  readonly isSettled: boolean;
}

/** Decisions that are equal in all results are settled. Others are unknown. Differing audit annotations are left out. */
export function mergeResults({ results, missing, isExhaustive }: PossibleResults<ValidateResult>): MergedResult {
  const first = results[0] as ValidateResult;
  if (results.length === 1) return { result: first, isSettled: true };
  const decisions = byRule(results).map((candidates) => {
    const settled = isExhaustive ? settledDecision(candidates) : undefined;
    return settled ?? { ...worstDecision(candidates), evaluation: 'unknown' as const, missing };
  });
  const isCommon = (annotation: AuditAnnotationDecision): boolean =>
    isExhaustive &&
    results.every(({ auditAnnotations }) => auditAnnotations.some((other) => isSame(annotation, other)));
  const auditAnnotations = first.auditAnnotations.filter(isCommon);
  return {
    result: { decisions, auditAnnotations, skipped: results.every(({ skipped }) => skipped), passes: false },
    isSettled:
      decisions.every(({ evaluation, dependsOn }) => evaluation !== 'unknown' || dependsOn !== undefined) &&
      results.every((result) => result.auditAnnotations.length === auditAnnotations.length),
  };
}

/** For every field of the policy that decides in a result: its decision in each result, or undefined. */
function byRule(results: readonly ValidateResult[]): readonly (readonly (Decision | undefined)[])[] {
  const rules = new Map<string, (Decision | undefined)[]>();
  for (const [index, { decisions }] of results.entries()) {
    for (const decision of decisions) {
      const rule = formatFieldPath(decision.rule);
      let candidates = rules.get(rule);
      if (candidates === undefined) {
        candidates = results.map(() => undefined);
        rules.set(rule, candidates);
      }
      candidates[index] = decision;
    }
  }
  return [...rules.values()];
}

/** A missing decision admits. */
function settledDecision(candidates: readonly (Decision | undefined)[]): Decision | undefined {
  const open = candidates.find((decision) => decision?.dependsOn !== undefined);
  if (open !== undefined) return open;
  const actions = new Set(candidates.map((decision) => decision?.action ?? 'admit'));
  const first = actions.size === 1 ? candidates.find((decision) => decision !== undefined) : undefined;
  if (first === undefined) return undefined;
  const message = commonText(candidates.map((decision) => decision?.message ?? first.message));
  return message === first.message ? first : { ...first, message };
}

/** The common start and end of the texts. `…` replaces the rest, which only the server knows. */
function commonText(texts: readonly string[]): string {
  const [first = [], ...others] = [...new Set(texts)].map((text) => [...text]);
  if (others.length === 0) return first.join('');
  const shortest = others.reduce((least, { length }) => Math.min(least, length), first.length);
  const isCommon = (offset: number): boolean => others.every((other) => other.at(offset) === first.at(offset));
  let start = 0;
  while (start < shortest && isCommon(start)) start++;
  let end = 0;
  while (end < shortest - start && isCommon(-1 - end)) end++;
  return `${first.slice(0, start).join('')}…${first.slice(first.length - end).join('')}`;
}

function worstDecision(candidates: readonly (Decision | undefined)[]): Decision {
  const said = candidates.filter((decision) => decision !== undefined);
  return said.find(({ action }) => action === 'deny') ?? (said[0] as Decision);
}

function isSame(a: AuditAnnotationDecision, b: AuditAnnotationDecision): boolean {
  return a.key === b.key && a.action === b.action && a.value === b.value && a.error === b.error;
}
