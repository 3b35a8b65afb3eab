// One audit issue for each owner: opened, updated and closed like the issue of the whole repository.
import { escapeMarkdown } from '../diagnostic/markdown.ts';
import type { Report } from '../report/report.ts';
import type { AuditPageOptions } from './audit-body.ts';
import { openAuditKeys, publishAudit } from './audit-issue.ts';
import type { Client } from './client.ts';
import type { EventContext } from './event.ts';
import type { Log } from './log.ts';

/** The parts of an audit by owner. */
export interface OwnerParts {
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
  { owners, partOf }: OwnerParts,
  { mentions, log, ...options }: OwnerIssueOptions,
): Promise<void> {
  const start = `${options.key}${SEPARATOR}`;
  const open = await openAuditKeys(client, context, start);
  const known = new Set(owners.map(keyOf));
  const left = open.map((key) => key.slice(start.length)).filter((owner) => !known.has(keyOf(owner)));
  const all = [...owners.slice(0, MAX_OWNERS), ...left.slice(0, MAX_OWNERS)];
  const rest = owners.length + left.length - all.length;
  if (rest > 0) log.warning(`a run updates a limited number of issues of owners; not updated: ${rest}`);
  for (const owner of all) {
    const part = partOf(owner);
    await publishAudit(client, context, part, {
      ...options,
      key: `${start}${owner}`,
      above: `Owner: ${ownerWords(owner, mentions)}\n\n`,
    });
  }
}

/** Mentions only texts in the form of a GitHub name. All other text of the repository is escaped. */
function ownerWords(owner: string, mentions: boolean): string {
  return mentions && GITHUB_NAME.test(owner) ? owner : escapeMarkdown(owner);
}

function keyOf(owner: string): string {
  return owner.toLowerCase();
}
