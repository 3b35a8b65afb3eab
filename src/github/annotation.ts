// Converts findings and diagnostics to annotations of a check-run.

import { sanitizeText } from '../diagnostic/sanitize.ts';
import { openDiagnostics, openFindings } from '../report/baseline/excuse.ts';
import { isShown } from '../report/gate/repeated.ts';
import { isUndecided, severityIn } from '../report/gate/undecided.ts';
import { isElsewhere } from '../report/location/place.ts';
import type { Finding, Place, Report, ReportedDiagnostic, Severity } from '../report/report.ts';
import { cutToBytes } from '../report/wording/cut-text.ts';
import {
  actionsLabel,
  adviceOf,
  bySeverity,
  otherMessages,
  resourceLabel,
  rootsNote,
  targetsOf,
} from '../report/wording/wording.ts';

/** The format of `checks/create`. */
export interface CheckAnnotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: 'failure' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly raw_details: string;
}

/** What the reader sees: for a pull request, its changed files at its head commit. */
export interface ShownPlaces {
  /** Only these files; absent: all files. */
  readonly changedPaths?: ReadonlySet<string> | undefined;
  /** Locations that do not exist in these files. */
  readonly lost?: ReadonlySet<Place> | undefined;
}

/** GitHub's limits, reduced by the length of the truncation mark. */
const MAX_TEXT_BYTES = 65_000;
const MAX_TITLE_BYTES = 255;

const LEVELS: Record<Severity, CheckAnnotation['annotation_level']> = {
  error: 'failure',
  warning: 'warning',
  notice: 'notice',
};

/** Removes findings that base already has and that cannot fail the run, and findings in files or lines that the reader does not see, e.g. of deleted objects. */
export function annotatable(report: Report, { changedPaths, lost }: ShownPlaces): Report {
  const isAnnotated = (entry: Finding | ReportedDiagnostic): boolean =>
    isShown(entry, report.verdict) &&
    (entry.primary === undefined ||
      ((changedPaths?.has(entry.primary.path) ?? true) && lost?.has(entry.primary) !== true));
  return {
    ...report,
    findings: report.findings.filter((finding) => isAnnotated(finding) && finding.operation !== 'DELETE'),
    // The render target that a change leaves unjudged is often declared in a file that the change does not touch.
    diagnostics: report.diagnostics.filter((each) => isAnnotated(each) || (isUndecided(each) && each.status === 'new')),
  };
}

/** Sorted by severity, so that the limit drops the least important. */
export function annotationsOf(report: Report, max: number): readonly CheckAnnotation[] {
  const findings = openFindings(report.findings).map((finding) => ({
    ...finding,
    severity: severityIn(finding, report),
    annotation: () => ofFinding(finding, severityIn(finding, report)),
  }));
  const diagnostics = openDiagnostics(report.diagnostics).map((diagnostic) => ({
    ...diagnostic,
    severity: severityIn(diagnostic, report),
    annotation: () => ofDiagnostic(diagnostic, severityIn(diagnostic, report)),
  }));
  return bySeverity([...diagnostics, ...findings])
    .filter(({ primary }) => primary !== undefined && !isElsewhere(primary))
    .slice(0, max)
    .flatMap(({ annotation }) => annotation() ?? []);
}

function ofFinding(finding: Finding, severity: Severity): CheckAnnotation {
  const { policy, binding, rule } = finding;
  const bound = binding === undefined ? '' : ` with binding ${binding}`;
  return annotation(finding.primary, severity, {
    title: `${resourceLabel(finding.resource)}: ${policy.name}`,
    message: `${finding.message}\n\n${actionsLabel(finding)} by ${policy.kind} ${policy.name}${bound}`,
    details: [
      finding.serverMessage,
      `${rule.field}: ${rule.expression ?? ''}`,
      finding.fieldPath === '' ? '' : `field: ${finding.fieldPath}${finding.defaulted === true ? ' (by default)' : ''}`,
      `target: ${targetsOf(finding).join(', ')}`,
      rootsNote(finding),
      ...otherMessages(finding),
    ],
  });
}

function ofDiagnostic(diagnostic: ReportedDiagnostic, severity: Severity): CheckAnnotation | undefined {
  if (diagnostic.primary === undefined) return undefined;
  return annotation(diagnostic.primary, severity, {
    title: diagnostic.code,
    message: diagnostic.message,
    details: [adviceOf(diagnostic) ?? ''],
  });
}

interface Words {
  readonly title: string;
  readonly message: string;
  readonly details: readonly string[];
}

/** GitHub shows an annotation below its last line. An annotation of several lines is therefore put on the first one, without columns. */
function annotation(place: Place, severity: Severity, { title, message, details }: Words): CheckAnnotation {
  const oneLine = place.startLine === place.endLine;
  return {
    path: place.path,
    start_line: place.startLine,
    end_line: place.startLine,
    ...(oneLine && { start_column: place.startColumn, end_column: Math.max(place.startColumn, place.endColumn - 1) }),
    annotation_level: LEVELS[severity],
    title: cutToBytes(sanitizeText(title), MAX_TITLE_BYTES),
    message: cutToBytes(sanitizeText(message), MAX_TEXT_BYTES),
    raw_details: cutToBytes(sanitizeText(details.filter((line) => line !== '').join('\n')), MAX_TEXT_BYTES),
  };
}
