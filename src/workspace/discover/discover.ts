// Discovers the files of a repository: reads the selected ones and lists each of the others with a reason.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DiscoveredFile, NotRead } from '../../inventory/discovered-file.ts';
import type { SkipReason } from '../../inventory/skip-reason.ts';
import { GlobError } from '../../settings/path-filter.ts';
import { DEFAULT_INCLUDE, type Restriction, Selection, type SelectionOptions } from '../../settings/selection.ts';
import { type KeptText, SourceFile } from '../../source/text/source-file.ts';
import { MAXIMUM_FILE_BYTES, MAXIMUM_FILES, MAXIMUM_TOTAL_BYTES } from '../files/limits.ts';
import { FileReader, type ReadResult, readBytes } from '../files/read-file.ts';
import { restrict } from '../files/restrict.ts';
import { TextStore } from '../files/text-store.ts';
import type { ObjectId } from '../git/git-output.ts';
import { GitRepository } from '../git/git-repository.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { comparePaths, type ListedFile, listCommit, listFolder, listWorkTree } from './list-files.ts';

export interface DiscoverOptions {
  /** Start folder: anywhere inside a Git checkout, or a plain folder. `paths` are relative to it. */
  readonly directory: string;
  /** Files and folders to which the search is restricted. Default: `directory`. */
  readonly paths?: readonly string[];
  /** Globs relative to the root. Default: `DEFAULT_INCLUDE`. */
  readonly include?: readonly string[];
  /** Globs relative to the root; take precedence over `include` and `context`. Default: `DEFAULT_EXCLUDE`. */
  readonly exclude?: readonly string[];
  /**
   * Globs of files to read as context: policies, cluster facts. Outside Git the extent of a repository is unknown, so
   * the globs of `DEFAULT_INCLUDE` apply only below `paths`.
   */
  readonly context?: readonly string[];
  /** Full id of a commit to read instead of the work tree. */
  readonly commit?: ObjectId;
  /** The checkout that contains `directory`, if it is already open. */
  readonly repository?: GitRepository;
  /** Treat the folder as a plain folder even if it is in a checkout. */
  readonly isPlain?: boolean;
  /** Discovery of another commit; files with the same path and content are reused from it. */
  readonly known?: Discovery;
}

export interface Discovery {
  /** Real path of the root folder: that of the Git checkout, otherwise `directory`. */
  readonly root: string;
  readonly repository: GitRepository | undefined;
  /** Sorted by path. */
  readonly files: readonly DiscoveredFile[];
  /** Sorted by path. */
  readonly notRead: readonly NotRead[];
  /** All listed paths, read or not; outside Git only those below `directory`. */
  readonly paths: ReadonlySet<string>;
  /** The text exceeds the limit up to which it is held uncompressed. */
  readonly isLarge: boolean;
  /** For a commit: data that `discoverFrom` needs for another commit. */
  readonly sweep?: CommitSweep;
}

export interface CommitSweep {
  readonly commit: ObjectId;
  readonly selection: Selection;
  /** False if the search was restricted to some paths. */
  readonly isWhole: boolean;
  /** Total size of the wanted files. */
  readonly bytes: number;
  readonly blobs: ReadonlyMap<string, ObjectId>;
}

export interface WantedFile {
  readonly listed: ListedFile;
  readonly selected: boolean;
}

/** Throws WorkspaceError for missing paths, invalid globs, and failures of Git. */
export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const directory = await realDirectory(options.directory);
  const repository =
    options.isPlain === true ? undefined : (options.repository ?? (await GitRepository.open(directory)));
  const root = repository?.root ?? directory;
  const { files: listed, untracked, restriction } = await listAll(root, directory, repository, options);
  const selection = selectionOf({ ...options, restriction });
  const { wanted, notRead } = chooseFiles(listed, selection);
  for (const path of untracked) {
    if (selection.choose(path) === 'selected') notRead.push({ path, reason: 'untracked' });
  }
  const { files, failed, isLarge } = await readFiles(root, repository, wanted, knownFiles(options.known));
  return {
    root,
    repository,
    files,
    notRead: [...notRead, ...failed].sort((a, b) => comparePaths(a.path, b.path)),
    paths: new Set(listed.map((file) => file.path)),
    isLarge,
    ...(options.commit !== undefined && { sweep: sweepOf(options.commit, selection, restriction, wanted) }),
  };
}

function sweepOf(
  commit: ObjectId,
  selection: Selection,
  { files, folders }: Restriction,
  wanted: readonly WantedFile[],
): CommitSweep {
  const blobs = new Map<string, ObjectId>();
  let bytes = 0;
  for (const { listed } of wanted) {
    if (listed.blob === undefined) continue;
    blobs.set(listed.path, listed.blob.id);
    bytes += listed.blob.size;
  }
  return { commit, selection, isWhole: files.size === 0 && folders.includes(''), bytes, blobs };
}

type KnownFiles = ReadonlyMap<string, { readonly file: SourceFile; readonly blob: ObjectId }>;

function knownFiles(discovery: Discovery | undefined): KnownFiles {
  const known = new Map<string, { file: SourceFile; blob: ObjectId }>();
  for (const { file } of discovery?.files ?? []) {
    const blob = discovery?.sweep?.blobs.get(file.path);
    if (blob !== undefined) known.set(file.path, { file, blob });
  }
  return known;
}

interface Listing {
  readonly files: readonly ListedFile[];
  /** Names of the work tree that Git does not track. */
  readonly untracked: readonly string[];
  readonly restriction: Restriction;
}

async function listAll(
  root: string,
  directory: string,
  repository: GitRepository | undefined,
  { commit, paths = [], context = [] }: DiscoverOptions,
): Promise<Listing> {
  if (commit !== undefined) {
    const files = await listCommit(requireRepository(repository, root), commit);
    const folders = foldersOf(files);
    const restriction = restrict(root, directory, paths, (path) => folders.has(path));
    return { files, untracked: [], restriction };
  }
  const restriction = restrict(root, directory, paths);
  if (repository === undefined) {
    const reachesOut = context.some((glob) => !DEFAULT_INCLUDE.includes(glob));
    const starts = reachesOut ? [''] : restriction.folders;
    if (starts.includes('') && dirname(root) === root) throw fileSystemRoot(root);
    const files = starts.flatMap((folder) => listFolder(root, folder));
    return { files: withNamedFiles(files, restriction), untracked: [], restriction };
  }
  const { tracked, untracked } = await listWorkTree(repository, restriction.folders.length > 0);
  const folders = foldersOf(tracked);
  const untrackedFolders = restriction.folders.filter((folder) => folder !== '' && !folders.has(folder));
  const files = [...tracked, ...untrackedFolders.flatMap((folder) => listFolder(root, folder))];
  const listing = withNamedFiles(files, restriction);
  const known = new Set(listing.map((file) => file.path));
  return { files: listing, untracked: untracked.filter((path) => !known.has(path)), restriction };
}

/** Files named on the command line are always included, e.g. untracked output of a renderer. */
function withNamedFiles(files: readonly ListedFile[], restriction: Restriction): ListedFile[] {
  const unique = new Map(files.map((file) => [file.path, file]));
  for (const path of restriction.files) if (!unique.has(path)) unique.set(path, { path });
  return [...unique.values()];
}

export function chooseFiles(
  listed: readonly ListedFile[],
  selection: Selection,
): { wanted: WantedFile[]; notRead: NotRead[] } {
  const wanted: WantedFile[] = [];
  const notRead: NotRead[] = [];
  for (const file of listed) {
    const choice = selection.choose(file.path);
    if (choice === 'excluded') notRead.push({ path: file.path, reason: 'excluded' });
    else if (file.unreadable !== undefined) {
      // A link or submodule with any name may lead to manifests.
      const concerns =
        choice !== 'outside' || (selection.isInRestriction(file.path) && !selection.isExcluded(file.path));
      if (concerns) notRead.push({ path: file.path, reason: file.unreadable });
    } else if (choice !== 'outside') wanted.push({ listed: file, selected: choice === 'selected' });
  }
  wanted.sort((a, b) => comparePaths(a.listed.path, b.listed.path));
  return { wanted, notRead };
}

export async function readFiles(
  root: string,
  repository: GitRepository | undefined,
  wanted: readonly WantedFile[],
  known: KnownFiles = new Map(),
): Promise<{ files: DiscoveredFile[]; failed: NotRead[]; isLarge: boolean }> {
  const sameFile = ({ path, blob }: ListedFile): SourceFile | undefined => {
    const found = known.get(path);
    return found !== undefined && found.blob === blob?.id ? found.file : undefined;
  };
  const unread = wanted.filter(({ listed }) => sameFile(listed) === undefined);
  const texts = new TextStore();
  const read = (await blobReader(repository, unread, texts)) ?? workTreeReader(root, texts);
  const files: DiscoveredFile[] = [];
  const failed: NotRead[] = [];
  let total = 0;
  for (const { listed, selected } of wanted) {
    const same = sameFile(listed);
    const result =
      limitReached(files.length, total) ?? (same ? { file: same, bytes: listed.blob?.size ?? 0 } : read(listed));
    if ('reason' in result) failed.push({ path: listed.path, reason: result.reason });
    else if ('file' in result) {
      total += result.bytes;
      files.push({ file: result.file, selected });
    } else {
      total += result.bytes;
      files.push({ file: new SourceFile(listed.path, result.text), selected });
    }
  }
  return { files, failed, isLarge: texts.isLarge };
}

function limitReached(files: number, totalBytes: number): { reason: SkipReason } | undefined {
  if (files >= MAXIMUM_FILES) return { reason: 'too-many-files' };
  return totalBytes >= MAXIMUM_TOTAL_BYTES ? { reason: 'total-size-exceeded' } : undefined;
}

/** The reader adds each text to the run's store. */
type Read = (file: ListedFile) => { readonly text: KeptText; readonly bytes: number } | { readonly reason: SkipReason };

function workTreeReader(root: string, texts: TextStore): Read {
  const reader = new FileReader(root);
  return (file) => keptIn(texts, reader.read(file.path));
}

function keptIn(texts: TextStore, result: ReadResult): ReturnType<Read> {
  return 'text' in result ? { text: texts.add(result.text), bytes: result.bytes } : result;
}

/** Reads files of a commit. Requests all blobs that can be within the limits in one batch. */
async function blobReader(
  repository: GitRepository | undefined,
  wanted: readonly WantedFile[],
  texts: TextStore,
): Promise<Read | undefined> {
  const blobs = wanted.flatMap(({ listed }) => (listed.blob === undefined ? [] : [listed.blob]));
  if (repository === undefined || blobs.length === 0) return undefined;
  const ids: ObjectId[] = [];
  let total = 0;
  for (const { id, size } of blobs) {
    if (size > MAXIMUM_FILE_BYTES || total > MAXIMUM_TOTAL_BYTES) continue;
    total += size;
    ids.push(id);
  }
  const contents = await repository.readBlobs(ids, (content) => keptIn(texts, readBytes(content)));
  return ({ blob }) => {
    const content = blob && contents.get(blob.id);
    return content ?? { reason: (blob?.size ?? 0) > MAXIMUM_FILE_BYTES ? 'file-too-large' : 'total-size-exceeded' };
  };
}

function foldersOf(files: readonly ListedFile[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

async function realDirectory(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (error) {
    throw new WorkspaceError('path-not-found', `there is no folder \`${directory}\``, { cause: error });
  }
}

function fileSystemRoot(root: string): WorkspaceError {
  return new WorkspaceError(
    'file-system-root',
    `\`${root}\` is the root of the file system and not in a Git repository`,
    {
      hint: 'give the folder that contains the manifests',
    },
  );
}

function requireRepository(repository: GitRepository | undefined, root: string): GitRepository {
  if (repository !== undefined) return repository;
  throw new WorkspaceError('bad-revision', `\`${root}\` is not in a Git checkout, so no commit can be read`);
}

function selectionOf(options: SelectionOptions): Selection {
  try {
    return new Selection(options);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new WorkspaceError('bad-glob', error.message, { hint: error.hint });
  }
}
