// One audit issue for each owner: opened, updated and closed like the issue of the whole repository.
import { escapeMarkdown } from '../diagnostic/markdown.ts';
import type { Report } from '../report/report.ts';
import type { AuditPageOptions } from './audit-body.ts';
import { openAudits, publishAudit, replaceAudits } from './audit-issue.ts';
import { isClean } from './audit-trend.ts';
import type { Client } from './client.ts';
import type { EventContext } from './event.ts';
import type { Log } from './log.ts';

/** The parts of an audit by owner. */
export interface OwnerParts {
  readonly whole: Report;
  /** Owners of findings and problems, sorted. */
  readonly owners: readonly string[];
  /** The part with its own verdict; empty for an owner without findings and problems. */
  partOf(owner: string): Report;
}

export interface OwnerIssueOptions extends AuditPageOptions {
  /** Whether the issue mentions the owner, which notifies a team. */
  readonly mentions: boolean;
  readonly log: Log;
}

/** GitHub limits requests that create content. */
const MAX_OWNERS = 50;
const SEPARATOR = ' · ';
const GITHUB_NAME = /^@[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\/[A-Za-z0-9._-]{1,100})?$/;

/** Throws the client's errors. Also updates the issues of owners without remaining findings, which closes them. */
export async function publishOwnerAudits(
  client: Client,
  context: EventContext,
  { whole, owners, partOf }: OwnerParts,
  { mentions, log, ...options }: OwnerIssueOptions,
): Promise<void> {
  const start = `${options.key}${SEPARATOR}`;
  const openIssues = (): Promise<ReadonlyMap<string, number>> => openAudits(client, context, isOfOwner(start));
  const open = [...(await openIssues()).keys()];
  const known = new Set(owners.map(keyOf));
  const left = open.map((key) => key.slice(start.length)).filter((owner) => !known.has(keyOf(owner)));
  const all = [...owners.slice(0, MAX_OWNERS), ...left.slice(0, MAX_OWNERS)];
  const rest = owners.length + left.length - all.length;
  if (rest > 0) log.warning(`a run updates the issues of at most ${MAX_OWNERS} owners; ${rest} were not updated`);
  for (const owner of all) {
    const part = partOf(owner);
    await publishAudit(client, context, part, {
      ...options,
      key: `${start}${owner}`,
      above: `Owner: ${ownerWords(owner, mentions)}\n\n`,
    });
  }
  // A run that leaves owners without an issue must not close the issue of all.
  if (rest > 0) return;
  const now = [...(await openIssues()).values()];
  if (now.length > 0) {
    await replaceAudits(
      client,
      context,
      [options.key],
      `The findings are now in one issue for each owner: ${numbers(now)}.`,
    );
  } else if (isClean(whole)) {
    await replaceAudits(client, context, [options.key], 'No findings are left.');
  }
}

/** The issue of the whole repository, instead of those of owners. Throws the client's errors. */
export async function publishWholeAudit(
  client: Client,
  context: EventContext,
  report: Report,
  options: AuditPageOptions,
): Promise<void> {
  await publishAudit(client, context, report, options);
  const owners = [...(await openAudits(client, context, isOfOwner(`${options.key}${SEPARATOR}`))).keys()];
  if (owners.length === 0) return;
  const [number] = (await openAudits(client, context, (key) => key === options.key)).values();
  if (number !== undefined) {
    await replaceAudits(
      client,
      context,
      owners,
      `The findings of all owners are now in one issue: ${numbers([number])}.`,
    );
  } else if (isClean(report)) {
    await replaceAudits(client, context, owners, 'No findings are left.');
  }
}

/** Another job may have a name that starts in the same way, but its issue names no owner. */
function isOfOwner(start: string): (key: string, body: string) => boolean {
  return (key, body) => key.startsWith(start) && /^Owner: /m.test(body);
}

function numbers(issues: readonly number[]): string {
  const shown = issues.slice(0, MAX_OWNERS).map((number) => `#${number}`);
  return [...shown, ...(issues.length > MAX_OWNERS ? [`and ${issues.length - MAX_OWNERS} more`] : [])].join(', ');
}

/** Mentions only texts in the form of a GitHub name. All other text of the repository is escaped. */
function ownerWords(owner: string, mentions: boolean): string {
  return mentions && GITHUB_NAME.test(owner) ? owner : escapeMarkdown(owner);
}

function keyOf(owner: string): string {
  return owner.toLowerCase();
}
