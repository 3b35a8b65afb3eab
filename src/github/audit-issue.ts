// Maintains the issue of a scheduled audit: opens or reopens it while findings remain, updates it, and closes it when none is left.
import type { Report } from '../report/report.ts';
import { type AuditMemory, type AuditPageOptions, auditBody, auditTitle, memoryIn } from './audit-body.ts';
import { isClean } from './audit-trend.ts';
import type { Client } from './client.ts';
import type { EventContext } from './event.ts';
import { MARKER_END, markedKey, marker, sameText } from './marker.ts';
import { viewerLogin } from './viewer.ts';
import { SEND_ONCE, writeOnce } from './write-once.ts';

/** The label that the issue is searched by. */
const AUDIT_LABEL = 'preadmit';

interface Issue {
  readonly number: number;
  readonly body: string;
  readonly isOpen: boolean;
}

interface Where {
  readonly owner: string;
  readonly repo: string;
}

const PER_PAGE = 100;
const MAX_PAGES = 10;

/** Throws the client's errors; status 410: the repository has no issues. */
export async function publishAudit(
  client: Client,
  context: EventContext,
  report: Report,
  options: AuditPageOptions,
): Promise<void> {
  const where = { owner: context.repository.owner, repo: context.repository.name };
  const login = await viewerLogin(client);
  const find = (): Promise<Issue | undefined> => ownIssue(client, where, login, options.key);
  const issue = await find();
  const clean = isClean(report);
  if (clean && (issue === undefined || !issue.isOpen)) return;
  const body = auditBody(report, issue === undefined ? { points: [] } : memoryOf(issue, options.key), options);
  const title = auditTitle(options.key, report);
  const wanted = { title, body, state: clean ? 'closed' : 'open' } as const;
  await writeOnce({
    send: async () => {
      if (issue === undefined) {
        await client.rest.issues.create({ ...where, title, body, labels: [AUDIT_LABEL], ...SEND_ONCE });
      } else {
        await client.rest.issues.update({ ...where, issue_number: issue.number, ...wanted, ...SEND_ONCE });
      }
      return true;
    },
    find: async () => {
      const now = await find();
      return (sameText(now?.body, body) && now?.isOpen === !clean) || undefined;
    },
  });
  if (issue === undefined || issue.isOpen === !clean) return;
  const words = clean ? 'No findings are left.' : 'There are findings.';
  await note(client, { ...where, issue_number: issue.number }, login, context, words);
}

/** Closes the audit issues of these keys that are open, because other issues take their place. `words`: Markdown for a comment. */
export async function replaceAudits(
  client: Client,
  context: EventContext,
  keys: readonly string[],
  words: string,
): Promise<void> {
  const where = { owner: context.repository.owner, repo: context.repository.name };
  const login = await viewerLogin(client);
  for (const key of keys) {
    const find = (): Promise<Issue | undefined> => ownIssue(client, where, login, key);
    const issue = await find();
    if (issue === undefined || !issue.isOpen) continue;
    const place = { ...where, issue_number: issue.number };
    // The comment comes first: if the run ends between the two, the next one finds the issue open.
    await note(client, place, login, context, words);
    await writeOnce({
      send: async () => {
        await client.rest.issues.update({ ...place, state: 'closed', ...SEND_ONCE });
        return true;
      },
      find: async () => (await find())?.isOpen === false || undefined,
    });
  }
}

/** Many audits may have passed since the issue was closed. */
function memoryOf({ body, isOpen }: Issue, key: string): AuditMemory {
  const memory = memoryIn(body, key);
  return isOpen ? memory : { points: memory.points };
}

/** Comments once per run why the issue was closed or reopened. */
async function note(
  client: Client,
  where: Where & { readonly issue_number: number },
  login: string,
  { runKey, runUrl }: EventContext,
  words: string,
): Promise<void> {
  const mark = `${marker('audit-note', runKey)}${MARKER_END}`;
  await writeOnce({
    send: async () => {
      const body = `${mark}\n${words} [Workflow run](${runUrl})\n`;
      await client.rest.issues.createComment({ ...where, body, ...SEND_ONCE });
      return true;
    },
    find: async () => {
      for (let page = 1; page <= MAX_PAGES; page++) {
        const { data } = await client.rest.issues.listComments({ ...where, per_page: PER_PAGE, page });
        if (data.some(({ body, user }) => user?.login === login && body?.startsWith(mark) === true)) return true;
        if (data.length < PER_PAGE) return undefined;
      }
      return undefined;
    },
  });
}

/** Open audit issues, with their numbers. */
export async function openAudits(
  client: Client,
  { repository }: EventContext,
  isMeant: (key: string, body: string) => boolean,
): Promise<ReadonlyMap<string, number>> {
  const where = { owner: repository.owner, repo: repository.name };
  const login = await viewerLogin(client);
  const open = new Map<string, number>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { ...where, labels: AUDIT_LABEL, state: 'open', sort: 'created', direction: 'asc' } as const;
    const { data } = await client.rest.issues.listForRepo({ ...query, per_page: PER_PAGE, page });
    for (const { number, body, user, pull_request: pull } of data) {
      const key = pull === undefined && user?.login === login ? markedKey('audit', body ?? '') : undefined;
      if (key !== undefined && !open.has(key) && isMeant(key, body ?? '')) open.set(key, number);
    }
    if (data.length < PER_PAGE) break;
  }
  return open;
}

async function ownIssue(client: Client, where: Where, login: string, key: string): Promise<Issue | undefined> {
  const start = `${marker('audit', key)} `;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { ...where, labels: AUDIT_LABEL, state: 'all', sort: 'created', direction: 'asc' } as const;
    const { data } = await client.rest.issues.listForRepo({ ...query, per_page: PER_PAGE, page });
    for (const { number, body, state, user, pull_request: pull } of data) {
      if (pull === undefined && user?.login === login && body?.startsWith(start) === true) {
        return { number, body, isOpen: state === 'open' };
      }
    }
    if (data.length < PER_PAGE) return undefined;
  }
  return undefined;
}
