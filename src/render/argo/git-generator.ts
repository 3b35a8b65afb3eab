// The git generator of an ApplicationSet: parameters for folders, or for JSON and YAML files, of this repository.
import { append } from '../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, textField } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { baseName, folderOf } from '../../source/text/repository-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { UnknownPart } from '../sources/controller.ts';
import { type PathMatcher, pathMatcher } from './glob.ts';
import { flattened, pathParameters } from './parameters.ts';
import type { Parameters } from './template-text.ts';
import { readText, walk } from './tree-path.ts';

/** Built once per tree, because a matrix queries it for every set of its first generator. */
export interface TreeListing {
  /** Without hidden folders, in walk order. */
  readonly folders: readonly string[];
  /** Including links, sorted. */
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

/** `directories` takes precedence over `files`, which are added to `reads`. Directories are in walk order, files in path order. */
export function gitParameters(
  git: JsonObject,
  isGo: boolean,
  tree: FileTree,
  listing: TreeListing,
  reads: Set<string>,
): readonly Parameters[] | UnknownPart {
  const prefix = textField(git, 'pathParamPrefix');
  const directories = objectItems(git.get('directories'));
  if (directories.length > 0) {
    const isTaken = selection(directories, 'path');
    return listing.folders.filter(isTaken).map((path) => pathParameters(path, prefix, isGo));
  }
  const files = objectItems(git.get('files'));
  if (files.length === 0) {
    return { unknown: 'a git generator has neither directories nor files', help: 'add one of them' };
  }
  const isTaken = selection(files, 'pathspec');
  const sets: Parameters[] = [];
  for (const path of listing.files.filter(isTaken)) {
    reads.add(path);
    const found = fileParameters(path, prefix, isGo, tree);
    if ('unknown' in found) return found;
    append(sets, found);
  }
  return sets;
}

/** Selects paths that match a pattern and no `exclude` pattern. An invalid pattern matches nothing. */
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

/** The file holds an object or an array of objects; an empty file is one object without fields. */
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
