// Maps the locations of a report to another version of the files, for example from a merge commit to the pull request's head.
import { isCounted } from '../gate/counted.ts';
import type { Finding, LineFix, Place, RelatedPlace, Report, ReportedDiagnostic } from '../report.ts';

/** Line in the other version; undefined if the line or the file does not exist there. */
export type LineOf = (path: string, line: number) => number | undefined;

export interface MovedReport {
  readonly report: Report;
  /** Locations without a counterpart; they keep their original lines. */
  readonly lost: ReadonlySet<Place>;
}

/** Locations in base stay unchanged: deleted objects, fixed findings, and base's rules. */
export function movePlaces(report: Report, lineOf: LineOf): MovedReport {
  const lost = new Set<Place>();
  /** True for rules of a verdict by base's policies. */
  const isOfBase = ({ role }: RelatedPlace): boolean =>
    role !== undefined && report.comparison?.policiesFrom === 'base';
  const move = (place: Place): Place => {
    const startLine = lineOf(place.path, place.startLine);
    if (startLine === place.startLine) return place;
    const moved =
      startLine === undefined
        ? { ...place }
        : { ...place, startLine, endLine: place.endLine + startLine - place.startLine };
    if (startLine === undefined) lost.add(moved);
    return moved;
  };
  const related = (places: readonly RelatedPlace[]): readonly RelatedPlace[] =>
    places.map((each) => (isOfBase(each) ? each : { ...each, place: move(each.place) }));
  const finding = (each: Finding): Finding => ({
    ...each,
    primary: each.operation === 'DELETE' ? each.primary : move(each.primary),
    related: related(each.related),
    ...(each.excuse && { excuse: { ...each.excuse, place: move(each.excuse.place) } }),
  });
  const diagnostic = ({ fix, ...each }: ReportedDiagnostic): ReportedDiagnostic => {
    const moved = fix && movedFix(fix, lineOf);
    return {
      ...each,
      ...(each.primary && { primary: move(each.primary) }),
      related: related(each.related),
      ...(moved && { fix: moved }),
    };
  };
  const { blastRadius, suggestions } = report;
  return {
    lost,
    report: {
      ...report,
      findings: report.findings.map(finding),
      diagnostics: report.diagnostics.map(diagnostic),
      ...(blastRadius && {
        blastRadius: {
          ...blastRadius,
          entries: blastRadius.entries.map((entry) => ({ ...entry, primary: move(entry.primary) })),
        },
      }),
      ...(suggestions && {
        suggestions: suggestions.flatMap((suggestion) => {
          const fix = movedFix(suggestion.fix, lineOf);
          return fix === undefined ? [] : [{ ...suggestion, fix }];
        }),
      }),
    },
  };
}

/** Undefined unless the other version has all of the lines consecutively. */
function movedFix({ above, below, ...fix }: LineFix, lineOf: LineOf): LineFix | undefined {
  const at = (line: number): number | undefined => lineOf(fix.path, line);
  const { line, before } = fix;
  const own = before.map((_, index) => at(line + index));
  // An insertion needs one of its two neighbouring lines.
  const previous = line === 1 ? undefined : at(line - 1);
  const start = own[0] ?? (previous === undefined ? at(line) : previous + 1);
  if (start === undefined || own.some((moved, index) => moved !== start + index)) return undefined;
  const next = at(line + before.length);
  return {
    ...fix,
    line: start,
    ...(above !== undefined && previous === start - 1 && { above }),
    ...(below !== undefined && next === start + before.length && { below }),
  };
}

/** Paths of primary locations, fixes and other links; merely mentioned paths are left out. */
export function placedPaths({
  verdict,
  findings,
  diagnostics,
  blastRadius,
  suggestions = [],
}: Report): ReadonlySet<string> {
  const counted = findings.filter((finding) => isCounted(finding, verdict) || finding.excuse !== undefined);
  const places = [
    ...counted.flatMap(({ primary, related, excuse }) => [
      primary,
      ...related.map(({ place }) => place),
      excuse?.place,
    ]),
    ...diagnostics.flatMap(({ primary, related }) => [primary, ...related.map(({ place }) => place)]),
    ...(blastRadius?.entries.map(({ primary }) => primary) ?? []),
  ];
  const paths = places.flatMap((place) => (place === undefined ? [] : [place.path]));
  return new Set([...paths, ...suggestions.map(({ fix }) => fix.path)]);
}
