// Finds the configuration and the baseline in the work tree, or in a commit that a pull request cannot change.
import path from 'node:path';
import { SKIP_REASONS, type SkipReason } from '../../inventory/skip-reason.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import { FileReader, type ReadResult, readBytes } from '../files/read-file.ts';
import type { ObjectId } from '../git/git-output.ts';
import type { GitRepository } from '../git/git-repository.ts';
import { WorkspaceError } from '../workspace-error.ts';

export const CONFIGURATION_NAMES: readonly string[] = ['.preadmit.yaml', '.preadmit.yml'];
export const BASELINE_NAME = '.preadmit-baseline.yaml';

export interface ConfigurationSource {
  /** Real path of the root folder. */
  readonly root: string;
  /** Path relative to the root; it must exist. Default: the first of the usual names that exists, if any. */
  readonly path?: string;
  /** Read from this commit instead of the work tree. */
  readonly commit?: { readonly repository: GitRepository; readonly id: ObjectId };
}

/** Undefined if no path is given and no file has a usual name. Links are not followed. */
export function readConfigurationFile(source: ConfigurationSource): Promise<SourceFile | undefined> {
  return readNamed(source, CONFIGURATION_NAMES, 'configuration');
}

/** Like `readConfigurationFile`, for the baseline. */
export function readBaselineFile(source: ConfigurationSource): Promise<SourceFile | undefined> {
  return readNamed(source, [BASELINE_NAME], 'baseline');
}

/**
 * The first of `paths` that exists, as text or with the reason why it cannot be read. Owners decide no verdict, so an unreadable file is no
 * error.
 */
export async function readFirstFile(
  { root, commit }: Pick<ConfigurationSource, 'root' | 'commit'>,
  paths: readonly string[],
): Promise<{ readonly path: string; readonly text?: string; readonly problem?: string } | undefined> {
  const read = commit === undefined ? workTree(root) : await commitReader(commit, paths);
  for (const candidate of paths) {
    const result = await read(candidate);
    if ('text' in result) return { path: candidate, text: result.text };
    if (result.reason !== 'missing-file') return { path: candidate, problem: meaningOf(result.reason) };
  }
  return undefined;
}

async function readNamed(
  source: ConfigurationSource,
  names: readonly string[],
  what: string,
): Promise<SourceFile | undefined> {
  const named = source.path === undefined ? undefined : insideRoot(source.path, what);
  const candidates = named === undefined ? names : [named];
  const read = source.commit === undefined ? workTree(source.root) : await commitReader(source.commit, candidates);
  for (const candidate of candidates) {
    const result = await read(candidate);
    if ('text' in result) return new SourceFile(candidate, result.text);
    if (result.reason !== 'missing-file') throw unreadable(what, candidate, meaningOf(result.reason));
  }
  if (named === undefined) return undefined;
  throw new WorkspaceError('path-not-found', `there is no ${what} \`${named}\``, {
    hint: 'the path is relative to the root of the repository',
  });
}

type Read = (path: string) => ReadResult | Promise<ReadResult>;

function workTree(root: string): Read {
  const reader = new FileReader(root);
  return (candidate) => reader.read(candidate);
}

async function commitReader(
  { repository, id }: NonNullable<ConfigurationSource['commit']>,
  candidates: readonly string[],
): Promise<Read> {
  const entries = (await repository.listTree(id)).filter(({ path: name }) => candidates.includes(name));
  return async (candidate) => {
    const entry = entries.find(({ path: name }) => name === candidate);
    if (entry === undefined) return { reason: 'missing-file' };
    if (!entry.mode.startsWith('100')) return { reason: 'symbolic-link' };
    return (await repository.readBlobs([entry.id], readBytes)).get(entry.id) ?? { reason: 'missing-file' };
  };
}

function insideRoot(given: string, what: string): string {
  const normal = path.posix.normalize(given.replaceAll(path.sep, '/'));
  if (normal === '..' || normal.startsWith('../') || path.isAbsolute(given)) {
    throw new WorkspaceError('path-outside-root', `the ${what} \`${given}\` is outside the repository`);
  }
  return normal;
}

function meaningOf(reason: SkipReason): string {
  if (reason === 'special-file') return 'it is a folder or a device';
  return reason === 'symbolic-link' ? 'it is a symbolic link' : SKIP_REASONS[reason].meaning;
}

function unreadable(what: string, file: string, meaning: string): WorkspaceError {
  return new WorkspaceError('unreadable', `the ${what} \`${file}\` cannot be read: ${meaning}`);
}
