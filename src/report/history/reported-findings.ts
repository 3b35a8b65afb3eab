// The findings and problems of a report as a history names them: one for each object and cluster, also where the report joins them.
import { diagnosticSubject, problemKeys } from '../baseline/baseline.ts';
import { separated } from '../builder/join-roots.ts';
import { findingIdentity, fingerprint } from '../finding/fingerprint.ts';
import { isUndecided } from '../gate/undecided.ts';
import type { Finding, Report, ReportedDiagnostic } from '../report.ts';
import { resourceLabel, ruleName } from '../wording/wording.ts';
import { cutList, cutText, type FindingState, type HistoryFinding } from './history-line.ts';

/** Identities of a finding: its own, and those of the objects that are joined in it. */
export function identitiesOf(finding: Finding): readonly string[] {
  return separated(finding).map(findingIdentity);
}

/** Identities of a problem, one for each of its subjects. */
export function problemIdentities(problem: ReportedDiagnostic): readonly string[] {
  const keys = problemKeys(problem);
  if (keys.length === 0) return [fingerprint([problem.code, problem.message, problem.primary?.path ?? ''])];
  const { part = '', policy = '' } = problem;
  return keys.map(({ code = '', resource, field = '' }) => fingerprint([code, resource, field, part, policy]));
}

/** By identity. The order is that of the report. */
export function reportedFindings({ findings, diagnostics }: Report): ReadonlyMap<string, HistoryFinding> {
  const all = new Map<string, HistoryFinding>();
  for (const finding of findings) {
    for (const each of separated(finding)) {
      const id = findingIdentity(each);
      if (!all.has(id)) all.set(id, ofFinding(each, id));
    }
  }
  for (const problem of diagnostics) {
    if (problem.severity !== 'error' && !isUndecided(problem)) continue;
    for (const [index, id] of problemIdentities(problem).entries()) {
      const subject = problem.subjects?.[index] ?? diagnosticSubject(problem) ?? problem.primary?.path ?? '';
      if (!all.has(id)) all.set(id, ofProblem(problem, id, subject));
    }
  }
  return all;
}

function ofFinding(finding: Finding, id: string): HistoryFinding {
  const { severity, policy, resource, target, primary, owners = [], roots = [] } = finding;
  return {
    id,
    is: stateOf(finding),
    severity,
    policy: { kind: cutText(policy.kind), name: cutText(policy.name) },
    rule: cutText(ruleName(finding)),
    subject: cutText(resourceLabel(resource)),
    target: cutText(target),
    path: cutText(primary.path),
    ...(owners.length > 0 && { owners: cutList(owners) }),
    ...(roots.length > 0 && { roots: cutList(roots) }),
  };
}

function ofProblem(problem: ReportedDiagnostic, id: string, subject: string): HistoryFinding {
  const { severity, code, primary, owners = [] } = problem;
  return {
    id,
    is: stateOf(problem),
    severity,
    rule: cutText(code),
    subject: cutText(subject),
    ...(primary !== undefined && { path: cutText(primary.path) }),
    ...(owners.length > 0 && { owners: cutList(owners) }),
  };
}

function stateOf(entry: Finding | ReportedDiagnostic): FindingState {
  if (entry.excuse !== undefined) return 'accepted';
  return isUndecided(entry) ? 'undecided' : 'open';
}
