// A history in a branch of the local repository: a commit for each audit, without a work tree, an index or a push.
import type { ObjectId } from '../git/git-output.ts';
import { GitRepository } from '../git/git-repository.ts';
import { BranchWriter } from '../git/write-objects.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { type HistoryText, MAX_HISTORY_BYTES } from './history-text.ts';

const ATTEMPTS = 20;

export interface HistoryBranch {
  /** Any folder inside the checkout. */
  readonly directory: string;
  readonly branch: string;
  /** Name of the file in the branch. */
  readonly file: string;
}

/** Empty if there is no history yet. Throws WorkspaceError. */
export async function readHistoryBranch(where: HistoryBranch, joined: HistoryText['joined']): Promise<string> {
  return (await new Branch(await repositoryOf(where), where).read(joined)).text;
}

/** Throws WorkspaceError. `now`: milliseconds since 1970. */
export async function extendHistoryBranch(where: HistoryBranch, history: HistoryText, now: number): Promise<void> {
  const branch = new Branch(await repositoryOf(where), where);
  await branch.checkUnused();
  let before = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = await branch.read(history.joined);
    // A forced push between two attempts removes no line that was read.
    const text = before === '' ? state.text : history.joined(state.text, before);
    before = text;
    const line = history.lineFor(text);
    if (line === undefined) return;
    const added = history.appended(text, line);
    if (await branch.write(history.compacted(added) ?? added, state, Math.floor(now / 1000))) return;
  }
  throw new WorkspaceError(
    'unwritable',
    `the branch \`${where.branch}\` cannot be extended: other runs change it all the time`,
  );
}

async function repositoryOf({ directory, branch }: HistoryBranch): Promise<GitRepository> {
  const repository = await GitRepository.open(directory);
  if (repository !== undefined) return repository;
  throw new WorkspaceError(
    'git-failed',
    `the history cannot be in the branch \`${branch}\`: this folder is not in a Git checkout`,
    {
      hint: 'use `file:<path>`',
    },
  );
}

interface BranchState {
  readonly text: string;
  readonly tip: ObjectId | undefined;
  /** Parents of the next commit. */
  readonly parents: readonly ObjectId[];
}

class Branch {
  readonly #repository: GitRepository;
  readonly #writer: BranchWriter;
  readonly #branch: string;
  readonly #file: string;

  constructor(repository: GitRepository, { branch, file }: HistoryBranch) {
    this.#repository = repository;
    this.#writer = new BranchWriter(repository.root);
    this.#branch = branch;
    this.#file = file;
  }

  async checkUnused(): Promise<void> {
    const path = await this.#writer.checkedOutAt(this.#branch);
    if (path === undefined) return;
    throw new WorkspaceError(
      'unwritable',
      `the branch \`${this.#branch}\` is checked out in \`${path}\`, so its history cannot be extended`,
      {
        hint: 'use a branch that only Preadmit writes',
      },
    );
  }

  /** The local branch, joined with the last fetched state of `origin`, which another machine may have extended. */
  async read(joined: HistoryText['joined']): Promise<BranchState> {
    const [tip, remote] = await Promise.all([
      this.#repository.resolveCommit(`refs/heads/${this.#branch}`),
      this.#repository.resolveCommit(`refs/remotes/origin/${this.#branch}`),
    ]);
    const isKnown = remote === undefined || (tip !== undefined && (await this.#writer.isAncestor(remote, tip)));
    const commits = [tip, isKnown ? undefined : remote].filter((commit) => commit !== undefined);
    const texts = await Promise.all(commits.map((commit) => this.#textOf(commit)));
    const isBehind = tip !== undefined && !isKnown && (await this.#writer.isAncestor(tip, remote as ObjectId));
    const [one = '', other] = texts;
    const text = isBehind ? (other ?? '') : other === undefined ? one : joined(one, other);
    return { text, tip, parents: isBehind ? commits.slice(1) : commits };
  }

  async #textOf(commit: ObjectId): Promise<string> {
    const entry = (await this.#writer.entries(commit)).find(({ name, type }) => name === this.#file && type === 'blob');
    if (entry === undefined) return '';
    const blob = await this.#writer.blob(entry.id);
    if (blob.length <= MAX_HISTORY_BYTES) return blob.toString('utf8');
    throw new WorkspaceError('unreadable', `the history in the branch \`${this.#branch}\` is larger than 64 MiB`, {
      hint: 'Preadmit keeps it below 24 MiB; restore it, or use another branch',
    });
  }

  /** False if another run has moved the branch. */
  async write(text: string, { tip, parents }: BranchState, seconds: number): Promise<boolean> {
    const id = await this.#writer.writeBlob(text);
    const [parent] = parents;
    const others =
      parent === undefined ? [] : (await this.#writer.entries(parent)).filter(({ name }) => name !== this.#file);
    const tree = await this.#writer.writeTree([...others, { mode: '100644', type: 'blob', id, name: this.#file }]);
    const commit = await this.#writer.writeCommit(tree, parents, 'Add an audit', seconds);
    return this.#writer.move(this.#branch, commit, tip);
  }
}
