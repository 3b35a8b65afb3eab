// Reads the current files of a work tree, whether or not Git tracks them.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SourceFile } from '../../source/text/source-file.ts';
import { MAXIMUM_FILES } from '../files/limits.ts';
import { FileReader } from '../files/read-file.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { comparePaths } from './list-files.ts';

const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Reads each file once. */
export class WorkTreeFiles {
  readonly #root: string;
  readonly #reader: FileReader;
  readonly #files = new Map<string, SourceFile | undefined>();

  /** `root`: a real path; nothing outside it is read. */
  constructor(root: string) {
    this.#root = root;
    this.#reader = new FileReader(root);
  }

  /** The file, or all files below the folder, sorted by path; undefined if there is none. Links are not followed. */
  at(path: string, isWanted: (path: string) => boolean): readonly SourceFile[] | undefined {
    const status = statSync(join(this.#root, path), { throwIfNoEntry: false });
    if (status?.isFile()) return this.#read([path]);
    if (!status?.isDirectory()) return undefined;
    return this.#read(this.pathsBeneath(path).filter(isWanted));
  }

  /** Sorted paths of files, without `.git` and `node_modules`. Throws WorkspaceError for more files than a run may read. */
  pathsBeneath(folder: string): readonly string[] {
    const found: string[] = [];
    const open = [folder];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const entry of entriesOf(join(this.#root, next))) {
        const path = next === '' || next === '.' ? entry.name : `${next}/${entry.name}`;
        if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) open.push(path);
        else if (entry.isFile()) found.push(path);
      }
      if (found.length > MAXIMUM_FILES) {
        throw new WorkspaceError('unreadable', `\`${folder || '.'}\` has more than ${MAXIMUM_FILES} files`, {
          hint: 'give single files or a smaller folder',
        });
      }
    }
    return found.sort(comparePaths);
  }

  #read(paths: readonly string[]): readonly SourceFile[] {
    return paths.flatMap((path) => {
      if (!this.#files.has(path)) {
        const read = this.#reader.read(path);
        this.#files.set(path, 'text' in read ? new SourceFile(path, read.text) : undefined);
      }
      const file = this.#files.get(path);
      return file === undefined ? [] : [file];
    });
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Removed since its parent was read, or not readable: then it has no files to test.
    return [];
  }
}
