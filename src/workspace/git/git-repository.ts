// One Git checkout: what is tracked, what a commit holds, what changed between two, and fetching one commit more.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { trimRight } from '../../go/strings/trim.ts';
import { systemErrorCode, WorkspaceError } from '../workspace-error.ts';
import { readBlobSizes, readBlobs } from './git-blobs.ts';
import {
  type FileChange,
  type IndexedFiles,
  isObjectId,
  type ObjectId,
  parseIndex,
  parseParents,
  parseRawDiff,
  parseTagged,
  parseTree,
  type TreeEntry,
} from './git-output.ts';
import { type GitResult, readNow, runGit } from './git-process.ts';
import { type LineMap, lineMapOf } from './line-map.ts';
import { harmlessSshCommand } from './ssh-command.ts';

export interface FetchOptions {
  /** Sent to `server` alone, through the environment of the one fetching process. */
  readonly token?: string;
  /** Where the token may go, e.g. `https://github.com`; the repository's own settings have no say in it. */
  readonly server?: string;
  /** Where the commit is as well, should `origin` not give it: the repository the event came from. */
  readonly alternative?: string;
  readonly timeoutMilliseconds?: number;
}

const FETCHABLE_PROTOCOLS = ['https', 'ssh', 'file'] as const;
/** Commits of history that are asked for, one after the other, until two of them have an ancestor in common. */
const DEPTHS = [50, 500, 5_000] as const;

export class GitRepository {
  /** Real path of the work tree's top folder. */
  readonly root: string;
  /** A commit never changes, so each is listed once. */
  readonly #trees = new Map<ObjectId, Promise<readonly TreeEntry[]>>();
  readonly #changes = new Map<string, Promise<readonly FileChange[]>>();

  private constructor(root: string) {
    this.root = root;
  }

  /** The checkout `directory` lies in; undefined if there is none. Throws if there is one and git cannot read it. */
  static async open(directory: string): Promise<GitRepository | undefined> {
    const root = await findRoot(await realpath(directory));
    if (root === undefined) return undefined;
    const repository = new GitRepository(root);
    if (isAsGitMakesIt(path.join(root, '.git'))) return repository;
    const topLevel = (await repository.#text(['rev-parse', '--show-toplevel'])).trimEnd();
    if ((await realpath(topLevel)) !== root) {
      throw new WorkspaceError('git-failed', 'the settings of this Git checkout name another folder as its work tree', {
        hint: 'remove `core.worktree` from `.git/config`',
      });
    }
    return repository;
  }

  /** The index, in Git's order (bytes of the path). */
  async trackedFiles(): Promise<readonly TreeEntry[]> {
    return parseIndex((await this.#git(['ls-files', '-s', '-z'])).stdout);
  }

  /** The index, and what the work tree has besides, in one question. */
  async indexedFiles(): Promise<IndexedFiles> {
    const which = ['-t', '-s', '--cached', '--others', '--exclude-standard'];
    return parseTagged((await this.#git(['ls-files', ...which, '-z'])).stdout);
  }

  /** Every file of a commit, submodules and symbolic links included. */
  listTree(commit: ObjectId): Promise<readonly TreeEntry[]> {
    const tree = this.#trees.get(commit) ?? this.#readTree(commit);
    this.#trees.set(commit, tree);
    return tree;
  }

  async #readTree(commit: ObjectId): Promise<readonly TreeEntry[]> {
    const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', requireId(commit)];
    return parseTree((await this.#git(args)).stdout);
  }

  /** The same as `listTree`, in another order: from what differs between the commit and one that is listed. */
  listTreeFrom(known: ObjectId, commit: ObjectId): Promise<readonly TreeEntry[]> {
    const tree = this.#trees.get(commit) ?? this.#deriveTree(known, commit);
    this.#trees.set(commit, tree);
    return tree;
  }

  async #deriveTree(known: ObjectId, commit: ObjectId): Promise<readonly TreeEntry[]> {
    const [entries, changes] = await Promise.all([this.listTree(known), this.changedFiles(known, commit)]);
    // Two names that are not UTF-8 may look the same.
    if (changes.some(({ nameIsUtf8 }) => !nameIsUtf8)) return this.#readTree(commit);
    const files = changes.flatMap(({ path, nameIsUtf8, to }) =>
      to === undefined ? [] : [{ path, nameIsUtf8, ...to }],
    );
    const sizes = await this.#blobSizes(files.filter(isBlob).map(({ id }) => id));
    const changed = new Set(changes.map(({ path }) => path));
    const changedFiles = files.map((file): TreeEntry => {
      const size = sizes.get(file.id);
      return size === undefined ? file : { ...file, size };
    });
    return [...entries.filter(({ path }) => !changed.has(path)), ...changedFiles];
  }

  async #blobSizes(ids: Iterable<ObjectId>): Promise<ReadonlyMap<ObjectId, number>> {
    return readBlobSizes({ root: this.root }, [...ids].map(requireId));
  }

  /** What `convert` makes of contents, by id, read through one process and converted as they arrive. */
  async readBlobs<T>(ids: Iterable<ObjectId>, convert: (content: Uint8Array) => T): Promise<ReadonlyMap<ObjectId, T>> {
    return readBlobs({ root: this.root }, [...ids].map(requireId), convert);
  }

  /** One blob, while everything else waits: for engines that ask as they go. Undefined if it cannot be read. */
  readBlobNow(id: ObjectId): Uint8Array | undefined {
    return readNow({ root: this.root }, ['cat-file', 'blob', requireId(id)]);
  }

  /** The commit a name stands for (`HEAD`, `origin/main`, an id); undefined if this repository has no such commit. */
  async resolveCommit(revision: string): Promise<ObjectId | undefined> {
    if (revision === '' || revision.includes('\0')) return undefined;
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const { exitCode, stdout } = await this.#git(args, [0, 1, 128]);
    const id = stdout.toString('latin1').trim();
    return exitCode === 0 && isObjectId(id) ? id : undefined;
  }

  /**
   * Parents as the commit itself names them, so that a clone of depth 1 knows them too (there `HEAD^1` does not resolve).
   * The merge commit GitHub makes for a pull request has the base branch first and the pull request's head second.
   */
  async mergeParents(revision: string): Promise<readonly ObjectId[]> {
    const commit = await this.resolveCommit(revision);
    if (commit === undefined) throw unknownRevision(revision);
    return parseParents((await this.#git(['cat-file', 'commit', commit])).stdout);
  }

  /** Every path at which two commits differ; a renamed file is two. */
  async changedFiles(from: ObjectId, to: ObjectId): Promise<readonly FileChange[]> {
    const key = `${requireId(from)} ${requireId(to)}`;
    const changes = this.#changes.get(key) ?? this.#readChanges(from, to);
    this.#changes.set(key, changes);
    return changes;
  }

  /** Plumbing, and options for what a repository may still set about it. */
  async #readChanges(from: ObjectId, to: ObjectId): Promise<readonly FileChange[]> {
    const format = ['--raw', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-relative'];
    const args = ['diff-tree', '-r', ...format, '--ignore-submodules=none', '--end-of-options', from, to, '--'];
    return parseRawDiff((await this.#git(args)).stdout);
  }

  /** From lines of a file in `to` to those in `from`; the two have it in different versions. */
  async lineMap(from: ObjectId, to: ObjectId, file: string): Promise<LineMap> {
    const format = [
      '-p',
      '-U0',
      '--text',
      '--no-color',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--no-relative',
    ];
    const args = ['diff-tree', '-r', ...format, '--end-of-options', requireId(from), requireId(to), '--', file];
    return lineMapOf((await this.#git(args)).stdout);
  }

  /** Best common ancestor; undefined when there is none or the clone is too shallow to see it. */
  async mergeBase(a: ObjectId, b: ObjectId): Promise<ObjectId | undefined> {
    const { stdout } = await this.#git(['merge-base', requireId(a), requireId(b)], [0, 1]);
    const id = stdout.toString('latin1').trim();
    return isObjectId(id) ? id : undefined;
  }

  /** Makes one commit readable here, without history. Does nothing if it is here already. */
  async fetchCommit(commit: ObjectId, options: FetchOptions = {}): Promise<void> {
    if ((await this.resolveCommit(requireId(commit))) !== undefined) return;
    await this.#fetch([commit], ['--depth=1'], options);
  }

  /** As `mergeBase`, of two commits that may be known without their history: more of it is fetched until they meet. */
  async fetchMergeBase(a: ObjectId, b: ObjectId, options: FetchOptions = {}): Promise<ObjectId | undefined> {
    for (const commit of [a, b]) await this.fetchCommit(commit, options);
    for (const depth of [undefined, ...DEPTHS, 'all'] as const) {
      if (depth !== undefined)
        await this.#fetch([a, b], [depth === 'all' ? '--unshallow' : `--depth=${depth}`], options);
      const common = await this.mergeBase(a, b);
      if (common !== undefined || !(await this.#isShallow())) return common;
    }
    return undefined;
  }

  async #isShallow(): Promise<boolean> {
    return (await this.#text(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  }

  /** From `origin`, else from the alternative; throws what `origin` said if neither gives the commits. */
  async #fetch(commits: readonly ObjectId[], limits: readonly string[], options: FetchOptions): Promise<void> {
    try {
      await this.#fetchFrom(await this.#origin(), commits, limits, options);
    } catch (error) {
      if (!(error instanceof WorkspaceError) || options.alternative === undefined) throw error;
      try {
        await this.#fetchFrom(options.alternative, commits, limits, options);
      } catch (second) {
        throw second instanceof WorkspaceError ? error : second;
      }
    }
  }

  async #fetchFrom(
    url: string,
    commits: readonly ObjectId[],
    limits: readonly string[],
    options: FetchOptions,
  ): Promise<void> {
    const protocol = fetchableProtocol(url);
    const common = ['--no-tags', ...limits, '--no-recurse-submodules', '--no-write-fetch-head', '--quiet'];
    const sshCommand = protocol === 'ssh' ? await this.#sshCommand() : undefined;
    await runGit(
      {
        root: this.root,
        protocol,
        secretSettings: authorization(options),
        ...(sshCommand !== undefined && { sshCommand }),
        ...(options.timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds: options.timeoutMilliseconds }),
      },
      ['fetch', ...common, '--upload-pack=git-upload-pack', '--end-of-options', url, ...commits],
    );
  }

  /** The key of an `ssh-key:` checkout stands in `core.sshCommand`; a command of any other form is not followed. */
  async #sshCommand(): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#git(['config', '--local', '--get', 'core.sshCommand'], [0, 1]);
    return exitCode === 0 ? harmlessSshCommand(stdout.toString('utf8').trimEnd()) : undefined;
  }

  async #origin(): Promise<string> {
    const { exitCode, stdout } = await this.#git(['config', '--get', 'remote.origin.url'], [0, 1]);
    const url = stdout.toString('utf8').trimEnd();
    if (exitCode === 0 && url !== '') return url;
    throw new WorkspaceError('origin-missing', 'this repository has no remote `origin` to fetch from', {
      hint: 'check out with enough history (`fetch-depth: 0`), so that the commit to compare with is there',
    });
  }

  /** A setting as `git config` tells it; undefined where there is none. */
  async setting(name: string): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#git(['config', '--get', name], [0, 1]);
    const text = stdout.toString('utf8').trimEnd();
    return exitCode === 0 && text !== '' ? text : undefined;
  }

  /** Name of the branch that is checked out; undefined where none is. */
  async branch(): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#git(['symbolic-ref', '--quiet', '--short', 'HEAD'], [0, 1]);
    return exitCode === 0 ? stdout.toString('utf8').trimEnd() : undefined;
  }

  async #text(args: readonly string[]): Promise<string> {
    return (await this.#git(args)).stdout.toString('utf8');
  }

  #git(args: readonly string[], accept?: readonly number[]): Promise<GitResult> {
    return runGit({ root: this.root }, args, accept);
  }
}

/** Submodules have no content here. */
function isBlob({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode !== '160000';
}

async function findRoot(start: string): Promise<string | undefined> {
  for (let directory = start; ; directory = path.dirname(directory)) {
    if (await isGitDirectory(path.join(directory, '.git'))) return directory;
    if (path.dirname(directory) === directory) return undefined;
  }
}

/** A repository's folder has a HEAD; in linked work trees and submodules `.git` is a file that names the folder. */
async function isGitDirectory(dotGit: string): Promise<boolean> {
  try {
    const status = await stat(dotGit);
    if (status.isDirectory()) return (await stat(path.join(dotGit, 'HEAD'))).isFile();
    return status.isFile() && (await readFile(dotGit, 'utf8')).startsWith('gitdir: ');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw new WorkspaceError('unreadable', `cannot read \`${dotGit}\``, { cause: error });
  }
}

/** In settings: what could lead Git to another work tree, another folder of its own, or none. */
const LEADS_ELSEWHERE = /worktree|include|extensions|bare\s*=(?! *false\n)|repositoryformatversion\s*=(?! *0\n)/i;
const HEAD = /^(?:ref: refs\/\S+|[0-9a-f]{40})\n$/;

/** True for what `git init` and `git clone` make: Git need not be asked where its work tree is. */
function isAsGitMakesIt(dotGit: string): boolean {
  const isFolder = (name: string): boolean =>
    statSync(path.join(dotGit, name), { throwIfNoEntry: false })?.isDirectory() === true;
  if (!['.', 'objects', 'refs'].every(isFolder) || existsSync(path.join(dotGit, 'commondir'))) return false;
  try {
    const [head, config] = ['HEAD', 'config'].map((name) => readFileSync(path.join(dotGit, name), 'utf8'));
    return HEAD.test(head ?? '') && !LEADS_ELSEWHERE.test(config ?? 'include');
  } catch {
    return false;
  }
}

/** A URL's scheme; `host:path` is Git's short form of ssh, anything else a path on this machine. */
function fetchableProtocol(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  const protocol = scheme ?? (/^[^/:]+:(?!:)/.test(url) ? 'ssh' : url.includes('::') ? 'ext' : 'file');
  if ((FETCHABLE_PROTOCOLS as readonly string[]).includes(protocol)) return protocol;
  throw new WorkspaceError('origin-unsupported', `cannot fetch from a remote of type \`${protocol}\``, {
    hint: `expected one of ${FETCHABLE_PROTOCOLS.map((name) => `\`${name}\``).join(', ')}`,
  });
}

/** The first, empty value drops headers that actions/checkout left behind: two Authorization headers are refused by GitHub. */
function authorization({ token, server = 'https://github.com' }: FetchOptions): readonly (readonly [string, string])[] {
  if (token === undefined) return [];
  const key = `http.${trimRight(server, '/')}/.extraheader`;
  const credentials = Buffer.from(`x-access-token:${token}`, 'utf8').toString('base64');
  return [
    [key, ''],
    [key, `AUTHORIZATION: basic ${credentials}`],
  ];
}

function requireId(id: string): ObjectId {
  if (isObjectId(id)) return id;
  throw new WorkspaceError('bad-revision', 'a commit or object must be named by its full id', {
    hint: 'expected 40 or 64 hexadecimal digits',
  });
}

function unknownRevision(revision: string): WorkspaceError {
  return new WorkspaceError('bad-revision', `there is no commit \`${revision}\` in this repository`);
}
