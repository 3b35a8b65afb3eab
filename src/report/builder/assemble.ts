// Sorts the parts of a report and derives its totals: the last step of a run and of a merge.
import { openDiagnostics, openFindings } from '../baseline/excuse.ts';
import { addUnlisted, limitFindings, NOTHING_UNLISTED, unlistedTotal } from '../finding/finding-limits.ts';
import { compareText, sortedFindings } from '../finding/finding-order.ts';
import type {
  BlastRadius,
  Comparison,
  FailOn,
  Finding,
  OnUndecided,
  Ownership,
  Place,
  Report,
  ReportedDiagnostic,
  SkippedEntry,
  Suggestion,
  TargetSummary,
  Touched,
  UnlistedFindings,
} from '../report.ts';
import { REPORT_SCHEMA_VERSION } from '../report.ts';
import { decideVerdict } from '../tally/verdict.ts';
import { foldAlike, foldAnswers } from './fold-alike.ts';
import { joinRoots } from './join-roots.ts';

export interface ReportParts {
  readonly preadmit: string;
  readonly failOn: FailOn;
  readonly onUndecided: OnUndecided;
  readonly touched?: Touched;
  /** Number of files read. */
  readonly files: number;
  /** Number of resources evaluated by at least one target. */
  readonly evaluated: number;
  readonly skipped: readonly SkippedEntry[];
  readonly meaningOf: (reason: string) => string;
  readonly targets: readonly TargetSummary[];
  readonly findings: readonly Finding[];
  /** Findings that were already omitted. */
  readonly unlisted?: UnlistedFindings;
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** True for a shard: findings of several roots are joined when the shards are merged. */
  readonly isPart?: boolean;
  /** Findings that the verdict counts in a comparison. */
  readonly only?: 'new' | 'all';
  readonly comparison?: Comparison;
  readonly blastRadius?: BlastRadius;
  readonly suggestions?: readonly Suggestion[];
  readonly ownership?: Ownership;
}

/** The result does not depend on the order of the parts. */
export function assembleReport({
  preadmit,
  failOn,
  onUndecided,
  files,
  evaluated,
  meaningOf,
  targets,
  only,
  comparison,
  blastRadius,
  suggestions,
  ownership,
  ...parts
}: ReportParts): Report {
  const limited = limitFindings(parts.isPart === true ? parts.findings : joinRoots(parts.findings));
  const findings = sortedFindings(limited.findings);
  const unlisted = addUnlisted(parts.unlisted ?? NOTHING_UNLISTED, limited.unlisted);
  const told = withoutRepeats(parts.diagnostics).sort(compareDiagnostics);
  // Similar diagnostics are combined only once all shards are together.
  const diagnostics = parts.isPart === true ? told : foldAlike(foldAnswers(told));
  const skipped = [...parts.skipped].sort(compareSkipped);
  const bound = targets.filter(({ policies }) => policies.some(({ bindings }) => bindings > 0));
  const isCheckedWithout = comparison !== undefined && bound.length > 0;
  const checked = bound.reduce((sum, target) => sum + target.evaluated, isCheckedWithout ? 1 : 0);
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    preadmit,
    verdict: decideVerdict({
      // Counts every object, before findings of several roots are joined.
      findings: openFindings(unlistedTotal(limited.unlisted) === 0 ? parts.findings : findings),
      unlisted,
      diagnostics: openDiagnostics(diagnostics),
      failOn,
      onUndecided,
      checked,
      ...(only && { only }),
      ...(parts.touched && { touched: parts.touched }),
    }),
    coverage: {
      files,
      found: evaluated + skipped.length,
      evaluated,
      notEvaluated: reasonsOf(skipped, meaningOf),
      skipped,
    },
    targets,
    findings,
    ...(unlistedTotal(unlisted) > 0 && { unlisted }),
    diagnostics,
    ...(comparison && { comparison }),
    ...(blastRadius && { blastRadius }),
    ...(suggestions && { suggestions }),
    ...(ownership && { ownership }),
  };
}

export function withoutRepeats(diagnostics: readonly ReportedDiagnostic[]): ReportedDiagnostic[] {
  const first = new Map<string, ReportedDiagnostic>();
  for (const diagnostic of diagnostics) {
    const { code, message, primary } = diagnostic;
    const key = JSON.stringify([code, message, ...placeKey(primary)]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, diagnostic);
    else if (earlier.concerns !== undefined && diagnostic.concerns !== undefined) {
      // The same policy in another target or shard.
      first.set(key, { ...earlier, concerns: earlier.concerns + diagnostic.concerns });
    }
  }
  return [...first.values()];
}

function reasonsOf(
  skipped: readonly SkippedEntry[],
  meaningOf: (reason: string) => string,
): Report['coverage']['notEvaluated'] {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => ({ reason, meaning: meaningOf(reason), count }))
    .sort((a, b) => b.count - a.count || compareText(a.reason, b.reason));
}

function compareDiagnostics(a: ReportedDiagnostic, b: ReportedDiagnostic): number {
  return (
    compareText(a.primary?.path ?? '', b.primary?.path ?? '') ||
    (a.primary?.startLine ?? 0) - (b.primary?.startLine ?? 0) ||
    (a.primary?.startColumn ?? 0) - (b.primary?.startColumn ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

function compareSkipped(a: SkippedEntry, b: SkippedEntry): number {
  return (
    compareText(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.reason, b.reason) ||
    compareText(a.detail ?? '', b.detail ?? '')
  );
}

function placeKey(place: Place | undefined): readonly (string | number)[] {
  return place === undefined ? [] : [place.path, place.startLine, place.startColumn];
}
