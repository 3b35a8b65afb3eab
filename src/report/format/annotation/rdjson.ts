// Reviewdog Diagnostic Format (`rdjson`), reviewdog `proto/rdf/reviewdog.proto`.
import { openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { severityIn } from '../../gate/undecided.ts';
import { jsonPieces } from '../../json/json-text.ts';
import { isElsewhere } from '../../location/place.ts';
import type { LineFix, Place, RelatedPlace, Report, ReportedDiagnostic, Severity } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';
import { codePage, PROJECT_NAME, PROJECT_URL } from '../../wording/project.ts';
import { adviceOf, resourceLabel, ruleId } from '../../wording/wording.ts';

const SEVERITIES: Record<Severity, string> = { error: 'ERROR', warning: 'WARNING', notice: 'INFO' };

export const rdjson: Reporter = reporterOf({
  name: 'rdjson',
  extension: 'rdjson',
  pieces: (report) =>
    jsonPieces({ source: { name: PROJECT_NAME, url: PROJECT_URL }, diagnostics: diagnosticsOf(report) }),
});

function diagnosticsOf(report: Report): unknown[] {
  return [
    ...openFindings(report.findings).map((finding) => ({
      message: withPlaces(`${resourceLabel(finding.resource)}: ${finding.message}`, finding.related),
      location: location(finding.primary),
      severity: SEVERITIES[severityIn(finding, report)],
      code: { value: ruleId(finding), url: codePage(finding.code) },
      related_locations: relatedLocations(finding.related),
    })),
    ...openDiagnostics(report.diagnostics).map((diagnostic) => ({
      message: withAdvice(diagnostic),
      ...(diagnostic.primary === undefined || isElsewhere(diagnostic.primary)
        ? {}
        : { location: location(diagnostic.primary) }),
      severity: SEVERITIES[severityIn(diagnostic, report)],
      code: { value: diagnostic.code, url: codePage(diagnostic.code) },
      ...(diagnostic.fix === undefined ? {} : { suggestions: [suggestion(diagnostic.fix)] }),
      related_locations: relatedLocations(diagnostic.related),
    })),
  ];
}

function withAdvice(diagnostic: ReportedDiagnostic): string {
  const advice = adviceOf(diagnostic);
  const { message, primary, related } = diagnostic;
  const where = primary !== undefined && isElsewhere(primary) ? [`at ${primary.path}:${primary.startLine}`] : [];
  const lines = [message, ...where, ...(advice === undefined ? [] : [`help: ${advice}`])];
  return withPlaces(lines.join('\n'), related);
}

/** Readers cannot open locations in policy sources, so the message contains them as text. */
function withPlaces(message: string, related: readonly RelatedPlace[]): string {
  const elsewhere = related.filter(({ place }) => isElsewhere(place));
  return [message, ...elsewhere.map((each) => `${each.message}: ${each.place.path}:${each.place.startLine}`)].join(
    '\n',
  );
}

function relatedLocations(related: readonly RelatedPlace[]): unknown[] {
  return related
    .filter(({ place }) => !isElsewhere(place))
    .map(({ message, place }) => ({ message, location: location(place) }));
}

function location(place: Place): unknown {
  const start = byteColumn(place, place.startLine, place.startColumn);
  const end = byteColumn(place, place.endLine, place.endColumn);
  // Columns only as a pair: readers treat a range with one of them as whole lines.
  const columns = start !== undefined && end !== undefined;
  return {
    path: place.path,
    range: {
      start: { line: place.startLine, ...(columns ? { column: start } : {}) },
      end: { line: place.endLine, ...(columns ? { column: end } : {}) },
    },
  };
}

/** A range without columns means whole lines; an empty range inserts before a line. */
function suggestion({ line, before, after }: LineFix): unknown {
  const text = after.join('\n');
  if (before.length > 0) return { range: { start: { line }, end: { line: line + before.length - 1 } }, text };
  return { range: { start: { line, column: 1 }, end: { line, column: 1 } }, text: `${text}\n` };
}

/** The format counts columns in UTF-8 bytes, a Place in code points; the conversion needs the line's text. */
function byteColumn(place: Place, line: number, column: number): number | undefined {
  const text = place.excerpt?.lines[line - place.excerpt.firstLine];
  if (text === undefined) return undefined;
  const codePoints = Array.from(text);
  if (column - 1 > codePoints.length) return undefined;
  return new TextEncoder().encode(codePoints.slice(0, column - 1).join('')).length + 1;
}
