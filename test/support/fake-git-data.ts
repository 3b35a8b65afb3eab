// Branches of the fake GitHub: objects by id, and references that move only forward.
import { createHash } from 'node:crypto';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
}

const URL = 'http://fake/repos/o/r/git';

export class FakeGitData {
  readonly #blobs = new Map<string, string>();
  readonly #trees = new Map<string, ReadonlyMap<string, string>>();
  readonly #commits = new Map<string, Commit>();
  readonly #branches = new Map<string, string>();
  /** Called before a reference is written, to let another run be faster. */
  beforeMove: () => void = () => {};

  /** Text of a file; undefined if the branch or the file does not exist. */
  text(branch: string, path: string): string | undefined {
    const commit = this.#commits.get(this.#branches.get(branch) ?? '');
    const blob = commit && this.#trees.get(commit.tree)?.get(path);
    return blob === undefined ? undefined : this.#blobs.get(blob);
  }

  /** Number of commits on the first-parent line. */
  length(branch: string): number {
    let commit = this.#commits.get(this.#branches.get(branch) ?? '');
    let length = 0;
    for (; commit !== undefined; commit = this.#commits.get(commit.parents[0] ?? '')) length += 1;
    return length;
  }

  /** Another writer changes the branch; `force`: drops the earlier commits. */
  push(branch: string, path: string, text: string, force = false): void {
    const tree = this.#keep(this.#trees, new Map([[path, this.#keep(this.#blobs, text)]]));
    const parent = force ? undefined : this.#branches.get(branch);
    this.#branches.set(branch, this.#keep(this.#commits, { tree, parents: parent === undefined ? [] : [parent] }));
  }

  answer(operation: string, body: Record<string, unknown>, parameters: Readonly<Record<string, string>>): Answer {
    const branch = decodeURIComponent(parameters['ref'] ?? '').replace(/^heads\//, '');
    switch (operation) {
      case 'git/get-ref': {
        const sha = this.#branches.get(branch);
        return sha === undefined ? notFound : { status: 200, body: reference(branch, sha) };
      }
      case 'git/get-commit': {
        const sha = parameters['commit_sha'] as string;
        const commit = this.#commits.get(sha);
        return commit === undefined ? notFound : { status: 200, body: commitAnswer(sha, commit) };
      }
      case 'git/get-tree': {
        const sha = parameters['tree_sha'] as string;
        const tree = this.#trees.get(sha);
        return tree === undefined ? notFound : { status: 200, body: this.#treeAnswer(sha, tree) };
      }
      case 'git/get-blob': {
        const sha = parameters['file_sha'] as string;
        const text = this.#blobs.get(sha);
        if (text === undefined) return notFound;
        const content = Buffer.from(text, 'utf8').toString('base64');
        const size = Buffer.byteLength(text);
        return {
          status: 200,
          body: { sha, node_id: 'B', url: `${URL}/blobs/${sha}`, content, encoding: 'base64', size },
        };
      }
      case 'git/create-blob': {
        const { content, encoding } = body as { content: string; encoding: string };
        const sha = this.#keep(
          this.#blobs,
          encoding === 'base64' ? Buffer.from(content, 'base64').toString('utf8') : content,
        );
        return { status: 201, body: { sha, url: `${URL}/blobs/${sha}` } };
      }
      case 'git/create-tree': {
        const base = this.#trees.get(String(body['base_tree'])) ?? new Map<string, string>();
        const entries = body['tree'] as readonly { path: string; sha: string }[];
        const tree = new Map([...base, ...entries.map(({ path, sha }): [string, string] => [path, sha])]);
        const sha = this.#keep(this.#trees, tree);
        return { status: 201, body: this.#treeAnswer(sha, tree) };
      }
      case 'git/create-commit': {
        const commit = { tree: String(body['tree']), parents: (body['parents'] ?? []) as string[] };
        const sha = this.#keep(this.#commits, commit);
        return { status: 201, body: commitAnswer(sha, commit) };
      }
      case 'git/create-ref': {
        this.beforeMove();
        const name = String(body['ref']).replace('refs/heads/', '');
        if (this.#branches.has(name)) return { status: 422, body: { message: 'Reference already exists' } };
        this.#branches.set(name, String(body['sha']));
        return { status: 201, body: reference(name, String(body['sha'])) };
      }
      case 'git/update-ref': {
        this.beforeMove();
        const sha = String(body['sha']);
        const isForward = this.#commits.get(sha)?.parents.includes(this.#branches.get(branch) ?? '') === true;
        if (body['force'] === true || !isForward)
          return { status: 422, body: { message: 'Update is not a fast forward' } };
        this.#branches.set(branch, sha);
        return { status: 200, body: reference(branch, sha) };
      }
      default:
        return { status: 501, body: { message: 'Not Implemented' } };
    }
  }

  #keep<Value>(all: Map<string, Value>, value: Value): string {
    const text = value instanceof Map ? JSON.stringify([...value]) : JSON.stringify(value);
    const sha = createHash('sha1').update(text).digest('hex');
    all.set(sha, value);
    return sha;
  }

  #treeAnswer(sha: string, tree: ReadonlyMap<string, string>): unknown {
    const entries = [...tree].map(([path, blob]) => ({
      path,
      mode: '100644',
      type: 'blob',
      sha: blob,
      size: Buffer.byteLength(this.#blobs.get(blob) ?? ''),
      url: `${URL}/blobs/${blob}`,
    }));
    return { sha, url: `${URL}/trees/${sha}`, truncated: false, tree: entries };
  }
}

const notFound: Answer = { status: 404, body: { message: 'Not Found' } };

function reference(branch: string, sha: string): unknown {
  const object = { type: 'commit', sha, url: `${URL}/commits/${sha}` };
  return { ref: `refs/heads/${branch}`, node_id: 'R', url: `${URL}/refs/heads/${branch}`, object };
}

function commitAnswer(sha: string, { tree, parents }: Commit): unknown {
  const person = { name: 'github-actions[bot]', email: 'bot@fake', date: '2026-01-02T03:04:05Z' };
  const url = `${URL}/commits/${sha}`;
  return {
    sha,
    node_id: 'C',
    url,
    html_url: url,
    author: person,
    committer: person,
    message: 'Add an audit',
    tree: { sha: tree, url: `${URL}/trees/${tree}` },
    parents: parents.map((parent) => ({ sha: parent, url: `${URL}/commits/${parent}`, html_url: url })),
    verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
  };
}
