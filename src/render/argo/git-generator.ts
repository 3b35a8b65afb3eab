// The git generator of an ApplicationSet: parameters for folders, or for JSON and YAML files, of this repository.
import { append } from '../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, textField } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { baseName, folderOf } from '../../source/text/repository-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../engine/file-tree.ts';
import type { UnknownPart } from '../sources/controller.ts';
import { type PathMatcher, pathMatcher } from './glob.ts';
import { flattened, pathParameters } from './parameters.ts';
import type { Parameters } from './template-text.ts';
import { readText, walk } from './tree-path.ts';

/** Made once for a tree: a matrix may ask for every set of its first generator. */
export interface TreeListing {
  /** Without hidden ones, in the order of the walk. */
  readonly folders: readonly string[];
  /** With links, sorted. */
  readonly files: readonly string[];
}

export function treeListing(tree: FileTree): TreeListing {
  const folders: string[] = [];
  const files: string[] = [];
  for (const path of walk(tree, '')) {
    if (tree.kind(path) !== 'folder') files.push(path);
    else if (!/(?:^|\/)\./.test(path)) folders.push(path);
  }
  return { folders, files: files.sort() };
}

/** With directories and files, the directories count. Order: of the walk for directories, of the paths for files. */
export function gitParameters(
  git: JsonObject,
  isGo: boolean,
  tree: FileTree,
  listing: TreeListing,
): readonly Parameters[] | UnknownPart {
  const prefix = textField(git, 'pathParamPrefix');
  const directories = objectItems(git.get('directories'));
  if (directories.length > 0) {
    const isTaken = selection(directories, 'path');
    return listing.folders.filter(isTaken).map((path) => pathParameters(path, prefix, isGo));
  }
  const files = objectItems(git.get('files'));
  if (files.length === 0) {
    return { unknown: 'a git generator has neither directories nor files', help: 'give it one of them' };
  }
  const isTaken = selection(files, 'pathspec');
  const sets: Parameters[] = [];
  for (const path of listing.files.filter(isTaken)) {
    const found = fileParameters(path, prefix, isGo, tree);
    if ('unknown' in found) return found;
    append(sets, found);
  }
  return sets;
}

/** Taken by one pattern, and by none with `exclude`. A pattern that cannot be read matches nothing. */
function selection(entries: readonly JsonObject[], style: 'path' | 'pathspec'): PathMatcher {
  const matchers = entries.map((entry) => ({
    matches: pathMatcher(textField(entry, 'path'), style) ?? (() => false),
    excludes: entry.get('exclude') === true,
  }));
  return (path) => {
    const matching = matchers.filter(({ matches }) => matches(path));
    return matching.length > 0 && matching.every(({ excludes }) => !excludes);
  };
}

/** An object, or an array of objects; an empty file is one object without fields. */
function fileParameters(
  path: string,
  prefix: string,
  isGo: boolean,
  tree: FileTree,
): readonly Parameters[] | UnknownPart {
  const text = readText(tree, path) ?? '';
  const { manifests, problems } = readManifests(new SourceFile(path, text));
  const value: JsonValue = manifests[0]?.value ?? new Map();
  const objects = isJsonArray(value) ? value : [value];
  if (problems[0] !== undefined || !objects.every((object) => isJsonObject(object) || object === null)) {
    const why = problems[0]?.message ?? 'neither an object nor an array of objects';
    return { unknown: `unable to parse file: ${path}: ${why}`, help: 'correct the file, or exclude it' };
  }
  const own = pathParameters(folderOf(path), prefix, isGo, baseName(path));
  return objects.map((object) => {
    const content = isJsonObject(object) ? object : new Map<string, JsonValue>();
    return new Map<string, JsonValue>([...(isGo ? content : flattened(content)), ...own]);
  });
}
