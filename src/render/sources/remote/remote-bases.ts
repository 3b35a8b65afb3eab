// The remote entries of kustomizations, and their replacement by folders that contain what was fetched.
import { isKustomizationName } from '../../../inventory/kustomize-references.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../source/json/json.ts';
import { textItems } from '../../../source/json/json-field.ts';
import { folderOf, joinPaths } from '../../../source/text/repository-path.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import { readYaml } from '../../../source/yaml/yaml-to-json.ts';
import { kustomizationIn } from '../kustomization/kustomization-file.ts';
import type { BaseReference } from './remote.ts';
import { parseRepositorySpec } from './repository-spec.ts';

/** By field: what kustomize loads there. `any`: a file, otherwise a folder. */
const FIELDS: Readonly<Record<string, BaseReference['as']>> = {
  resources: 'any',
  bases: 'any',
  generators: 'any',
  transformers: 'any',
  validators: 'any',
  components: 'folder',
  crds: 'file',
  configurations: 'file',
  patchesStrategicMerge: 'file',
};
/** Lists of objects with a `path`. */
const PATH_FIELDS = ['patches', 'patchesJson6902', 'replacements'] as const;
const GENERATORS = ['configMapGenerator', 'secretGenerator'] as const;
const GENERATOR_FILES = ['files', 'envs'] as const;
const REMOTE_FILE = /^https?:\/\/\S+$/i;
/** These annotations name the address of a base, which the replacement hides. */
const ORIGIN_OPTIONS = new Set(['originAnnotations', 'transformerAnnotations']);
const MAXIMUM_KUSTOMIZATIONS = 2_000;

/** A path to use instead of a remote entry; undefined leaves it. */
export type Replacement = (base: BaseReference) => string | undefined;

/** The text of a kustomization with its remote entries replaced; undefined if nothing changes. */
export function withReplacedBases(text: string, replacement: Replacement): string | undefined {
  const content = contentOf(text);
  if (content === undefined || textItems(content.get('buildMetadata')).some((option) => ORIGIN_OPTIONS.has(option))) {
    return undefined;
  }
  let isChanged = false;
  const replaced = mapBases(content, (base) => {
    const path = replacement(base);
    if (path !== undefined) isChanged = true;
    return path;
  });
  return isChanged ? stringifyJson(replaced, { sortKeys: false, escapeHtml: false }) : undefined;
}

export function basesIn(content: JsonObject): readonly BaseReference[] {
  const bases: BaseReference[] = [];
  mapBases(content, (base) => {
    bases.push(base);
    return undefined;
  });
  return bases;
}

/**
 * Remote entries that building a folder reads. `tree`: kustomizations as written. `overlay`: files that a controller writes first.
 * `folderOfBase`: the folder of a fetched entry, whose kustomization is followed.
 */
export function basesBelow(
  tree: FileTree,
  folder: string,
  overlay: ReadonlyMap<string, string> | undefined,
  folderOfBase: (base: BaseReference) => string | undefined,
): readonly BaseReference[] {
  const bases = new Map<string, BaseReference>();
  const seen = new Set<string>();
  const pending = [folder === '.' ? '' : folder];
  for (let next = pending.pop(); next !== undefined && seen.size < MAXIMUM_KUSTOMIZATIONS; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const content of kustomizationsIn(tree, next, overlay)) {
      for (const base of basesIn(content)) {
        bases.set(`${base.as} ${base.base}`, base);
        const fetched = folderOfBase(base);
        if (fetched !== undefined) pending.push(fetched);
      }
      for (const field of Object.keys(FIELDS)) {
        for (const entry of textItems(content.get(field))) {
          const below = joinPaths(next, entry).replace(/\/$/, '');
          if (!isRemote(entry, 'any') && tree.kind(below) === 'folder') pending.push(below);
        }
      }
    }
  }
  return [...bases.values()];
}

/** The written kustomization, and the one that a controller replaces it with. */
function kustomizationsIn(
  tree: FileTree,
  folder: string,
  overlay: ReadonlyMap<string, string> | undefined,
): readonly JsonObject[] {
  const made = [...(overlay?.keys() ?? [])].find((path) => isKustomizationName(path) && isDirectlyIn(path, folder));
  const path = kustomizationIn(tree, folder);
  const bytes = path === undefined ? undefined : tree.read(path);
  const texts = [bytes && new TextDecoder().decode(bytes), made && overlay?.get(made)];
  return texts.flatMap((text) => (text === undefined || text === '' ? [] : (contentOf(text) ?? [])));
}

function isDirectlyIn(path: string, folder: string): boolean {
  return folderOf(path) === (folder === '' ? '.' : folder);
}

function contentOf(text: string): JsonObject | undefined {
  const read = readYaml(text);
  return 'value' in read && isJsonObject(read.value) ? read.value : undefined;
}

function mapBases(content: JsonObject, replacement: Replacement): JsonObject {
  const changed = new Map(content);
  const replaced = (value: JsonValue, as: BaseReference['as']): JsonValue => {
    if (typeof value !== 'string' || !isRemote(value, as)) return value;
    return replacement({ base: value, as }) ?? value;
  };
  for (const [field, as] of Object.entries(FIELDS)) {
    const items = content.get(field);
    if (isJsonArray(items))
      changed.set(
        field,
        items.map((item) => replaced(item, as)),
      );
  }
  for (const field of PATH_FIELDS) {
    const items = content.get(field);
    if (!isJsonArray(items)) continue;
    changed.set(
      field,
      items.map((item) => withField(item, 'path', (path) => replaced(path, 'file'))),
    );
  }
  for (const field of GENERATORS) {
    const items = content.get(field);
    if (!isJsonArray(items)) continue;
    changed.set(
      field,
      items.map((item) => GENERATOR_FILES.reduce((each, list) => withSources(each, list, replaced), item)),
    );
  }
  return changed;
}

function withField(item: JsonValue, field: string, change: (value: JsonValue) => JsonValue): JsonValue {
  const value = isJsonObject(item) ? item.get(field) : undefined;
  return !isJsonObject(item) || value === undefined ? item : new Map([...item, [field, change(value)]]);
}

/** Entries have the form `[<key>=]<file>`. */
function withSources(item: JsonValue, list: string, replaced: (value: JsonValue, as: 'file') => JsonValue): JsonValue {
  return withField(item, list, (entries) =>
    isJsonArray(entries)
      ? entries.map((entry) => {
          const [, key = '', file = ''] = typeof entry === 'string' ? (/^([^=]+=)?([^=]+)$/.exec(entry) ?? []) : [];
          return file === '' ? entry : `${key}${String(replaced(file, 'file'))}`;
        })
      : entries,
  );
}

function isRemote(text: string, as: BaseReference['as']): boolean {
  if (text.includes('\n')) return false;
  if (as !== 'folder' && REMOTE_FILE.test(text)) return true;
  return as !== 'file' && parseRepositorySpec(text) !== undefined;
}
