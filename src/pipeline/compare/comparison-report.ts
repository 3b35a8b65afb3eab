// Builds the report of a comparison: adds each evaluated object at once, and the results of all targets at the end.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import { spentBudget } from '../../engine/target/spent-budget.ts';
import { append } from '../../go/slices/append.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { ReportBuilder } from '../../report/builder/report-builder.ts';
import { BlastRadiusBuilder } from '../../report/comparison/blast-radius.ts';
import type { Comparison, Finding, Report, ResourceName, SkippedEntry } from '../../report/report.ts';
import { unmatchedGlobs } from '../../settings/written-globs.ts';
import { reportOptions } from '../check-state.ts';
import { pinPlace, withSources } from '../state/policy-sources.ts';
import type { FoundResource } from '../state/read-repository.ts';
import type { ComparedRules } from './compared-rules.ts';
import { type ComparedStates, isExamined } from './compared-states.ts';
import { joinDeleted } from './deleted-objects.ts';
import type { EvaluatedChange } from './evaluate-changes.ts';
import { type KeptObject, keptNotices } from './kept-objects.ts';
import { relevantFindings } from './relevant-findings.ts';
import { joinDiagnostics, type StateDiagnostics } from './state-diagnostics.ts';
import { SuggestedEdits } from './suggestions.ts';
import type { TargetContradictions } from './target-contradictions.ts';

/** The builders that receive each evaluated object, because not all of them fit into memory. */
export interface ComparisonReport {
  readonly report: ReportBuilder;
  readonly blastRadius: BlastRadiusBuilder;
  readonly suggested: SuggestedEdits | undefined;
}

/** The results of one target. */
export interface TargetResult {
  readonly taken: ReadonlySet<FoundResource>;
  readonly rules: Pick<ComparedRules, 'changed' | 'isFirst' | 'notices'>;
  readonly objects: MatchedObjects;
  readonly name: string;
  readonly deleted: readonly ResourceName[];
  readonly kept: readonly KeptObject[];
  readonly diagnostics: StateDiagnostics;
  readonly contradictions: TargetContradictions;
}

export function openReport({ input, scope }: ComparedStates): ComparisonReport {
  const { configuration, baseline, today = '' } = input;
  const options = reportOptions(configuration, { today, ...(baseline && { baseline }) }, input.ownerRules);
  return {
    report: new ReportBuilder(options),
    blastRadius: new BlastRadiusBuilder(options.owners),
    suggested: input.suggests === true ? new SuggestedEdits(scope.changed) : undefined,
  };
}

/** Adds the findings of each evaluated change. Returns what the API server reports about the objects themselves. */
export function addFindings(
  { report, blastRadius, suggested }: ComparisonReport,
  answers: Iterable<EvaluatedChange>,
  rules: ComparedRules,
  target: string,
  changedBy: ComparedStates['changedBy'],
): StateDiagnostics {
  const base: Diagnostic[] = [];
  const head: (Diagnostic | ObjectDiagnostic)[] = [];
  // A finding of base stays if the server rejects head's version of its policy.
  const isKept = ({ policy }: Finding): boolean => rules.head.refuses(policy);
  for (const answer of answers) {
    const { change, verdict, earlier, before, underRules } = answer;
    const isInHead = change.operation !== 'DELETE';
    const isUpdate = change.operation === 'UPDATE';
    const was = earlier && { before: earlier.resource, ...(isUpdate && { operation: 'UPDATE' as const }) };
    if (isInHead) for (const diagnostic of verdict.diagnostics) head.push({ ...diagnostic, ...was });
    if (before !== undefined) append(base, before.diagnostics);
    if (isInHead && verdict.unevaluated !== undefined) {
      const { resource, reason, detail } = verdict.unevaluated;
      report.addUnevaluated(resource, reason, detail);
    }
    const { compared, fixed } = relevantFindings(answer);
    if (compared !== undefined) {
      suggested?.add(change, compared.evaluated, rules.verdict);
      report.addCompared(compared, target, changedBy.get(change.resource));
    }
    if (fixed !== undefined) report.addFixed(fixed, target);
    if (underRules !== undefined) blastRadius.add(underRules.base, underRules.head, target, isKept);
  }
  return { base, head };
}

/** `diagnostics`, `skipped`: those that do not belong to one target. */
export function finishReport(
  states: ComparedStates,
  { report, blastRadius, suggested }: ComparisonReport,
  targets: readonly TargetResult[],
  diagnostics: readonly StateDiagnostics[],
  skipped: readonly SkippedEntry[],
): Report {
  const { input, scope, work } = states;
  const { base, head, configuration } = input;
  const given = configuration.globs.filter(({ location }) => location === undefined);
  report.addDiagnostics(unmatchedGlobs(given, new Set([...base.paths, ...head.paths])));
  for (const entry of skipped) report.addSkipped(entry);
  for (const found of states.head.resources) {
    const isTaken = targets.some(({ taken }) => taken.has(found));
    if (found.selected && !isTaken && isExamined(states, found.resource)) {
      report.addUnevaluated(found.resource, 'no-target', '');
    }
  }
  // Locating contradictions and findings takes work, so the work is counted afterwards.
  const all = joinDiagnostics([
    ...diagnostics,
    ...targets.map((target) => target.diagnostics),
    oldContradictions(targets),
  ]);
  report.settle();
  report.addDiagnostics(spentBudget(work));
  report.addDiagnostics(keptNotices(targets.flatMap(({ kept }) => kept)));
  states.stages.count('evaluate', 'steps', work.spent);
  const touched = new Set([...states.touchedRoots, ...(input.touched ?? scope.changed)]);
  report.addComparedDiagnostics(all.head, all.base, touched);
  const files = scope.head.filter(({ file, selected }) => selected && scope.examined.has(file.path));
  const rules = targets.map((target) => target.rules);
  const policiesFrom = rules.some(({ isFirst }) => isFirst) ? 'head' : input.policiesFrom;
  for (const { resource, change, old } of rules.flatMap(({ changed }) => changed)) {
    blastRadius.addCause(resource, change, old, pinPlace(resource, head.policySources ?? []));
  }
  const radius = blastRadius.build();
  report.addStricterRules(blastRadius.stricterRules());
  // A change that hides objects fails for that reason. Which others it deletes is then uncertain.
  const hides = all.head.some(({ code }) => code === 'no-longer-evaluated');
  const deleted = hides ? [] : joinDeleted(targets);
  const comparison = {
    ...input.names,
    policiesFrom,
    scope: scope.extent,
    changedFiles: [...scope.changed].sort(),
    objects: countObjects(targets),
    ...(deleted.length > 0 && { deleted }),
    notices: [...(input.notices ?? []), ...rules.flatMap(({ notices }) => notices)],
  };
  const suggestions = suggested?.list();
  const built = report.buildComparison(files.length, {
    only: input.only,
    comparison,
    blastRadius: radius,
    suggestions,
    isKnown: knownSkips(states),
  });
  return withSources(built, (policiesFrom === 'head' ? head : base).policySources ?? []);
}

/** A document of a changed root is declared in a file that the change may not touch, so the files of such roots are touched too. */
function knownSkips({ base, head, scope, changedRoots }: ComparedStates): (entry: SkippedEntry) => boolean {
  const roots = [...base.roots, ...head.roots].filter(({ name }) => changedRoots.has(name));
  const touched = new Set([...scope.changed, ...roots.map(({ location }) => location.file.path)]);
  const keyOf = ({ path, reason }: SkippedEntry): string => `${reason}\0${path}`;
  const before = new Set(base.skipped.map(keyOf));
  return (entry) => !touched.has(entry.path) && before.has(keyOf(entry));
}

/** A contradiction of head is not new if base has it, unless it is new in one of the targets. */
function oldContradictions(targets: readonly TargetResult[]): StateDiagnostics {
  const isNew = ({ message }: Diagnostic): boolean =>
    targets.some(({ contradictions }) => contradictions.newMessages.has(message));
  const old = targets.flatMap(({ contradictions }) => contradictions.base.map((each) => each.diagnostic()));
  return { base: old.filter((diagnostic) => !isNew(diagnostic)), head: [] };
}

function countObjects(targets: readonly TargetResult[]): Comparison['objects'] {
  const count = (kind: keyof Comparison['objects']): number =>
    targets.reduce((sum, { objects }) => sum + objects[kind].length, 0);
  return {
    created: count('created'),
    updated: count('updated'),
    deleted: count('deleted'),
    unchanged: count('unchanged'),
  };
}
