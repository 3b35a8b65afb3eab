// Merges the reports of all shards into the report of the unsharded run.
import { append } from '../../go/slices/append.ts';
import { sentencesOf, sumKinds } from '../../policy/evaluation/unknown.ts';
import { UNUSED_ENTRY } from '../baseline/baseline.ts';
import { addUnlisted, NOTHING_UNLISTED } from '../finding/finding-limits.ts';
import type { PolicySummary, Report, ReportedDiagnostic, ShardSummary, TargetSummary } from '../report.ts';
import { mergedAuditAnnotations } from '../tally/audit-annotations.ts';
import { mergedAdditions } from '../tally/cluster-additions.ts';
import { assembleReport } from './assemble.ts';

export interface ShardReport {
  /** File name for messages. */
  readonly name: string;
  readonly report: Report;
}

export type MergeResult = { readonly report: Report } | { readonly problems: readonly string[] };

interface Part extends ShardReport {
  readonly shard: ShardSummary;
}

/** In any order. Rejects missing or duplicate shards, and shards of different runs or versions. */
export function mergeReports(given: readonly ShardReport[]): MergeResult {
  const parts: Part[] = [];
  const problems: string[] = [];
  for (const { name, report } of given) {
    if (report.shard === undefined) problems.push(`\`${name}\` is the report of a whole run, not of a shard`);
    else parts.push({ name, report, shard: report.shard });
  }
  for (const { name, report } of parts) {
    if (report.comparison !== undefined) problems.push(`\`${name}\` compares two states, which cannot be merged`);
  }
  parts.sort((left, right) => left.shard.index - right.shard.index);
  const [first, ...rest] = parts;
  if (first === undefined) return { problems: problems.length > 0 ? problems : ['no report to merge'] };
  for (const part of rest) {
    const difference = differenceBetween(first, part);
    if (difference !== undefined) problems.push(`\`${part.name}\` does not belong to \`${first.name}\`: ${difference}`);
  }
  if (problems.length === 0) append(problems, gapsIn(parts, first.shard.count));
  return problems.length > 0 ? { problems } : { report: merged(first, parts) };
}

function differenceBetween(
  { report: one, shard }: Part,
  { report: other, shard: otherShard }: Part,
): string | undefined {
  if (one.preadmit !== other.preadmit) return `made by preadmit ${other.preadmit}, not ${one.preadmit}`;
  if (shard.count !== otherShard.count) return `one of ${otherShard.count} shards, not of ${shard.count}`;
  if (shard.contents !== otherShard.contents) return 'made from different files or another configuration';
  const outline = ({ verdict, coverage, targets, shard: part }: Report): string =>
    JSON.stringify([
      verdict.failOn,
      verdict.onUndecided,
      coverage.files,
      part?.unknowns.length,
      targets.map(({ name, kubernetesVersion, user, policies }) => [
        name,
        kubernetesVersion,
        user,
        policies.map((policy) => [policy.kind, policy.name, policy.path, policy.bindings]),
      ]),
    ]);
  return outline(one) === outline(other) ? undefined : 'made from different targets or policies';
}

/** `parts`: indexed by shard number. */
function gapsIn(parts: readonly Part[], count: number): readonly string[] {
  const problems: string[] = [];
  const seen = new Map<number, string>();
  for (const { name, shard } of parts) {
    const earlier = seen.get(shard.index);
    if (earlier !== undefined) problems.push(`\`${earlier}\` and \`${name}\` are both shard ${shard.index}/${count}`);
    else if (shard.index < 1 || shard.index > count) problems.push(`\`${name}\` is shard ${shard.index}/${count}`);
    seen.set(shard.index, name);
  }
  const found = [...seen.keys()].filter((index) => index >= 1 && index <= count).length;
  if (found < count) problems.push(`${count - found} of ${count} shards are missing${firstGap(seen, count)}`);
  return problems;
}

function firstGap(seen: ReadonlyMap<number, string>, count: number): string {
  for (let index = 1; index <= Math.min(count, seen.size + 1); index++) {
    if (!seen.has(index)) return `, the first is ${index}/${count}`;
  }
  return '';
}

function merged({ report: { preadmit, verdict, coverage } }: Part, parts: readonly Part[]): Report {
  const reports = parts.map(({ report }) => report);
  const meanings = new Map(
    reports.flatMap((report) => report.coverage.notEvaluated.map(({ reason, meaning }) => [reason, meaning])),
  );
  const report = assembleReport({
    preadmit,
    failOn: verdict.failOn,
    onUndecided: verdict.onUndecided,
    files: coverage.files,
    evaluated: sum(reports.map((report) => report.coverage.evaluated)),
    skipped: reports.flatMap((report) => report.coverage.skipped),
    meaningOf: (reason) => meanings.get(reason) ?? reason,
    targets: mergedTargets(parts),
    findings: reports.flatMap((report) => report.findings),
    unlisted: reports.reduce((sum, { unlisted }) => (unlisted ? addUnlisted(sum, unlisted) : sum), NOTHING_UNLISTED),
    diagnostics: mergedDiagnostics(reports),
  });
  const [sources] = reports.flatMap(({ policySources }) => (policySources === undefined ? [] : [policySources]));
  // Every shard fetches the same.
  const [fetched] = reports.flatMap((each) => (each.fetched === undefined ? [] : [each.fetched]));
  const [repository] = reports.flatMap((each) => each.repository ?? []);
  const ownership = reports.find((each) => each.ownership?.problem !== undefined)?.ownership ?? reports[0]?.ownership;
  return {
    ...report,
    ...(repository !== undefined && { repository }),
    ...(ownership && { ownership }),
    ...(sources && { policySources: sources }),
    ...(fetched && { fetched }),
  };
}

/** A baseline entry is unused only if every shard reports it. */
function mergedDiagnostics(reports: readonly Report[]): readonly ReportedDiagnostic[] {
  const all = reports.flatMap((report) => report.diagnostics);
  const unused = new Map<string, number>();
  const keyOf = ({ message, primary }: ReportedDiagnostic): string =>
    JSON.stringify([message, primary?.path, primary?.startLine, primary?.startColumn]);
  for (const diagnostic of all) {
    if (diagnostic.code !== UNUSED_ENTRY) continue;
    unused.set(keyOf(diagnostic), (unused.get(keyOf(diagnostic)) ?? 0) + 1);
  }
  return all.filter(
    (diagnostic) => diagnostic.code !== UNUSED_ENTRY || unused.get(keyOf(diagnostic)) === reports.length,
  );
}

/** Targets and policies have the same order in every shard. */
function mergedTargets(parts: readonly Part[]): readonly TargetSummary[] {
  const first = parts[0]?.report.targets ?? [];
  return first.map((target, index) => {
    const same = parts.flatMap(({ report }) => report.targets[index] ?? []);
    return {
      ...target,
      evaluated: sum(same.map(({ evaluated }) => evaluated)),
      policies: target.policies.map((policy, place) =>
        mergedPolicy(
          policy,
          same.flatMap(({ policies }) => policies[place] ?? []),
        ),
      ),
      unknowns: sentencesOf(parts.flatMap(({ shard }) => shard.unknowns[index] ?? [])),
      unknownKinds: sumKinds(same.flatMap(({ unknownKinds }) => unknownKinds)),
      ...mergedEffects(same),
    };
  });
}

function mergedEffects(
  same: readonly TargetSummary[],
): Pick<TargetSummary, 'additions' | 'mutatedAway' | 'auditAnnotations'> {
  const additions = mergedAdditions(same.map((target) => target.additions));
  const mutatedAway = same.flatMap((target) => target.mutatedAway ?? []);
  const auditAnnotations = mergedAuditAnnotations(same.map((target) => target.auditAnnotations));
  return {
    ...(additions.length > 0 && { additions }),
    ...(mutatedAway.length > 0 && { mutatedAway }),
    ...(auditAnnotations.length > 0 && { auditAnnotations }),
  };
}

function mergedPolicy(policy: PolicySummary, same: readonly PolicySummary[]): PolicySummary {
  const total = (count: 'matched' | 'denied' | 'warned' | 'audited'): number => sum(same.map((each) => each[count]));
  const undecided = sum(same.map((each) => each.undecided ?? 0));
  return {
    ...policy,
    ...(undecided > 0 && { undecided }),
    matched: total('matched'),
    denied: total('denied'),
    warned: total('warned'),
    audited: total('audited'),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
