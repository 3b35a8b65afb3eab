// The content of a policy source of any kind, and the rules for its files.
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import { SKIP_REASONS, type SkipReason } from '../../inventory/skip-reason.ts';
import { listedTree } from '../../render/engine/listed-tree.ts';
import { compileGlobs, type PathFilter } from '../../settings/path-filter.ts';
import type { PolicySource } from '../../settings/policy-source.ts';
import { DEFAULT_EXCLUDE, KUSTOMIZATION_NAMES } from '../../settings/selection.ts';
import { baseName } from '../../source/text/repository-path.ts';
import { SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { comparePaths } from '../discover/list-files.ts';
import { type ReadResult, readBytes } from '../files/read-file.ts';
import { sourceError } from './source-error.ts';

/** Paths are relative to the source's root. */
export interface SourceContent {
  readonly name: string;
  /** Description of the version, e.g. `v1.2.0, commit 0123…`; empty for folders. */
  readonly version: string;
  /** Sorted by path. */
  readonly files: readonly DiscoveredFile[];
  /** All paths, read or not. */
  readonly paths: ReadonlySet<string>;
  readonly tree: FileTree;
  readonly location?: SourceLocation;
}

/** Files of an archive; `undefined` for links and devices, which have no content. */
export type ArchiveFiles = ReadonlyMap<string, Uint8Array | undefined>;

/** Selects the files that match `include`. Kustomizations are always read, because they affect which files are applied. */
export function chooser({ include }: PolicySource): (path: string) => 'selected' | 'context' | 'outside' {
  const isIncluded: PathFilter = compileGlobs(include);
  const isExcluded: PathFilter = compileGlobs(DEFAULT_EXCLUDE);
  return (path) => {
    if (isExcluded(path)) return 'outside';
    if (isIncluded(path)) return 'selected';
    return KUSTOMIZATION_NAMES.has(baseName(path)) ? 'context' : 'outside';
  };
}

/** Throws for an unreadable file, because it may contain the policy that denies. */
export function readableFile(source: PolicySource, path: string, result: ReadResult): SourceFile {
  if ('text' in result) return new SourceFile(path, result.text);
  throw sourceError(
    source,
    'source-malformed',
    `contains \`${path}\`, which cannot be read: ${meaningOf(result.reason)}`,
    {
      hint: 'select the files with policies by `include`, or fix this file',
    },
  );
}

function meaningOf(reason: SkipReason): string {
  if (reason === 'symbolic-link') return 'it is a symbolic link or a device';
  return SKIP_REASONS[reason].meaning;
}

/** Throws WorkspaceError if no file matches `include`. */
export function requireFiles(source: PolicySource, files: readonly DiscoveredFile[]): void {
  if (files.some(({ selected }) => selected)) return;
  throw sourceError(
    source,
    'source-missing',
    `contains no file that ${source.include.map((glob) => `\`${glob}\``).join(', ')} matches`,
    {
      hint: 'check its `include`; its globs are relative to the root of the source',
    },
  );
}

/** `bytes`: uncompressed size of the selected files. */
export function requireSize(source: PolicySource, bytes: number, maximumBytes: number): void {
  if (bytes <= maximumBytes) return;
  throw sourceError(
    source,
    'source-too-large',
    `contains more than ${Math.floor(maximumBytes / 1024 / 1024)} MiB of policies`,
    {
      hint: 'select the files with policies by `include`',
    },
  );
}

export function archiveContent(source: PolicySource, archive: ArchiveFiles, version: string): SourceContent {
  const choose = chooser(source);
  const paths = [...archive.keys()].sort(comparePaths);
  const files = paths.flatMap((path): readonly DiscoveredFile[] => {
    const choice = choose(path);
    if (choice === 'outside') return [];
    const bytes = archive.get(path);
    const result: ReadResult = bytes === undefined ? { reason: 'symbolic-link' } : readBytes(bytes);
    return [{ file: readableFile(source, path, result), selected: choice === 'selected' }];
  });
  requireFiles(source, files);
  const tree: FileTree = {
    kind: (path) => (archive.get(path) === undefined ? undefined : 'file'),
    read: (path) => archive.get(path),
    target: () => undefined,
    list: () => [],
  };
  return { name: source.name, version, files, paths: new Set(paths), tree: listedTree(tree, new Set(paths)) };
}

const MAXIMUM_PATH_LENGTH = 4_096;

/**
 * A path inside an archive or tree, without `./`. Undefined for a path that leads outside or has an unusual form,
 * because such a path is never accidental.
 */
export function safePath(name: string): string | undefined {
  if (name.length > MAXIMUM_PATH_LENGTH || name.startsWith('/') || /[\0\\]/.test(name) || /^[A-Za-z]:/.test(name))
    return undefined;
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : parts.join('/');
}
