// The whole pipeline as one function: texts in, Report out. Pure: it reads nothing and prints nothing.

import { evaluateTarget } from '../engine/evaluate-target.ts';
import { type StageObserver, UNOBSERVED } from '../engine/stages.ts';
import { typedConverter } from '../engine/typed-converter.ts';
import { SKIP_REASONS } from '../inventory/skip-reason.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { formatVersion } from '../kubernetes/version.ts';
import type { Unknown } from '../policy/unknown.ts';
import type { RenderedRoot } from '../render/sources/rendered-root.ts';
import type { BaselineEntry } from '../report/baseline.ts';
import type { Report } from '../report/report.ts';
import { ReportBuilder, type ReportOptions } from '../report/report-builder.ts';
import type { Configuration } from '../settings/configuration.ts';
import { unmatchedGlobs } from '../settings/written-globs.ts';
import { VERSION } from '../version.ts';
import { emptyTarget } from './empty-targets.ts';
import { languagesOf } from './languages.ts';
import { type FoundResource, type ReadOptions, readRepository } from './read-repository.ts';
import { contentsDigest, isInShard, type Shard } from './shard.ts';
import { targetOf } from './targets.ts';

export interface CheckInput extends ReadOptions {
  readonly stages?: StageObserver;
  /** Evaluate only the objects of this shard; what is not about objects is told by the first. */
  readonly shard?: Shard;
  /** Tell which findings a mutating policy takes away: objects that one changes are judged twice. */
  readonly explainsMutations?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  /** As `2026-11-21`; without it nothing expires. */
  readonly today?: string;
}

export function checkState({
  stages = UNOBSERVED,
  shard,
  baseline,
  today = '',
  explainsMutations = false,
  ...input
}: CheckInput): Report {
  const { files, configuration } = input;
  const content = readRepository(input, stages);
  const report = new ReportBuilder(reportOptions(configuration, { today, ...(baseline && { baseline }) }));
  report.addDiagnostics(content.diagnostics);
  if (shard === undefined || shard.index === 1) for (const entry of content.skipped) report.addSkipped(entry);
  const isOurs = ({ resource }: FoundResource): boolean => shard === undefined || isInShard(resource, shard);

  report.addDiagnostics(unmatchedGlobs(configuration.globs, input.paths));
  const changedBy = new Map(content.resources.map((found) => [found.resource, found.changedBy]));
  const taken = new Set<FoundResource>();
  for (const configured of configuration.targets) {
    const target = { ...targetOf(configured, content.resources, taken, isOurs), explainsMutations };
    const whole = shard === undefined ? target : targetOf(configured, content.resources, new Set(), () => true);
    report.addDiagnostics(emptyTarget(configured, whole, languagesOf(configured)));
    const converter = typedConverter(target);
    const evaluation = evaluateTarget(target, languagesOf(configured), converter, stages, (evaluated) => {
      report.addEvaluated(evaluated, target.name, changedBy.get(evaluated.resource));
    });
    report.addDiagnostics(evaluation.diagnostics);
    for (const { resource, reason, detail } of evaluation.unevaluated) report.addUnevaluated(resource, reason, detail);
    report.addTarget({
      name: target.name,
      kubernetesVersion: formatVersion(target.kubernetesVersion),
      user: target.userInfo.username,
      policies: evaluation.policies,
      unknowns: [
        ...evaluation.unknowns.sentences(),
        ...unrendered(target.manifests, changedBy),
        ...assumptions(content.roots),
      ],
      unknownKinds: evaluation.unknowns.kinds(),
    });
  }
  for (const found of content.resources) {
    if (found.selected && !taken.has(found) && isOurs(found)) report.addUnevaluated(found.resource, 'no-target', '');
  }
  const read = files.filter(({ selected }) => selected).length;
  return report.build(read, shard && { ...shard, contents: contentsDigest(files, configuration) });
}

export function reportOptions(
  { failOn, suppressions, exceptionsFrom }: Pick<Configuration, 'failOn' | 'suppressions' | 'exceptionsFrom'>,
  options: Pick<ReportOptions, 'baseline' | 'today'>,
): ReportOptions {
  return { preadmit: VERSION, failOn, suppressions, exceptionsFrom, meaningOf, ...options };
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
  const known: Readonly<Record<string, { readonly meaning: string }>> = SKIP_REASONS;
  return known[reason]?.meaning ?? reason;
}
