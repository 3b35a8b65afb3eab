// The part of one owner as a report with its own verdict.
import { openDiagnostics, openFindings } from '../baseline/excuse.ts';
import { unlistedTotal } from '../finding/finding-limits.ts';
import { listedFor } from '../owner/owner-part.ts';
import type { Report } from '../report.ts';
import { decideVerdict } from '../tally/verdict.ts';
import { separated } from './join-roots.ts';

/**
 * The findings and problems of `owner`, and the verdict on them. The owners of findings beyond the report's limit are unknown, so such a part
 * is undecided instead of allowed.
 */
export function ownerVerdict(report: Report, owner: string): Report {
  const part = listedFor(report, owner);
  const { failOn, onUndecided, conclusion } = report.verdict;
  const verdict = decideVerdict({
    findings: openFindings(part.findings).flatMap(separated),
    diagnostics: openDiagnostics(part.diagnostics),
    failOn,
    onUndecided,
    checked: conclusion === 'nothing-checked' ? 0 : 1,
  });
  const isIncomplete = report.unlisted !== undefined && unlistedTotal(report.unlisted) > 0;
  return verdict.conclusion === 'allowed' && isIncomplete && failOn !== 'never'
    ? { ...part, verdict: { ...verdict, conclusion: 'undecided' } }
    : { ...part, verdict };
}
