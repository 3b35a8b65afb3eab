// Findings in one line each, or in one line per object.
import { openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { type ObjectLine, objectLines, repeatedWarnings } from '../../folded/object-lines.ts';
import { isCounted } from '../../gate/counted.ts';
import { isRepeated } from '../../gate/repeated.ts';
import type { Finding, Report, ReportedDiagnostic } from '../../report.ts';
import { resourceLabel } from '../../wording/wording.ts';

export function repeatedLines(report: Report): readonly string[] {
  return repeatedWarnings(report).map(lineOf);
}

export function fixedLines({ comparison, targets }: Report): readonly string[] {
  return objectLines(comparison?.fixed ?? [], targets.length > 1).map(lineOf);
}

/** What base has too and the verdict does not count. With `repeated`, also the warnings that `repeatedLines` folds. */
export function existingLines({ diagnostics, findings, verdict }: Report, repeated: boolean): readonly string[] {
  if (verdict.only !== 'new') return [];
  return [
    ...openDiagnostics(diagnostics)
      .filter((diagnostic) => !isCounted(diagnostic, verdict))
      .map(ofDiagnostic),
    ...openFindings(findings)
      .filter((finding) => !isCounted(finding, verdict) || (repeated && isRepeated(finding, verdict)))
      .map(ofFinding),
  ];
}

function lineOf({ findings: [first], object, words }: ObjectLine): string {
  return `${first.primary.path}:${first.primary.startLine} ${object}: ${words}`;
}

function ofFinding({ primary, resource, message, policy }: Finding): string {
  return `${primary.path}:${primary.startLine} ${resourceLabel(resource)}: ${message} (${policy.name})`;
}

function ofDiagnostic({ primary, message, code }: ReportedDiagnostic): string {
  return `${primary === undefined ? '' : `${primary.path}:${primary.startLine} `}${message} (${code})`;
}
