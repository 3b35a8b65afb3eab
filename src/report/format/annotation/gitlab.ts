// GitLab Code Quality: the subset of Code Climate's format that merge requests show.
import { openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { severityIn } from '../../gate/undecided.ts';
import { jsonPieces } from '../../json/json-text.ts';
import { isElsewhere } from '../../location/place.ts';
import type { Place, Report, Severity } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';
import { resourceLabel, ruleId } from '../../wording/wording.ts';

const SEVERITIES: Record<Severity, string> = { error: 'critical', warning: 'minor', notice: 'info' };

interface CodeQualityIssue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

export const gitlab: Reporter = reporterOf({
  name: 'gitlab',
  extension: 'codequality.json',
  pieces: (report) => jsonPieces(uniquelyNamed(issues(report))),
});

function issues(report: Report): CodeQualityIssue[] {
  return [
    ...openFindings(report.findings).map((finding) => ({
      description: `${resourceLabel(finding.resource)}: ${finding.message}`,
      check_name: ruleId(finding),
      fingerprint: finding.fingerprint,
      severity: SEVERITIES[severityIn(finding, report)],
      location: location(finding.primary),
    })),
    // Every issue needs a file, so diagnostics without a file in the repository appear only in other formats.
    ...openDiagnostics(report.diagnostics).flatMap((diagnostic) =>
      diagnostic.primary === undefined || isElsewhere(diagnostic.primary)
        ? []
        : {
            description: diagnostic.message,
            check_name: diagnostic.code,
            fingerprint: `${diagnostic.code}|${diagnostic.primary.path}|${diagnostic.message}`,
            severity: SEVERITIES[severityIn(diagnostic, report)],
            location: location(diagnostic.primary),
          },
    ),
  ];
}

function location(place: Place): CodeQualityIssue['location'] {
  return { path: place.path, lines: { begin: place.startLine } };
}

/** GitLab drops all but one of the issues that share a fingerprint. */
function uniquelyNamed(list: readonly CodeQualityIssue[]): CodeQualityIssue[] {
  const seen = new Map<string, number>();
  return list.map((issue) => {
    const times = (seen.get(issue.fingerprint) ?? 0) + 1;
    seen.set(issue.fingerprint, times);
    return times === 1 ? issue : { ...issue, fingerprint: `${issue.fingerprint}|${times}` };
  });
}
