// A Kubernetes object to apply: a manifest, or one item of a List manifest.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField, valueAt } from '../../source/json/json-field.ts';
import type { LocatedPart, Manifest } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { OwnText } from '../../source/text/own-text.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { keptText } from '../../source/yaml/recurring-text.ts';
import { formatApiVersion, isSecretKind, type OwnKind, parseApiVersion, recurringKind } from './group-version.ts';

/** Maximum depth of nested Lists; the API server's decoder expands one level only. */
const MAX_LIST_DEPTH = 8;

/** Shared root path of all resources that are not List items, to save memory. */
const WHOLE: FieldPath = [];

/** Kept small, because a repository may have a million. */
export class Resource {
  readonly manifest: Manifest;
  /** Path from the document's root to the object: empty, or `items` and an index for items of a List. */
  readonly rootPath: FieldPath;
  readonly gvk: OwnKind;
  /** `metadata.name`; empty if absent or not a string. */
  readonly name: OwnText;
  readonly generateName: OwnText;
  /** `metadata.namespace` as written; empty if absent. */
  readonly namespace: OwnText;
  /** What the manifest does not hold. */
  readonly #changed: JsonObject | undefined;

  /** `changed` is another value than the manifest has there. */
  constructor(manifest: Manifest, rootPath: FieldPath, gvk: OwnKind, changed?: JsonObject) {
    this.manifest = manifest;
    this.rootPath = rootPath.length === 0 ? WHOLE : rootPath;
    this.gvk = gvk;
    this.#changed = changed;
    const metadata = objectOrEmpty(this.value.get('metadata'));
    this.name = keptText(textField(metadata, 'name'));
    this.generateName = keptText(textField(metadata, 'generateName'));
    this.namespace = keptText(textField(metadata, 'namespace'));
  }

  /** The manifest may parse its text again, so the result may be a new object with the same content. */
  get value(): JsonObject {
    return this.#changed ?? objectOrEmpty(valueAt(this.manifest.value, this.rootPath));
  }

  get apiVersion(): string {
    return formatApiVersion(this.gvk.group, this.gvk.version);
  }

  /** Location of a field. Falls back to the deepest existing parent, then to `kind`; never to the first line. */
  locate(asked: FieldPath, part: LocatedPart): SourceLocation {
    const path = asWritten(this, asked);
    const written = this.manifest.deepestPath([...this.rootPath, ...path]);
    const exact = written.length === this.rootPath.length + path.length;
    // Rendering may have removed a field that is missing here.
    const known = this.manifest.root === undefined ? written : [...this.rootPath, ...path];
    const full = written.length > this.rootPath.length ? known : [...this.rootPath, 'kind'];
    return this.manifest.place(full, exact ? part : 'key');
  }

  /** Location of a range in a string field. Offsets are in code points of the decoded string; the end is exclusive. */
  locateText(path: FieldPath, start: number, end: number): SourceLocation {
    return this.manifest.placeText([...this.rootPath, ...path], start, end);
  }
}

/** The server stores the `stringData` of a Secret in `data`. */
function asWritten({ gvk, value }: Resource, path: FieldPath): FieldPath {
  const [first, key] = path;
  if (first !== 'data' || key === undefined || !isSecretKind(gvk)) return path;
  return objectOrEmpty(value.get('stringData')).has(String(key)) ? ['stringData', ...path.slice(1)] : path;
}

export type ResourceResult =
  | { readonly resource: Resource }
  /** An object or List item without a required field, or a List without items. */
  | { readonly missing: 'apiVersion' | 'kind' | 'object' | 'items'; readonly rootPath: FieldPath };

/**
 * The resources of a document. An object whose kind ends in `List` and that has an `items` array is replaced by its
 * items (apimachinery `unstructuredJSONScheme`). Items without apiVersion and kind inherit them from the List.
 */
export function resourcesOf(manifest: Manifest): readonly ResourceResult[] {
  const results: ResourceResult[] = [];
  collect(manifest, [], manifest.value, undefined, results);
  return results;
}

function collect(
  manifest: Manifest,
  path: FieldPath,
  value: JsonValue,
  inherited: { readonly apiVersion: string; readonly kind: string } | undefined,
  results: ResourceResult[],
): void {
  if (!isJsonObject(value)) {
    results.push({ missing: 'object', rootPath: path });
    return;
  }
  const apiVersion = nonEmptyString(value.get('apiVersion')) ?? inherited?.apiVersion;
  const kind = nonEmptyString(value.get('kind')) ?? inherited?.kind;
  const groupVersion = apiVersion === undefined ? undefined : parseApiVersion(apiVersion);
  if (apiVersion === undefined || groupVersion === undefined) {
    results.push({ missing: 'apiVersion', rootPath: path });
    return;
  }
  if (kind === undefined) {
    results.push({ missing: 'kind', rootPath: path });
    return;
  }
  const items = value.get('items');
  if (kind.endsWith('List') && isJsonArray(items) && path.length / 2 < MAX_LIST_DEPTH) {
    if (items.length === 0) results.push({ missing: 'items', rootPath: path });
    const itemKind = kind === 'List' ? undefined : { apiVersion, kind: kind.slice(0, -'List'.length) };
    for (const [index, item] of items.entries()) collect(manifest, [...path, 'items', index], item, itemKind, results);
    return;
  }
  const isBareList = kind === 'List' && groupVersion.group === '' && !isJsonArray(items);
  if (isBareList) results.push({ missing: 'items', rootPath: path });
  else {
    const gvk = recurringKind(groupVersion.group, groupVersion.version, kind);
    results.push({ resource: new Resource(manifest, path, gvk) });
  }
}

function nonEmptyString(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
