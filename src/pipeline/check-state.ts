// The whole pipeline as one function: texts in, Report out. Pure: reads no files and prints nothing.

import { typedConverter } from '../engine/conversion/typed-converter.ts';
import { type StageObserver, UNOBSERVED } from '../engine/stages.ts';
import { evaluateTarget } from '../engine/target/evaluate-target.ts';
import { spentBudget } from '../engine/target/spent-budget.ts';
import { emulatedRelease } from '../engine/validation/registry-validation.ts';
import { SKIP_REASONS, type SkipReasonEntry } from '../inventory/skip-reason.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import { formatVersion } from '../kubernetes/api/version.ts';
import { RunBudget } from '../kubernetes/request/run-budget.ts';
import type { Unknown } from '../policy/evaluation/unknown.ts';
import type { Remote } from '../render/sources/remote/remote.ts';
import type { RenderedRoot } from '../render/sources/root/rendered-root.ts';
import type { BaselineEntry } from '../report/baseline/baseline.ts';
import { ReportBuilder, type ReportOptions } from '../report/builder/report-builder.ts';
import type { OwnerRules } from '../report/owner/owner-rules.ts';
import { Owners } from '../report/owner/owners.ts';
import type { Report } from '../report/report.ts';
import type { Configuration } from '../settings/configuration.ts';
import { unmatchedGlobs } from '../settings/written-globs.ts';
import { VERSION } from '../version.ts';
import { foldAsideRefusals } from './check/aside-refusals.ts';
import { type RenderingCounts, renderingCounts } from './check/rendering-counts.ts';
import { contentsDigest, isInShard, type Shard } from './check/shard.ts';
import { unreachedNotice } from './check/unreached-notice.ts';
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
import { ownValidation, targetOf } from './clusters/targets.ts';
import { languagesOf } from './state/languages.ts';
import { withSources } from './state/policy-sources.ts';
import { type FoundResource, isMadeFrom, type RepositoryContent } from './state/read-repository.ts';
import { type StateOptions, stateContent } from './state/state-content.ts';
import { appliedRoots } from './state/unreached.ts';

/** A state of a repository as texts, and the options of the check. */
export interface CheckInput extends StateOptions {
  readonly stages?: StageObserver;
  /** Evaluate only the objects of this shard. The first shard also reports everything that is not about an object. */
  readonly shard?: Shard;
  /** Evaluate only objects that are written in these files or rendered from them. */
  readonly only?: ReadonlySet<string>;
  /** Report findings that a mutating policy removes. Evaluates each object that a policy changes twice. */
  readonly explainsMutations?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  /** As `2026-11-21`. Without a date nothing expires. */
  readonly today?: string;
  /** Rules of CODEOWNERS; absent: there is no such file. */
  readonly ownerRules?: OwnerRules;
  /** Add a description and the requirements of each policy to the report, which takes time. */
  readonly describesPolicies?: boolean;
}

/** Checks one state. The order of the files does not change the Report. Never throws because of the content of a file. */
export function checkState(input: CheckInput): Report {
  const { stages = UNOBSERVED, shard, only, baseline, today = '', configuration, files, policySources = [] } = input;
  const content = stateContent(input, stages);
  const clusters = stateClusters(configuration, content);
  const isOurs = (found: FoundResource): boolean =>
    (shard === undefined || isInShard(found.resource, shard)) && (only === undefined || isMadeFrom(found, only));
  const changedBy = changedResources(content.resources);
  const work = RunBudget.of(configuration.workLimit, files);
  const report = new ReportBuilder({
    ...reportOptions(configuration, { today, ...(baseline && { baseline }) }, input.ownerRules),
    describesPolicies: input.describesPolicies === true,
  });
  report.addDiagnostics([...content.diagnostics, ...unreachedNotice(content)]);
  if (shard === undefined || shard.index === 1) for (const entry of content.skipped) report.addSkipped(entry);
  report.addDiagnostics(unmatchedGlobs(configuration.globs, input.paths));
  const state: KnownState = { input, stages, content, clusters, changedBy, isOurs, work, report };
  const taken = new Set<FoundResource>();
  for (const planned of plannedTargets(configuration, clusters, content)) checkTarget(state, planned, taken);
  for (const found of content.resources) {
    if (found.selected && !taken.has(found) && isOurs(found)) report.addUnevaluated(found.resource, 'no-target', '');
  }
  report.settle();
  report.addDiagnostics(spentBudget(work));
  stages.count('evaluate', 'steps', work.spent);
  const read = files.filter(({ selected }) => selected).length;
  // Reads every character, so only shards compute it: merging compares it.
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
  const { shard, today, explainsMutations = false, serverValidation } = input;
  const { configured, derivedFrom, belongs, declared } = planned;
  const target = {
    ...targetOf(configured, content.resources, taken, isOurs, belongs),
    work,
    explainsMutations,
    ...ownValidation(configured, serverValidation),
  };
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
    ...(declared && declared.settings.length > 0 && { serverSettings: declared.settings }),
    kubernetesVersion: formatVersion(target.kubernetesVersion),
    ...(target.serverValidation && { validatedAs: emulatedRelease(target.kubernetesVersion) }),
    user: target.userInfo.username,
    policies: evaluation.policies,
    unknowns: [
      ...evaluation.unknowns.sentences(),
      ...unrendered(target.manifests, changedBy),
      ...assumptions(appliedRoots(content)),
      // Of the whole repository, so that all shards report the same number.
      ...undecidedVersions(twice.undecided.length),
      ...(declared?.unknowns ?? []),
      ...clusterUnknowns(clusters, planned, evaluation.policies.length > 0),
    ],
    unknownKinds: evaluation.unknowns.kinds(),
  });
}

/** What of the state renders, and what does not. */
export function renderingInState(input: StateOptions): RenderingCounts {
  return renderingCounts(input);
}

/** Charts, bases and repositories that are missing. With them, more of the state could be rendered. */
export function missingInState(input: StateOptions): readonly Remote[] {
  return stateContent(input, UNOBSERVED).missing;
}

export function reportOptions(
  {
    failOn,
    onUndecided,
    touched,
    suppressions,
    exceptionsFrom,
    owner,
  }: Pick<Configuration, 'failOn' | 'onUndecided' | 'touched' | 'suppressions' | 'exceptionsFrom' | 'owner'>,
  options: Pick<ReportOptions, 'baseline' | 'today'>,
  ownerRules?: OwnerRules,
): ReportOptions {
  return {
    preadmit: VERSION,
    failOn,
    onUndecided,
    touched,
    suppressions,
    exceptionsFrom,
    meaningOf,
    isUnread,
    owners: new Owners(owner, ownerRules),
    ...options,
  };
}

/** Assumptions about the way controllers apply the roots. */
export function assumptions(roots: readonly RenderedRoot[]): readonly Unknown[] {
  const sentences = new Set(roots.flatMap(({ assumes = [] }) => assumes));
  return [...sentences].map((before) => ({ before, after: '' }));
}

/** A kustomization may rename, label, move and patch objects. Without rendering, only the written object is evaluated. */
export function unrendered(
  manifests: readonly Resource[],
  changedBy: ReadonlyMap<Resource, string | undefined>,
): readonly Unknown[] {
  const changed = manifests.filter((resource) => changedBy.get(resource) !== undefined).length;
  if (changed === 0) return [];
  const before = 'resources that a kustomization changes before they are applied, but that are evaluated as written: ';
  return [{ before, count: changed, after: '; if that matters, render them first' }];
}

function meaningOf(reason: string): string {
  return KNOWN_REASONS[reason]?.meaning ?? reason;
}

function isUnread(reason: string): boolean {
  return KNOWN_REASONS[reason]?.isUnread === true;
}

/** Typed for any text, because a report may hold reasons from another version of Preadmit. */
const KNOWN_REASONS: Readonly<Record<string, SkipReasonEntry>> = SKIP_REASONS;
