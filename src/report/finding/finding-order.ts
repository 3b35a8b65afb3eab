// Deterministic order of findings in a report.
import type { Finding } from '../report.ts';

/** By path, location, policy and rule. */
export function sortedFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(compareFindings);
}

function compareFindings(a: Finding, b: Finding): number {
  return (
    compareText(a.primary.path, b.primary.path) ||
    a.primary.startLine - b.primary.startLine ||
    a.primary.startColumn - b.primary.startColumn ||
    compareText(a.policy.name, b.policy.name) ||
    compareText(a.rule.field, b.rule.field) ||
    compareText(a.fingerprint, b.fingerprint)
  );
}

/** By UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
