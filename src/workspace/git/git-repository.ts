// One Git checkout: tracked files, contents of commits, differences between commits, and fetching of missing commits.
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
  /** Sent only to `server`, through the environment of the fetching process. */
  readonly token?: string;
  /** Server that may receive the token, e.g. `https://github.com`. Settings of the repository cannot change it. */
  readonly server?: string;
  /** Fallback remote if `origin` does not have the commit: the repository that the event came from. */
  readonly alternative?: string;
  readonly timeoutMilliseconds?: number;
}

/** `https://host/path`, or `user@host:path`. */
const HAS_HOST = /^(?!file:)(?:[a-z][a-z0-9+.-]*:\/\/[^/]+\/|[^/@]+@[^/:]+:)/i;
const FETCHABLE_PROTOCOLS = ['https', 'ssh', 'file'] as const;
/** History depths that are fetched in turn until two commits have a common ancestor. */
const DEPTHS = [50, 500, 5_000] as const;

export class GitRepository {
  /** Real path of the work tree's root folder. */
  readonly root: string;
  /** A commit never changes, so each is listed once. */
  readonly #trees = new Map<ObjectId, Promise<readonly TreeEntry[]>>();
  readonly #changes = new Map<string, Promise<readonly FileChange[]>>();

  private constructor(root: string) {
    this.root = root;
  }

  /** The checkout that contains `directory`; undefined if there is none. Throws if git cannot read the checkout. */
  static async open(directory: string): Promise<GitRepository | undefined> {
    const root = await findRoot(await realpath(directory));
    if (root === undefined) return undefined;
    const repository = new GitRepository(root);
    if (isAsGitMakesIt(path.join(root, '.git'))) return repository;
    const topLevel = (await repository.#text(['rev-parse', '--show-toplevel'])).trimEnd();
    if ((await realpath(topLevel)) !== root) {
      throw new WorkspaceError('git-failed', 'this Git checkout is configured with another folder as its work tree', {
        hint: 'remove `core.worktree` from `.git/config`',
      });
    }
    return repository;
  }

  /** The index, in Git's order (bytes of the path). */
  async trackedFiles(): Promise<readonly TreeEntry[]> {
    return parseIndex((await this.#git(['ls-files', '-s', '-z'])).stdout);
  }

  /** The index and the untracked files, in one command. */
  async indexedFiles(): Promise<IndexedFiles> {
    const which = ['-t', '-s', '--cached', '--others', '--exclude-standard'];
    return parseTagged((await this.#git(['ls-files', ...which, '-z'])).stdout);
  }

  /** All files of a commit, including submodules and symbolic links. */
  listTree(commit: ObjectId): Promise<readonly TreeEntry[]> {
    const tree = this.#trees.get(commit) ?? this.#readTree(commit);
    this.#trees.set(commit, tree);
    return tree;
  }

  async #readTree(commit: ObjectId): Promise<readonly TreeEntry[]> {
    const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', requireId(commit)];
    return parseTree((await this.#git(args)).stdout);
  }

  /** Same entries as `listTree` in another order, derived from the differences to a commit that is already listed. */
  listTreeFrom(known: ObjectId, commit: ObjectId): Promise<readonly TreeEntry[]> {
    const tree = this.#trees.get(commit) ?? this.#deriveTree(known, commit);
    this.#trees.set(commit, tree);
    return tree;
  }

  async #deriveTree(known: ObjectId, commit: ObjectId): Promise<readonly TreeEntry[]> {
    const [entries, changes] = await Promise.all([this.listTree(known), this.changedFiles(known, commit)]);
    // Two names that are not UTF-8 may look equal.
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

  /** Reads blobs by id through one process and converts each as it arrives. */
  async readBlobs<T>(ids: Iterable<ObjectId>, convert: (content: Uint8Array) => T): Promise<ReadonlyMap<ObjectId, T>> {
    return readBlobs({ root: this.root }, [...ids].map(requireId), convert);
  }

  /** Reads one blob synchronously, for engines that read on demand. Undefined if it cannot be read. */
  readBlobNow(id: ObjectId): Uint8Array | undefined {
    return readNow({ root: this.root }, ['cat-file', 'blob', requireId(id)]);
  }

  /** Resolves a name (`HEAD`, `origin/main`, an id) to a commit; undefined if the repository has no such commit. */
  async resolveCommit(revision: string): Promise<ObjectId | undefined> {
    if (revision === '' || revision.includes('\0')) return undefined;
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const { exitCode, stdout } = await this.#git(args, [0, 1, 128]);
    const id = stdout.toString('latin1').trim();
    return exitCode === 0 && isObjectId(id) ? id : undefined;
  }

  /**
   * Parents from the commit object itself, so that they are known even in a clone of depth 1, where `HEAD^1` does not resolve. GitHub's
   * merge commit of a pull request has the base branch as first and the pull request's head as second parent.
   */
  async mergeParents(revision: string): Promise<readonly ObjectId[]> {
    const commit = await this.resolveCommit(revision);
    if (commit === undefined) throw unknownRevision(revision);
    return parseParents((await this.#git(['cat-file', 'commit', commit])).stdout);
  }

  /** All paths that differ between two commits; a renamed file appears twice. */
  async changedFiles(from: ObjectId, to: ObjectId): Promise<readonly FileChange[]> {
    const key = `${requireId(from)} ${requireId(to)}`;
    const changes = this.#changes.get(key) ?? this.#readChanges(from, to);
    this.#changes.set(key, changes);
    return changes;
  }

  /** Uses plumbing, and options that override settings of the repository. */
  async #readChanges(from: ObjectId, to: ObjectId): Promise<readonly FileChange[]> {
    const format = ['--raw', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-relative'];
    const args = ['diff-tree', '-r', ...format, '--ignore-submodules=none', '--end-of-options', from, to, '--'];
    return parseRawDiff((await this.#git(args)).stdout);
  }

  /** Maps lines of a file in `to` to lines in `from`. The versions of the file must differ. */
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

  /** Commits of branches and tags that contain `commit`, without itself; a shallow clone may know fewer. */
  async descendants(commit: ObjectId): Promise<ReadonlySet<string>> {
    const { stdout } = await this.#git(['rev-list', '--ancestry-path', '--all', '--not', requireId(commit)]);
    return new Set(stdout.toString('latin1').split('\n').filter(isObjectId));
  }

  /** Best common ancestor; undefined if there is none or the clone is too shallow. */
  async mergeBase(a: ObjectId, b: ObjectId): Promise<ObjectId | undefined> {
    const { stdout } = await this.#git(['merge-base', requireId(a), requireId(b)], [0, 1]);
    const id = stdout.toString('latin1').trim();
    return isObjectId(id) ? id : undefined;
  }

  /** Fetches one commit without history, unless it is already present. */
  async fetchCommit(commit: ObjectId, options: FetchOptions = {}): Promise<void> {
    if ((await this.resolveCommit(requireId(commit))) !== undefined) return;
    await this.#fetch([commit], ['--depth=1'], options);
  }

  /** Like `mergeBase`, for commits whose history may be missing: fetches more history until they have a common ancestor. */
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

  /** Fetches from `origin`, otherwise from the alternative. If both fail, throws the error of `origin`. */
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

  /** With `ssh-key:`, actions/checkout puts the key into `core.sshCommand`. A command of any other form is ignored. */
  async #sshCommand(): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#git(['config', '--local', '--get', 'core.sshCommand'], [0, 1]);
    return exitCode === 0 ? harmlessSshCommand(stdout.toString('utf8').trimEnd()) : undefined;
  }

  async #origin(): Promise<string> {
    const { exitCode, stdout } = await this.#git(['config', '--get', 'remote.origin.url'], [0, 1]);
    const url = stdout.toString('utf8').trimEnd();
    if (exitCode === 0 && url !== '') return url;
    throw new WorkspaceError('origin-missing', 'this repository has no remote `origin` to fetch from', {
      hint: 'check out with enough history (`fetch-depth: 0`), so that it includes the commit to compare with',
    });
  }

  /** A setting as reported by `git config`; undefined if it is not set. */
  async setting(name: string): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#git(['config', '--get', name], [0, 1]);
    const text = stdout.toString('utf8').trimEnd();
    return exitCode === 0 && text !== '' ? text : undefined;
  }

  /** Address of the remote `origin`; undefined if it has none or is a folder of this machine. */
  async originUrl(): Promise<string | undefined> {
    const url = await this.setting('remote.origin.url');
    return url !== undefined && HAS_HOST.test(url) ? url : undefined;
  }

  /** Name of the checked-out branch; undefined if there is none. */
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

/** Submodules have no content in this repository. */
function isBlob({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode !== '160000';
}

async function findRoot(start: string): Promise<string | undefined> {
  for (let directory = start; ; directory = path.dirname(directory)) {
    if (await isGitDirectory(path.join(directory, '.git'))) return directory;
    if (path.dirname(directory) === directory) return undefined;
  }
}

/** A Git folder contains HEAD. In linked work trees and submodules, `.git` is a file that points to the folder. */
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

/** Settings that could point Git to another work tree or Git folder, or to none. */
const LEADS_ELSEWHERE = /worktree|include|extensions|bare\s*=(?! *false\n)|repositoryformatversion\s*=(?! *0\n)/i;
const HEAD = /^(?:ref: refs\/\S+|[0-9a-f]{40})\n$/;

/** True for the standard layout of `git init` and `git clone`, where the work tree is known without running Git. */
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

/** Scheme of a URL. `host:path` is Git's short form of ssh; anything else is a local path. */
function fetchableProtocol(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  const protocol = scheme ?? (/^[^/:]+:(?!:)/.test(url) ? 'ssh' : url.includes('::') ? 'ext' : 'file');
  if ((FETCHABLE_PROTOCOLS as readonly string[]).includes(protocol)) return protocol;
  throw new WorkspaceError('origin-unsupported', `cannot fetch from a remote with protocol \`${protocol}\``, {
    hint: `expected one of ${FETCHABLE_PROTOCOLS.map((name) => `\`${name}\``).join(', ')}`,
  });
}

/** The first, empty value removes headers of actions/checkout, because GitHub rejects requests with two Authorization headers. */
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
  throw new WorkspaceError('bad-revision', 'a commit or object must be given by its full id', {
    hint: 'expected 40 or 64 hexadecimal digits',
  });
}

function unknownRevision(revision: string): WorkspaceError {
  return new WorkspaceError('bad-revision', `there is no commit \`${revision}\` in this repository`);
}
