// Parses the `-z` output of git: records end with NUL, so no file name can be mistaken for two.
import { isUtf8 } from 'node:buffer';
import { asBuffer } from '../files/bytes.ts';

/** SHA-1 or SHA-256 object name. */
export type ObjectId = string;

/** `100644` and `100755` are files, `120000` a symbolic link, `160000` a submodule. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: ObjectId;
  /** False if the name is not UTF-8; `path` then contains U+FFFD and does not name the file. */
  readonly nameIsUtf8: boolean;
  /** Bytes; undefined if git did not report it (index) or there is none (submodules). */
  readonly size?: number;
}

/** A path that differs between two commits; undefined on a side without the file. */
export interface FileChange {
  readonly path: string;
  readonly nameIsUtf8: boolean;
  readonly from: FileVersion | undefined;
  readonly to: FileVersion | undefined;
}

export type FileVersion = Pick<TreeEntry, 'mode' | 'id'>;

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function isObjectId(text: string): text is ObjectId {
  return OBJECT_ID.test(text);
}

/** Files of a work tree that Git tracks, and those that it neither tracks nor ignores. */
export interface IndexedFiles {
  readonly tracked: readonly TreeEntry[];
  readonly untracked: readonly string[];
}

/** `git ls-files -s -z`: `<mode> <id> <stage>\t<path>`. */
export function parseIndex(output: Uint8Array): TreeEntry[] {
  return indexEntries(records(output));
}

/** `git ls-files -t -s -c -o -z`: the records of `parseIndex` after a letter and a blank, and `? <path>`. */
export function parseTagged(output: Uint8Array): IndexedFiles {
  const tagged = records(output);
  const isUntracked = (record: Buffer): boolean => record[0] === QUESTION_MARK;
  return {
    tracked: indexEntries(tagged.flatMap((record) => (isUntracked(record) ? [] : [record.subarray(2)]))),
    untracked: tagged.flatMap((record) => (isUntracked(record) ? [record.toString('utf8', 2)] : [])),
  };
}

const QUESTION_MARK = 0x3f;

/** An unmerged path has several stages but is returned once. */
function indexEntries(found: readonly Buffer[]): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (const { head, path, nameIsUtf8 } of found.map(tabbed)) {
    const [mode = '', id = ''] = head.split(' ');
    if (entries.at(-1)?.path !== path) entries.push({ path, mode, id, nameIsUtf8 });
  }
  return entries;
}

/** `git ls-tree -r -z -l`: `<mode> <type> <id> <size, padded>\t<path>`. */
export function parseTree(output: Uint8Array): TreeEntry[] {
  return records(output).map((record) => {
    const { head, path, nameIsUtf8 } = tabbed(record);
    const [mode = '', , id = '', size = '-'] = head.split(/ +/);
    return size === '-' ? { path, mode, id, nameIsUtf8 } : { path, mode, id, nameIsUtf8, size: Number(size) };
  });
}

/** An entry of a folder: a file, a folder, or a submodule. */
export interface TopLevelEntry {
  readonly mode: string;
  readonly type: string;
  readonly id: ObjectId;
  readonly name: string;
}

/** `git ls-tree -z`: `<mode> <type> <id>\t<name>`. */
export function parseTopLevel(output: Uint8Array): TopLevelEntry[] {
  return records(output).map((record) => {
    const { head, path: name } = tabbed(record);
    const [mode = '', type = '', id = ''] = head.split(' ');
    return { mode, type, id, name };
  });
}

/** `git diff-tree --raw -z` without renames: `:<mode> <mode> <id> <id> <status>` NUL path NUL. */
export function parseRawDiff(output: Uint8Array): FileChange[] {
  const fields = records(output);
  const changes: FileChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (fields[index] as Buffer)
      .toString('latin1', 1)
      .split(' ');
    const name = fields[index + 1] as Buffer;
    changes.push({
      path: name.toString('utf8'),
      nameIsUtf8: isUtf8(name),
      from: versionOf(oldMode, oldId),
      to: versionOf(newMode, newId),
    });
  }
  return changes;
}

/** A mode of zeros means that the file does not exist. */
function versionOf(mode: string, id: ObjectId): FileVersion | undefined {
  return mode === '000000' ? undefined : { mode, id };
}

/** The parents in the raw commit object, first parent first. The header ends at the first empty line. */
export function parseParents(commit: Uint8Array): ObjectId[] {
  const parents: ObjectId[] = [];
  for (const line of asBuffer(commit).toString('latin1').split('\n')) {
    if (line === '') break;
    if (line.startsWith('parent ')) parents.push(line.slice('parent '.length));
  }
  return parents;
}

function tabbed(record: Buffer): { head: string; path: string; nameIsUtf8: boolean } {
  const tab = record.indexOf(9);
  const name = record.subarray(tab + 1);
  return { head: record.toString('latin1', 0, tab), path: name.toString('utf8'), nameIsUtf8: isUtf8(name) };
}

function records(bytes: Uint8Array): Buffer[] {
  const output = asBuffer(bytes);
  const found: Buffer[] = [];
  let start = 0;
  for (let end = output.indexOf(0); end >= 0; end = output.indexOf(0, start)) {
    found.push(output.subarray(start, end));
    start = end + 1;
  }
  return found;
}
