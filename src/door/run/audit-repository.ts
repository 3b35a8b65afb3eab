// Audits a repository on disk: the report of a check of everything, with the sections of an audit.
import { parseReleases, releaseSteps } from '../../pipeline/check/release-steps.ts';
import { checkReleases } from '../../pipeline/check-releases.ts';
import { type CheckInput, checkState } from '../../pipeline/check-state.ts';
import { candidatePolicies } from '../../pipeline/compare/candidate-policies.ts';
import { type Upgrades, upgradesOf } from '../../report/audit/upgrades.ts';
import type { Report } from '../../report/report.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { askRepository, type CheckOptions, type CheckResult, withRun } from './check-repository.ts';

export interface AuditOptions {
  /** Format `2026-11-24`. */
  readonly day: string;
  /** `current`, `next`, `next+1` or versions; the first one is that of the report. Empty: no comparison. */
  readonly releases: readonly string[];
}

/** Throws WorkspaceError if something cannot be read, or for a release that does not exist. */
export async function auditRepository(options: CheckOptions, { day, releases }: AuditOptions): Promise<CheckResult> {
  const parsed = parseReleases(releases);
  if ('problem' in parsed) throw new WorkspaceError('bad-version', parsed.problem);
  const asked = await askRepository(options, (input, _, { hosts, candidates }) => {
    const { report, upgrades } = auditState(input, parsed.releases);
    const whatIf = candidates.length === 0 ? undefined : candidatePolicies(input, candidates);
    const audit = { day, ...(upgrades && { upgrades }), ...(whatIf && { whatIf }) };
    return { ...withRun(report, input, hosts), audit };
  });
  return 'stopped' in asked ? asked.stopped : { report: asked.answer, unusable: false };
}

function auditState(
  input: CheckInput,
  releases: Parameters<typeof releaseSteps>[1],
): { readonly report: Report; readonly upgrades?: Upgrades } {
  const { known: steps, unknown } = releaseSteps(input.configuration, releases);
  const [current] = steps;
  if (current === undefined) return { report: checkState(input) };
  const report = checkState({ ...input, configuration: current.configuration });
  const { explainsMutations: _, ...plain } = input;
  const comparison = checkReleases(plain, { steps, first: report });
  return { report, upgrades: upgradesOf(comparison, report.diagnostics, unknown) };
}
