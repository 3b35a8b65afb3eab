// Maintains one comment on a pull request: finds it by marker and author, updates it in place, and removes it when it is not needed.
import type { Client } from './client.ts';
import type { EventContext } from './event.ts';
import { MARKER_END, marker, sameText } from './marker.ts';
import { viewerLogin } from './viewer.ts';
import { SEND_ONCE, writeOnce } from './write-once.ts';

export interface StickyComment {
  readonly key: string;
  /** Undefined: remove the comment. */
  readonly body: string | undefined;
}

interface Found {
  readonly id: number;
  readonly body: string;
}

const PER_PAGE = 100;
const MAX_PAGES = 30;

/** Throws the client's errors. Editing notifies no one; unchanged comments are not written. */
export async function publishComment(
  client: Client,
  context: EventContext & { readonly pullRequest: number },
  { key, body }: StickyComment,
): Promise<void> {
  const { owner, name: repo } = context.repository;
  const where = { owner, repo, issue_number: context.pullRequest };
  const login = await viewerLogin(client);
  const mark = `${marker('comment', key)}${MARKER_END}`;
  const list = (): Promise<readonly Found[]> => ownComments(client, where, login, mark);
  const [current, ...extra] = await list();
  // Two concurrent runs may both have created a comment.
  for (const { id } of body === undefined && current !== undefined ? [current, ...extra] : extra) {
    await writeOnce({
      send: async () => {
        await client.rest.issues.deleteComment({ owner, repo, comment_id: id, ...SEND_ONCE });
        return true;
      },
      find: async () => (await list()).every((other) => other.id !== id) || undefined,
    });
  }
  if (body === undefined || sameText(current?.body, body)) return;
  await writeOnce({
    send: async () => {
      if (current === undefined) await client.rest.issues.createComment({ ...where, body, ...SEND_ONCE });
      else await client.rest.issues.updateComment({ owner, repo, comment_id: current.id, body, ...SEND_ONCE });
      return true;
    },
    find: async () => (await list()).some((other) => sameText(other.body, body)) || undefined,
  });
}

async function ownComments(
  client: Client,
  where: { readonly owner: string; readonly repo: string; readonly issue_number: number },
  login: string,
  mark: string,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await client.rest.issues.listComments({ ...where, per_page: PER_PAGE, page });
    for (const { id, body = '', user } of data) {
      if (user?.login === login && body.startsWith(mark)) found.push({ id, body });
    }
    if (data.length < PER_PAGE) break;
  }
  return found;
}
