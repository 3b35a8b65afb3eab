// Publishes a Report: job summary, check-run, comments, issue, and annotations in the log if there is no check-run.

import { openDiagnostics, openFindings } from '../report/baseline/excuse.ts';
import { github } from '../report/format/annotation/github.ts';
import { renderMarkdown } from '../report/format/markdown/markdown.ts';
import { isShown } from '../report/gate/repeated.ts';
import type { Finding, Report, ReportedDiagnostic, Verdict } from '../report/report.ts';
import { cutToBytes } from '../report/wording/cut-text.ts';
import { reviewHeading } from '../report/wording/review-heading.ts';
import { count, isBadNews } from '../report/wording/wording.ts';
import { annotatable, annotationsOf, type ShownPlaces } from './annotation.ts';
import { type CheckRunContent, publishCheckRun } from './check-run.ts';
import { type Client, createClient, statusOf, type TimeLimits } from './client.ts';
import { commentBody } from './comment-body.ts';
import type { EventContext, StepEnvironment } from './event.ts';
import { explainRefusal, type Wanted } from './explain-refusal.ts';
import type { ActionInputs } from './inputs.ts';
import type { Log } from './log.ts';
import { writeSummary } from './outputs.ts';
import { type OwnerParts, publishOwnerAudits, publishWholeAudit } from './owner-issues.ts';
import { publishComment } from './sticky-comment.ts';
import { publishSuggestions } from './suggestions.ts';

export interface PublishOptions
  extends ShownPlaces,
    Pick<
      ActionInputs,
      | 'token'
      | 'checkRun'
      | 'checkName'
      | 'annotations'
      | 'maxAnnotations'
      | 'summary'
      | 'comment'
      | 'suggest'
      | 'auditIssue'
      | 'auditMentions'
      | 'siteUrl'
    > {
  readonly environment: StepEnvironment;
  readonly log: Log;
  /** For `audit-issue: per-owner`. */
  readonly ownerParts?: OwnerParts;
  /** E.g. `2026-11-21`; for the trend of the audit. */
  readonly today: string;
  /** Names of the last audits of the history, newest last; absent: the audit has no history. */
  readonly knownAudits?: ReadonlySet<string>;
  /** Of all requests; see createClient. */
  readonly timeLimits?: TimeLimits;
}

export interface PublishResult {
  readonly summary: boolean;
  readonly checkRunUrl?: string;
  /** Why a requested check-run is missing; already logged. */
  readonly checkRunFailure?: string;
  /** True if a required check-run is missing: the step must fail. */
  readonly failed: boolean;
}

const MAX_CHECK_SUMMARY_BYTES = 65_535;
const MAX_CHECK_TITLE_BYTES = 255;

const CONCLUSIONS: Record<Verdict['conclusion'], CheckRunContent['conclusion']> = {
  allowed: 'success',
  denied: 'failure',
  undecided: 'failure',
  'nothing-checked': 'failure',
};

export async function publish(report: Report, context: EventContext, options: PublishOptions): Promise<PublishResult> {
  const { token, log, timeLimits } = options;
  const client = token === undefined ? undefined : createClient(token, log, timeLimits);
  const result = await publishResult(report, context, options, client);
  await publishTexts(report, context, options, client);
  return result;
}

async function publishResult(
  report: Report,
  context: EventContext,
  options: PublishOptions,
  client: Client | undefined,
): Promise<PublishResult> {
  const { log } = options;
  const annotated = annotatable(report, options);
  const summary = options.summary && (await trySummary(report, context, options));
  if (options.checkRun === 'never') {
    if (options.annotations === 'auto' || options.annotations === 'log') logAnnotations(annotated, options);
    return { summary, failed: false };
  }
  const outcome = await tryCheckRun(report, context, options, client);
  const inLog = options.annotations === 'log' || (options.annotations === 'auto' && outcome.checkRunUrl === undefined);
  if (outcome.failure !== undefined) {
    log.info(`check-run failed: ${outcome.failure}${inLog ? '; annotations are in the log and the job summary' : ''}`);
  }
  if (inLog) logAnnotations(annotated, options);
  return {
    summary,
    ...(outcome.checkRunUrl !== undefined && { checkRunUrl: outcome.checkRunUrl }),
    ...(outcome.failure !== undefined && { checkRunFailure: outcome.failure }),
    failed: outcome.failure !== undefined && options.checkRun === 'always',
  };
}

/** A failure here must not affect the rest of the publication. */
async function trySummary(report: Report, context: EventContext, options: PublishOptions): Promise<boolean> {
  const { environment, log } = options;
  try {
    return await writeSummary(report, pageOf(report, context, options), environment);
  } catch (error) {
    log.warning(`the job summary cannot be written (${error instanceof Error ? error.message : String(error)})`);
    return false;
  }
}

/** Publishes the comment, suggestions and audit issue. Failures are only logged. */
async function publishTexts(
  report: Report,
  context: EventContext,
  options: PublishOptions,
  client: Client | undefined,
): Promise<void> {
  const { log, checkName: key, comment: mode, suggest, auditIssue, today, siteUrl, knownAudits } = options;
  const page = { key, ...pageOf(report, context, options) };
  const { pullRequest } = context;
  const commentKey = [key, ...(context.jobKey === undefined ? [] : [context.jobKey])].join('/');
  const attempt = async (
    what: string,
    wanted: Wanted,
    write: (client: Client) => Promise<void>,
    say = log.info,
  ): Promise<void> => {
    try {
      if (client === undefined) say(`no ${what}: the input \`token\` is empty`);
      else await write(client);
    } catch (error) {
      const disabled = statusOf(error) === 410;
      say(
        `no ${what}: ${disabled ? 'issues are disabled in this repository' : explainRefusal(error, context, wanted)}`,
      );
    }
  };
  if (mode !== 'never' && pullRequest !== undefined) {
    const isWanted = mode === 'always' || report.verdict.conclusion !== 'allowed' || isBadNews(report);
    const body = isWanted ? commentBody(report, { ...page, key: commentKey }) : undefined;
    await attempt('comment', { what: 'comments', permission: 'pull-requests: write' }, (client) =>
      publishComment(client, { ...context, pullRequest }, { key: commentKey, body }),
    );
  }
  // Without a comparison there are no suggestions to make, so existing ones stay.
  const { suggestions } = report;
  if (suggest && pullRequest !== undefined && suggestions !== undefined) {
    await attempt('suggestions', { what: 'reviews', permission: 'pull-requests: write' }, async (client) => {
      const where = { ...context, pullRequest };
      for (const note of await publishSuggestions(client, where, { key: commentKey, suggestions })) log.info(note);
    });
  }
  // The audit covers the whole repository, but a comparison covers only the change.
  if (auditIssue && context.isDefaultBranch && report.comparison === undefined) {
    const { ownerParts, auditMentions: mentions } = options;
    const about = {
      ...page,
      today,
      ...(siteUrl !== undefined && { siteUrl }),
      ...(knownAudits && { knownAudits }),
    };
    // The log of a scheduled run is seldom read, so an issue that was asked for and is missing is a warning.
    await attempt(
      'audit issue',
      { what: 'issues', permission: 'issues: write' },
      (client) =>
        auditIssue === 'per-owner' && ownerParts !== undefined
          ? publishOwnerAudits(client, context, ownerParts, { ...about, mentions, log })
          : publishWholeAudit(client, context, report, about),
      log.warning,
    );
  }
}

interface CheckRunOutcome {
  readonly checkRunUrl?: string;
  readonly failure?: string;
}

async function tryCheckRun(
  report: Report,
  context: EventContext,
  options: PublishOptions,
  client: Client | undefined,
): Promise<CheckRunOutcome> {
  if (client === undefined) return { failure: 'the input `token` is empty' };
  try {
    const run = await publishCheckRun(client, context, contentOf(report, context, options));
    return { checkRunUrl: run.url ?? context.runUrl };
  } catch (error) {
    return { failure: explainRefusal(error, context, { what: 'checks', permission: 'checks: write' }) };
  }
}

function contentOf(report: Report, context: EventContext, options: PublishOptions): CheckRunContent {
  const wanted = options.annotations === 'auto' || options.annotations === 'check';
  const annotations = wanted ? annotationsOf(annotatable(report, options), options.maxAnnotations) : [];
  const counts = (each: Finding | ReportedDiagnostic): boolean => isShown(each, report.verdict);
  const shown =
    openFindings(report.findings).filter(counts).length + openDiagnostics(report.diagnostics).filter(counts).length;
  const rest = shown - annotations.length;
  const lastWords = [
    `attempt ${context.runKey}`,
    ...(wanted && rest > 0 ? [`${count(rest, 'finding')} without annotation`] : []),
  ];
  const heading = reviewHeading(report).replaceAll('`', '');
  return {
    name: options.checkName,
    conclusion: conclusionOf(report),
    title: cutToBytes(heading.slice(0, 1).toUpperCase() + heading.slice(1), MAX_CHECK_TITLE_BYTES),
    summary: renderMarkdown(report, {
      ...pageOf(report, context, options),
      maxBytes: MAX_CHECK_SUMMARY_BYTES,
      lastWords,
    }),
    annotations,
  };
}

/** A changed rule with new findings gives `neutral`: it needs attention but must not block the change. */
function conclusionOf(report: Report): CheckRunContent['conclusion'] {
  const { conclusion, onUndecided } = report.verdict;
  if (conclusion === 'undecided' && onUndecided === 'warn') return 'neutral';
  return conclusion === 'allowed' && isBadNews(report) ? 'neutral' : CONCLUSIONS[conclusion];
}

/** URLs of the files of both commits; lines are linked as `<url>/<path>#L<line>`. */
function pageOf(report: Report, { repository, headSha, baseName, runUrl }: EventContext, { lost }: ShownPlaces) {
  const files = `${new URL(runUrl).origin}/${repository.owner}/${repository.name}/blob`;
  const base = report.comparison?.base;
  const isCommit = base !== undefined && /^[0-9a-f]{40,64}$/.test(base);
  return {
    runUrl,
    blobUrl: `${files}/${headSha}`,
    baseBlobUrl: isCommit ? `${files}/${base}` : undefined,
    baseName,
    lost,
  };
}

function logAnnotations(report: Report, { log }: PublishOptions): void {
  log.commands(github.render(report, { color: false, width: 100, showSkipped: false, quiet: true }));
}
