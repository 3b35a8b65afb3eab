// Files of a work tree as they are now, whether Git tracks them or not: what somebody is writing.
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

  /** `root`: a real path; nothing outside of it is read. */
  constructor(root: string) {
    this.#root = root;
    this.#reader = new FileReader(root);
  }

  /** A file, or the files of a folder and the folders in it, sorted by path; undefined if there is nothing. Links are not followed. */
  at(path: string, isWanted: (path: string) => boolean): readonly SourceFile[] | undefined {
    const status = statSync(join(this.#root, path), { throwIfNoEntry: false });
    if (status?.isFile()) return this.#read([path]);
    if (!status?.isDirectory()) return undefined;
    return this.#read(this.pathsBeneath(path).filter(isWanted));
  }

  /** Of files, sorted; without `.git` and `node_modules`. Throws WorkspaceError if there are more than a run reads. */
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
          hint: 'name the files or a folder that holds fewer',
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
    // Gone since its parent was read, or closed to us: nothing of it is there to be tested.
    return [];
  }
}
