// Adds the audit of a workflow run to its history, and writes its page.
import { join, resolve } from 'node:path';
import { createClient } from '../../github/client.ts';
import type { EventContext } from '../../github/event.ts';
import { explainRefusal } from '../../github/explain-refusal.ts';
import { extendRemoteHistory } from '../../github/history-branch.ts';
import type { ActionInputs } from '../../github/inputs.ts';
import type { Log } from '../../github/log.ts';
import type { OwnerParts } from '../../github/owner-issues.ts';
import { ownerVerdict } from '../../report/builder/owner-verdict.ts';
import type { AuditStamp } from '../../report/history/audit-line.ts';
import type { FoldedHistory } from '../../report/history/fold-history.ts';
import { withHistory } from '../../report/history/with-history.ts';
import { ownersIn } from '../../report/owner/owner-part.ts';
import type { Report } from '../../report/report.ts';
import { SITE_FILES, writeSite } from '../cli/command/report-command.ts';
import {
  AddedAudit,
  historyOf,
  type LocalHistory,
  type RecordedAudit,
  recordAudit,
  withNote,
} from '../run/audit-history.ts';
import type { CheckOptions } from '../run/check-repository.ts';

export interface AuditRun {
  readonly inputs: ActionInputs;
  readonly context: EventContext;
  readonly options: CheckOptions;
  readonly workspace: string;
  readonly log: Log;
  /** Format `2026-11-21`. */
  readonly today: string;
  /** `2026-11-21T05:17:00Z` */
  readonly moment: string;
}

export interface RecordedReport {
  /** With its history, if there is one. */
  readonly report: Report;
  readonly history?: FoldedHistory;
}

/** True if the run is about the whole repository at the newest commit of the default branch. */
export function isAuditOf({ isDefaultBranch, pullRequest }: EventContext): boolean {
  return isDefaultBranch && pullRequest === undefined;
}

/** Only for the whole repository at the newest commit of the default branch: a pull request neither reads nor writes the history. */
export async function recordRun(report: Report, run: AuditRun): Promise<RecordedReport> {
  const { context, inputs, options, workspace, today, moment, log } = run;
  if (
    !isAuditOf(context) ||
    report.comparison !== undefined ||
    report.shard !== undefined ||
    report.unusable !== undefined
  )
    return { report };
  const place = await historyOf(
    inputs.history,
    { ...options, directory: inputs.history === undefined ? options.directory : workspace },
    inputs.checkName,
  );
  if (place === undefined) return { report };
  const stamp = {
    audit: [context.runKey, ...(context.jobKey === undefined ? [] : [context.jobKey])].join('/'),
    at: moment,
    commit: context.headSha,
  };
  const recorded = await (place.location.branch === undefined
    ? recordAudit(report, place, stamp)
    : recordOnGithub(report, place.location.branch, place, stamp, run));
  if (recorded.problem !== undefined) log.warning(`this audit is not in the history: ${recorded.problem}`);
  const { history } = recorded;
  return history === undefined ? { report } : { report: withHistory(report, history, { today }), history };
}

async function recordOnGithub(
  report: Report,
  branch: string,
  { nameInBranch }: LocalHistory,
  stamp: AuditStamp,
  { inputs: { token }, context, log }: AuditRun,
): Promise<RecordedAudit> {
  if (token === undefined) return { problem: 'the input `token` is empty' };
  const { owner, name: repo } = context.repository;
  const added = new AddedAudit(report, stamp);
  try {
    await extendRemoteHistory(createClient(token, log), { owner, repo, branch, file: nameInBranch }, added);
    return added.history === undefined ? {} : { history: added.history };
  } catch (error) {
    const problem = explainRefusal(error, context, { what: 'contents', permission: 'contents: write' });
    return { ...(added.history && { history: withNote(added.history, problem) }), problem };
  }
}

/** The report of each owner's issue, with a verdict of its own. `listed` is only for `--owner`, which keeps the verdict of all. */
export function ownerParts({ report, history }: RecordedReport, today: string): OwnerParts {
  const { notRendered, incomplete, unread } = report.verdict;
  const mayHide = notRendered + incomplete + unread > 0 && report.verdict.failOn !== 'never';
  return {
    whole: report,
    owners: ownersIn(report),
    partOf: (owner) => {
      const own = ownerVerdict(report, owner);
      const { listed: _, ...part } = history === undefined ? own : withHistory(own, history, { today });
      // The history lists the findings that could not be judged again. Without a history, any gap may hide findings.
      return history === undefined && mayHide && part.verdict.conclusion === 'allowed'
        ? { ...part, verdict: { ...part.verdict, conclusion: 'undecided' } }
        : part;
    },
  };
}

/** The files of the page, relative to the workspace; none without the input `site`. */
export function siteFiles({ site }: ActionInputs): readonly { readonly path: string }[] {
  return site === undefined ? [] : SITE_FILES.map((name) => ({ path: join(site, name) }));
}

/** Does nothing without the input `site`. */
export async function writePage(
  { report, history }: RecordedReport,
  { inputs, workspace, today, log }: AuditRun,
): Promise<void> {
  if (inputs.site === undefined || report.shard !== undefined) return;
  const path = await writeSite(resolve(workspace, inputs.site), report, history, today);
  log.info(`the page of the audit is ${path}`);
}
