// Creates baseline entries for accepted findings.

import { append } from '../../../go/slices/append.ts';
import { baselineKey, diagnosticSubject, problemKeys } from '../../../report/baseline/baseline.ts';
import type { BaselineContent } from '../../../report/baseline/baseline-text.ts';
import { isUndecided } from '../../../report/gate/undecided.ts';
import type { Finding, ReportedDiagnostic } from '../../../report/report.ts';

export type BaselineTerms = Pick<BaselineContent, 'owner' | 'reason' | 'expires'>;

/** True for what could not be judged, and for errors about an object. */
export function isAcceptable(problem: ReportedDiagnostic): boolean {
  return isUndecided(problem) || (problem.severity === 'error' && diagnosticSubject(problem) !== undefined);
}

/** `problems`: acceptable ones. Several targets may refuse an object in the same field. */
export function baselineEntries(
  findings: readonly Finding[],
  problems: readonly ReportedDiagnostic[],
  severalTargets: boolean,
  terms: BaselineTerms,
): readonly BaselineContent[] {
  const entries: BaselineContent[] = findings.map((finding) => ({ ...baselineKey(finding, severalTargets), ...terms }));
  const keys = problems.flatMap(problemKeys);
  const different = new Map(keys.map((key) => [JSON.stringify(key), key]));
  append(
    entries,
    [...different.values()].map((key) => ({ ...key, ...terms })),
  );
  return entries;
}
