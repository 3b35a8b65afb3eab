// The whole pipeline as one function: texts in, Report out. Pure: it reads nothing and prints nothing.
import { evaluateTarget } from '../engine/evaluate-target.ts';
import { spentBudget } from '../engine/spent-budget.ts';
import { type StageObserver, UNOBSERVED } from '../engine/stages.ts';
import { typedConverter } from '../engine/typed-converter.ts';
import { SKIP_REASONS, type SkipReasonEntry } from '../inventory/skip-reason.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import { formatVersion } from '../kubernetes/api/version.ts';
import { RunBudget } from '../kubernetes/request/run-budget.ts';
import type { Unknown } from '../policy/evaluation/unknown.ts';
import type { ChartReference } from '../render/sources/chart-reference.ts';
import type { RenderedRoot } from '../render/sources/rendered-root.ts';
import type { BaselineEntry } from '../report/baseline/baseline.ts';
import { ReportBuilder, type ReportOptions } from '../report/builder/report-builder.ts';
import type { Report } from '../report/report.ts';
import type { Configuration } from '../settings/configuration.ts';
import { unmatchedGlobs } from '../settings/written-globs.ts';
import { VERSION } from '../version.ts';
import { foldAsideRefusals } from './check/aside-refusals.ts';
import { contentsDigest, isInShard, type Shard } from './check/shard.ts';
import type { Clusters } from './clusters/clusters.ts';
import { undecidedVersions } from './clusters/contradictions.ts';
import { emptyTarget } from './clusters/empty-targets.ts';
import {
  clusterUnknowns,
  contradictionsIn,
  type PlannedTarget,
  plannedTargets,
  stateClusters,
  withoutDuplicatePolicies,
} from './clusters/planned-targets.ts';
import { targetOf } from './clusters/targets.ts';
import { languagesOf } from './state/languages.ts';
import { withSources } from './state/policy-sources.ts';
import { type FoundResource, isMadeFrom, type RepositoryContent } from './state/read-repository.ts';
import { type StateOptions, stateContent } from './state/state-content.ts';

/** A state of a repository as texts, and how it is to be checked. */
export interface CheckInput extends StateOptions {
  readonly stages?: StageObserver;
  /** Evaluate only the objects of this shard; what is not about objects is told by the first. */
  readonly shard?: Shard;
  /** Evaluate only what is made from these files, as far as it is written in them or they are read for it. */
  readonly only?: ReadonlySet<string>;
  /** Tell which findings a mutating policy takes away: objects that one changes are judged twice. */
  readonly explainsMutations?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  /** As `2026-11-21`; without it nothing expires. */
  readonly today?: string;
  /** Tells what each policy is and needs, which takes time. */
  readonly describesPolicies?: boolean;
}

/**
 * Checks one state.
 * The same input gives the same Report, in whatever order the files are. Never throws for what is written in the texts.
 */
export function checkState(input: CheckInput): Report {
  const { stages = UNOBSERVED, shard, only, baseline, today = '', configuration, files, policySources = [] } = input;
  const content = stateContent(input, stages);
  const clusters = stateClusters(configuration, content);
  const isOurs = (found: FoundResource): boolean =>
    (shard === undefined || isInShard(found.resource, shard)) && (only === undefined || isMadeFrom(found, only));
  const changedBy = changedResources(content.resources);
  const work = RunBudget.of(configuration.workLimit, files);
  const report = new ReportBuilder({
    ...reportOptions(configuration, { today, ...(baseline && { baseline }) }),
    describesPolicies: input.describesPolicies === true,
  });
  report.addDiagnostics(content.diagnostics);
  if (shard === undefined || shard.index === 1) for (const entry of content.skipped) report.addSkipped(entry);
  report.addDiagnostics(unmatchedGlobs(configuration.globs, input.paths));
  const state: KnownState = { input, stages, content, clusters, changedBy, isOurs, work, report };
  const taken = new Set<FoundResource>();
  for (const planned of plannedTargets(configuration, clusters)) checkTarget(state, planned, taken);
  for (const found of content.resources) {
    if (found.selected && !taken.has(found) && isOurs(found)) report.addUnevaluated(found.resource, 'no-target', '');
  }
  report.settle();
  report.addDiagnostics(spentBudget(work));
  stages.count('evaluate', 'steps', work.spent);
  const read = files.filter(({ selected }) => selected).length;
  // It takes a look at every character, and only shards are put together.
  const ofShard = shard && {
    ...shard,
    contents: contentsDigest([...files, ...policySources.flatMap((source) => source.files)], configuration),
  };
  return withSources(report.build(read, ofShard), policySources);
}

interface KnownState {
  readonly input: CheckInput;
  readonly stages: StageObserver;
  readonly content: RepositoryContent;
  readonly clusters: Clusters;
  readonly changedBy: ReadonlyMap<Resource, string>;
  /** Whether this run judges the resource. */
  readonly isOurs: (found: FoundResource) => boolean;
  readonly work: RunBudget;
  readonly report: ReportBuilder;
}

function changedResources(resources: readonly FoundResource[]): ReadonlyMap<Resource, string> {
  const changed = new Map<Resource, string>();
  for (const { resource, changedBy } of resources) if (changedBy !== undefined) changed.set(resource, changedBy);
  return changed;
}

/** Adds the resources that the target evaluates to `taken`. */
function checkTarget(state: KnownState, planned: PlannedTarget, taken: Set<FoundResource>): void {
  const { input, stages, content, clusters, changedBy, isOurs, work, report } = state;
  const { shard, today, explainsMutations = false } = input;
  const { configured, derivedFrom, belongs } = planned;
  const target = { ...targetOf(configured, content.resources, taken, isOurs, belongs), work, explainsMutations };
  const whole = shard === undefined ? target : targetOf(configured, content.resources, new Set(), () => true, belongs);
  report.addDiagnostics(emptyTarget(configured, whole, languagesOf(configured)));
  const converter = typedConverter(target);
  const evaluation = evaluateTarget(target, languagesOf(configured, today), converter, stages, (evaluated) => {
    report.addEvaluated(evaluated, target.name, changedBy.get(evaluated.resource));
  });
  const twice = contradictionsIn(planned, whole, content, (resource) => evaluation.identityOf(resource));
  const { diagnostics, words } = foldAsideRefusals(evaluation.diagnostics, content.resources);
  report.addDiagnostics([...withoutDuplicatePolicies(diagnostics), ...twice.found.map((each) => each.diagnostic())]);
  for (const { resource, reason, detail } of evaluation.unevaluated) {
    report.addUnevaluated(resource, reason, words.get(resource) ?? detail);
  }
  report.addTarget({
    name: target.name,
    ...(derivedFrom !== undefined && { derivedFrom }),
    kubernetesVersion: formatVersion(target.kubernetesVersion),
    user: target.userInfo.username,
    policies: evaluation.policies,
    unknowns: [
      ...evaluation.unknowns.sentences(),
      ...unrendered(target.manifests, changedBy),
      ...assumptions(content.roots),
      // Of the whole repository, so that the parts of a run say the same.
      ...undecidedVersions(twice.undecided.length),
      ...clusterUnknowns(clusters, planned, evaluation.policies.length > 0),
    ],
    unknownKinds: evaluation.unknowns.kinds(),
  });
}

/** What of charts would have to be fetched to know more about the state. */
export function chartsMissingInState(input: StateOptions): readonly ChartReference[] {
  return stateContent(input, UNOBSERVED).missingCharts;
}

export function reportOptions(
  {
    failOn,
    onUndecided,
    suppressions,
    exceptionsFrom,
  }: Pick<Configuration, 'failOn' | 'onUndecided' | 'suppressions' | 'exceptionsFrom'>,
  options: Pick<ReportOptions, 'baseline' | 'today'>,
): ReportOptions {
  return { preadmit: VERSION, failOn, onUndecided, suppressions, exceptionsFrom, meaningOf, isUnread, ...options };
}

/** What was taken for granted of what controllers apply. */
export function assumptions(roots: readonly RenderedRoot[]): readonly Unknown[] {
  const sentences = new Set(roots.flatMap(({ assumes = [] }) => assumes));
  return [...sentences].map((before) => ({ before, after: '' }));
}

/** A kustomization may rename, label, move and patch; without rendering, what is written is all there is to judge. */
export function unrendered(
  manifests: readonly Resource[],
  changedBy: ReadonlyMap<Resource, string | undefined>,
): readonly Unknown[] {
  const changed = manifests.filter((resource) => changedBy.get(resource) !== undefined).length;
  if (changed === 0) return [];
  const after =
    ' of the resources are changed by a kustomization before they are applied; they are evaluated as written, so render them first where that matters';
  return [{ before: '', count: changed, after }];
}

function meaningOf(reason: string): string {
  return KNOWN_REASONS[reason]?.meaning ?? reason;
}

function isUnread(reason: string): boolean {
  return KNOWN_REASONS[reason]?.isUnread === true;
}

/** As reports have them: what another version wrote is no mistake. */
const KNOWN_REASONS: Readonly<Record<string, SkipReasonEntry>> = SKIP_REASONS;
