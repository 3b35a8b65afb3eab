// A history in a branch on GitHub, through the Git data API: a commit for each audit, never a forced update.
import { type Client, statusOf } from './client.ts';
import { GithubError } from './github-error.ts';

export interface RemoteHistory {
  readonly owner: string;
  readonly repo: string;
  readonly branch: string;
  /** Name of the file in the branch. */
  readonly file: string;
}

/** The caller's operations on the text of a history. Only the caller knows the format of its lines. */
export interface RemoteHistoryText {
  /** See workspace/history/history-text.ts. */
  readonly lineFor: (text: string) => string | undefined;
  readonly appended: (text: string, line: string) => string;
  readonly compacted: (text: string) => string | undefined;
  readonly joined: (one: string, other: string) => string;
}

const ATTEMPTS = 6;
const MAX_BYTES = 64 * 1024 * 1024;

interface BranchState {
  readonly text: string;
  readonly tip: string | undefined;
  readonly tree: string | undefined;
}

/** Throws the client's errors; the last one if the branch cannot be moved. */
export async function extendRemoteHistory(
  client: Client,
  where: RemoteHistory,
  history: RemoteHistoryText,
): Promise<void> {
  let before = '';
  let reason: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = await read(client, where);
    // A forced push between two attempts removes no line that was read.
    const text = before === '' ? state.text : history.joined(state.text, before);
    before = text;
    const line = history.lineFor(text);
    if (line === undefined) return;
    const added = history.appended(text, line);
    reason = await write(client, where, history.compacted(added) ?? added, state);
    if (reason === undefined) return;
  }
  throw reason;
}

async function read(client: Client, { owner, repo, branch, file }: RemoteHistory): Promise<BranchState> {
  const where = { owner, repo };
  const tip = await client.rest.git
    .getRef({ ...where, ref: `heads/${branch}` })
    .then(({ data }) => data.object.sha)
    .catch((error: unknown) => {
      // 409: the repository has no commit.
      if (statusOf(error) === 404 || statusOf(error) === 409) return undefined;
      throw error;
    });
  if (tip === undefined) return { text: '', tip, tree: undefined };
  const tree = (await client.rest.git.getCommit({ ...where, commit_sha: tip })).data.tree.sha;
  const entries = (await client.rest.git.getTree({ ...where, tree_sha: tree })).data.tree;
  const entry = entries.find(({ path, type }) => path === file && type === 'blob');
  if (entry?.sha === undefined) return { text: '', tip, tree };
  if ((entry.size ?? 0) > MAX_BYTES) {
    throw new GithubError('history-too-large', `the history in the branch \`${branch}\` is larger than 64 MiB`);
  }
  const { content, encoding } = (await client.rest.git.getBlob({ ...where, file_sha: entry.sha })).data;
  return { text: encoding === 'base64' ? Buffer.from(content, 'base64').toString('utf8') : content, tip, tree };
}

/** Returns the error if another run has moved the branch, or if GitHub's answer was lost: the caller then reads again. */
async function write(
  client: Client,
  { owner, repo, branch, file }: RemoteHistory,
  text: string,
  { tip, tree }: BranchState,
): Promise<unknown> {
  const where = { owner, repo };
  const content = Buffer.from(text, 'utf8').toString('base64');
  const blob = (await client.rest.git.createBlob({ ...where, content, encoding: 'base64' })).data.sha;
  const made = await client.rest.git.createTree({
    ...where,
    ...(tree !== undefined && { base_tree: tree }),
    tree: [{ path: file, mode: '100644', type: 'blob', sha: blob }],
  });
  const commit = await client.rest.git.createCommit({
    ...where,
    message: 'Add an audit',
    tree: made.data.sha,
    parents: tip === undefined ? [] : [tip],
  });
  const { sha } = commit.data;
  try {
    if (tip === undefined) await client.rest.git.createRef({ ...where, ref: `refs/heads/${branch}`, sha });
    else await client.rest.git.updateRef({ ...where, ref: `heads/${branch}`, sha, force: false });
    return undefined;
  } catch (error) {
    const status = statusOf(error);
    // 422: not a fast forward, or the branch exists. 409: a conflict.
    if (status === 422 || status === 409 || status === undefined || status >= 500) return error;
    throw error;
  }
}
