// Converts the findings and diagnostics of a report to LSP diagnostics per file.
import type { Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import type { Finding, Place, RelatedPlace, Report, ReportedDiagnostic, Severity } from '../../report/report.ts';
import { ruleName } from '../../report/wording/wording.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { rangeOfPlace } from './document-position.ts';

/** Data of a diagnostic for code actions. */
export interface DiagnosticData {
  /** How to fix it. */
  readonly help?: string;
  /** Name that an object's annotation uses to accept the finding. */
  readonly accepts?: string;
}

/** Text and URI of reported files; undefined for files outside the repository. */
export interface KnownDocuments {
  file(path: string): SourceFile | undefined;
  uriOf(path: string): string;
}

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = { error: 1, warning: 2, notice: 3 };
const HINT: DiagnosticSeverity = 4;

/** By path; files without diagnostics are absent. */
export function diagnosticsByPath(report: Report, known: KnownDocuments): ReadonlyMap<string, readonly Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>();
  const add = (place: Place | undefined, diagnostic: (file: SourceFile) => Diagnostic): void => {
    const file = place && known.file(place.path);
    if (file === undefined) return;
    const same = found.get(file.path);
    if (same === undefined) found.set(file.path, [diagnostic(file)]);
    else same.push(diagnostic(file));
  };
  for (const one of report.diagnostics) add(one.primary, (file) => ofDiagnostic(one, file, known));
  for (const one of report.findings) add(one.primary, (file) => ofFinding(one, file, known));
  return found;
}

function ofDiagnostic(one: ReportedDiagnostic, file: SourceFile, known: KnownDocuments): Diagnostic {
  const { code, message, help, excuse, resource } = one;
  const data: DiagnosticData = { ...(help !== undefined && { help }), ...(resource && { accepts: code }) };
  return {
    range: rangeOfPlace(file, one.primary as Place),
    severity: excuse === undefined ? SEVERITIES[one.severity] : HINT,
    source: 'preadmit',
    code,
    message: [message, ...(help === undefined ? [] : [`help: ${help}`]), ...accepted(excuse)].join('\n'),
    relatedInformation: related(one.related, known),
    data,
  };
}

function ofFinding(one: Finding, file: SourceFile, known: KnownDocuments): Diagnostic {
  const { code, message, excuse, policy, rule, actions } = one;
  const data: DiagnosticData = { accepts: policy.name };
  const says = `${policy.name}, ${ruleName(one)}${actions.length === 0 ? '' : ` (${actions.join(', ')})`}`;
  const lines = [message, says, ...(rule.expression === undefined ? [] : [rule.expression.trim()])];
  return {
    range: rangeOfPlace(file, one.primary),
    severity: excuse === undefined ? SEVERITIES[one.severity] : HINT,
    source: 'preadmit',
    code,
    message: [...lines, ...accepted(excuse)].join('\n'),
    relatedInformation: related(one.related, known),
    data,
  };
}

function accepted(excuse: Finding['excuse']): readonly string[] {
  return excuse === undefined ? [] : [`accepted: ${excuse.reason}`];
}

function related(
  places: readonly RelatedPlace[],
  known: KnownDocuments,
): NonNullable<Diagnostic['relatedInformation']> {
  return places.flatMap(({ message, place }) => {
    const file = known.file(place.path);
    return file === undefined
      ? []
      : [{ message, location: { uri: known.uriOf(place.path), range: rangeOfPlace(file, place) } }];
  });
}
