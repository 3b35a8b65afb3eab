// Writes objects and references of a repository, without touching its work tree or its index.
import { type ObjectId, parseTopLevel, type TopLevelEntry } from './git-output.ts';
import { failure, finished, runGit, startGit } from './git-process.ts';

/** An entry of a tree to write. */
export type { TopLevelEntry };

const IDENTITY = 'Preadmit <preadmit@localhost>';

/** Plumbing for one branch of the repository at `root`. Throws WorkspaceError. */
export class BranchWriter {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async entries(commit: ObjectId): Promise<readonly TopLevelEntry[]> {
    return parseTopLevel((await this.#run(['ls-tree', '-z', '--full-tree', '--end-of-options', commit])).stdout);
  }

  async blob(id: ObjectId): Promise<Buffer> {
    return (await this.#run(['cat-file', 'blob', id])).stdout;
  }

  async isAncestor(commit: ObjectId, of: ObjectId): Promise<boolean> {
    return (await this.#run(['merge-base', '--is-ancestor', commit, of], [0, 1])).exitCode === 0;
  }

  /** Path of the work tree in which the branch is checked out; undefined if there is none. */
  async checkedOutAt(branch: string): Promise<string | undefined> {
    const { stdout } = await this.#run(['for-each-ref', '--format=%(worktreepath)', `refs/heads/${branch}`]);
    const path = stdout.toString('utf8').trimEnd();
    return path === '' ? undefined : path;
  }

  writeBlob(content: string): Promise<ObjectId> {
    return this.#write(['hash-object', '-w', '--stdin'], content);
  }

  writeTree(entries: readonly TopLevelEntry[]): Promise<ObjectId> {
    const lines = entries.map(({ mode, type, id, name }) => `${mode} ${type} ${id}\t${name}\0`);
    return this.#write(['mktree', '-z', '--missing'], lines.join(''));
  }

  /** `seconds`: since 1970. */
  writeCommit(tree: ObjectId, parents: readonly ObjectId[], message: string, seconds: number): Promise<ObjectId> {
    const by = `${IDENTITY} ${seconds} +0000`;
    const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${by}`, `committer ${by}`];
    return this.#write(['hash-object', '-t', 'commit', '-w', '--stdin'], `${head.join('\n')}\n\n${message}\n`);
  }

  /** False if the branch is no longer at `from`. `from` undefined: the branch must not exist. */
  async move(branch: string, to: ObjectId, from: ObjectId | undefined): Promise<boolean> {
    const expected = from ?? '0'.repeat(to.length);
    const args = ['update-ref', '--no-deref', '-m', 'preadmit audit', `refs/heads/${branch}`, to, expected];
    return (await this.#run(args, [0, 1, 128])).exitCode === 0;
  }

  #run(args: readonly string[], accept?: readonly number[]) {
    return runGit({ root: this.#root }, args, accept);
  }

  async #write(args: readonly string[], input: string): Promise<ObjectId> {
    const command = { root: this.#root };
    const child = startGit(command, args);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A process that ends early reports its reason itself.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const { exitCode, stderr } = await finished(child, command, args);
    if (exitCode !== 0) throw failure(args, exitCode, stderr);
    return Buffer.concat(chunks).toString('latin1').trim();
  }
}
