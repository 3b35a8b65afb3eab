// Decides for each path whether its manifests are asked for, whether it is read only as context, or not at all.
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { compileGlobs, type PathFilter } from '../settings/path-filter.ts';
import { systemErrorCode, WorkspaceError } from './workspace-error.ts';

/** Every folder may hold one, whatever `include` says; they decide which other files are patches. */
export const KUSTOMIZATION_NAMES: ReadonlySet<string> = new Set([
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
]);

export const DEFAULT_INCLUDE: readonly string[] = ['**/*.{yaml,yml,json}'];
export const DEFAULT_EXCLUDE: readonly string[] = ['**/node_modules/**'];

export interface SelectionOptions {
  /** Globs of the files whose manifests are asked for. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Globs of further files to read: policies, facts of the cluster. */
  readonly context?: readonly string[];
  /** Files and folders the sweep is restricted to, from the root; none: all of it. Files named here are read whatever the globs say. */
  readonly restriction: Restriction;
}

export interface Restriction {
  readonly files: ReadonlySet<string>;
  /** Without a final `/`; the root is the empty string. */
  readonly folders: readonly string[];
}

export type Choice = 'selected' | 'context' | 'excluded' | 'outside';

export class Selection {
  readonly #include: PathFilter;
  readonly #exclude: PathFilter;
  readonly #context: PathFilter;
  readonly #restriction: Restriction;

  constructor(options: SelectionOptions) {
    this.#include = compileGlobs(options.include ?? DEFAULT_INCLUDE);
    this.#exclude = compileGlobs(options.exclude ?? DEFAULT_EXCLUDE);
    this.#context = compileGlobs(options.context ?? []);
    this.#restriction = options.restriction;
  }

  choose(file: string): Choice {
    if (this.#restriction.files.has(file)) return 'selected';
    const included = this.isInRestriction(file) && this.#include(file);
    const isContext = this.#context(file);
    const isKustomization = KUSTOMIZATION_NAMES.has(path.posix.basename(file));
    if (this.#exclude(file)) return isKustomization ? 'context' : included ? 'excluded' : 'outside';
    if (included) return 'selected';
    return isContext || isKustomization ? 'context' : 'outside';
  }

  isInRestriction(file: string): boolean {
    return this.#restriction.folders.some((folder) => folder === '' || file.startsWith(`${folder}/`));
  }

  isExcluded(file: string): boolean {
    return this.#exclude(file);
  }
}

/**
 * Sorts paths given on the command line, relative to `directory`, into files and folders below `root`. `isFolder` says of
 * a path from the root what it is where the file system cannot be asked (a commit); by default the file system is.
 * Without paths the sweep is `directory` itself.
 */
export function restrict(
  root: string,
  directory: string,
  paths: readonly string[],
  isFolder: (path: string) => boolean | undefined = (file) => isFolderOnDisk(path.join(root, file)),
): Restriction {
  const files = new Set<string>();
  const folders: string[] = [];
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const relative = fromRoot(root, path.resolve(directory, given), given);
    const folder = relative === '' || isFolder(relative);
    if (folder === undefined) throw notFound(given);
    if (folder) folders.push(relative);
    else files.add(relative);
  }
  return { files, folders };
}

/** Links in the folders above the last name are followed, so that `/tmp/x` and `/private/tmp/x` are one place. */
function fromRoot(root: string, absolute: string, given: string): string {
  const relative = path.relative(root, path.join(realFolder(path.dirname(absolute)), path.basename(absolute)));
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    throw new WorkspaceError('path-outside-root', `\`${given}\` lies outside \`${root}\``, {
      hint: 'give paths inside one repository, or start in the folder that holds them',
    });
  }
  return relative.split(path.sep).join('/');
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function isFolderOnDisk(absolute: string): boolean | undefined {
  try {
    return lstatSync(absolute).isDirectory();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return undefined;
    throw new WorkspaceError('unreadable', `cannot read \`${absolute}\``, { cause: error });
  }
}

function notFound(given: string): WorkspaceError {
  return new WorkspaceError('path-not-found', `there is no file or folder \`${given}\``, {
    hint: 'paths are relative to the working directory',
  });
}
