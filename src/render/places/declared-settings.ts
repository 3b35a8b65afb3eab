// Maps a file that a controller generates back to its sources: the declaration, or the repository file that it replaces.
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { depthOf, type Written } from './written.ts';

/** Names of kustomization fields in declarations. */
const OTHER_NAMES: ReadonlyMap<string, readonly FieldPath[]> = new Map<string, readonly FieldPath[]>([
  ['namespace', [['targetNamespace']]],
  ['commonLabels', [['commonMetadata', 'labels']]],
  ['commonAnnotations', [['commonMetadata', 'annotations']]],
  ['patches', [['patchesStrategicMerge'], ['patchesJson6902']]],
]);

const MAXIMUM_ITEMS = 1000;

/** `hidden`: the repository file that the generated file replaces. */
export function declaredSettings(
  overlaid: Written,
  hidden: Written | undefined,
  declaration: Written | undefined,
  declared: () => SourceLocation,
): Written {
  const find = (path: FieldPath): { readonly document: Written; readonly path: FieldPath } | undefined => {
    for (const document of [declaration, hidden]) {
      if (document === undefined) continue;
      const found = placesOf(document, document === declaration).flatMap((container) => {
        const there = samePath(overlaid.value, path, document.value, container);
        return there === undefined ? [] : [there];
      });
      const [deepest] = found.sort((one, other) => other.length - one.length);
      if (deepest !== undefined) return { document, path: deepest };
    }
    return undefined;
  };
  return {
    value: overlaid.value,
    place: (path, part) => {
      const found = find(path);
      return found === undefined ? declared() : found.document.place(found.path, part);
    },
    placeText: (path, start, end) => {
      const found = find(path);
      if (found === undefined) return declared();
      const isSame = valueAt(found.document.value, found.path) === valueAt(overlaid.value, path);
      return isSame ? found.document.placeText(found.path, start, end) : found.document.place(found.path, 'value');
    },
  };
}

function placesOf({ value }: Written, isDeclaration: boolean): readonly FieldPath[] {
  if (!isDeclaration) return [[]];
  const below = (path: FieldPath, field: string): readonly FieldPath[] => {
    const list = valueAt(value, path);
    return isJsonArray(list) ? list.slice(0, MAXIMUM_ITEMS).map((_, index) => [...path, index, field]) : [];
  };
  return [
    ['spec'],
    ['spec', 'source', 'kustomize'],
    ...below(['spec', 'sources'], 'kustomize'),
    ...below(['spec', 'postRenderers'], 'kustomize'),
  ];
}

/** Path of the same setting in another document; undefined if it is missing. */
function samePath(from: JsonValue, path: FieldPath, to: JsonValue, container: FieldPath): FieldPath | undefined {
  const [field, index, ...rest] = path;
  if (typeof field !== 'string') return undefined;
  for (const name of [[field], ...(OTHER_NAMES.get(field) ?? [])]) {
    const base = [...container, ...name];
    const there = valueAt(to, base);
    const here = valueAt(from, [field]);
    if (there === undefined || here === undefined) continue;
    if (typeof index !== 'number') {
      const full = index === undefined ? base : [...base, index, ...rest];
      const isThere =
        depthOf(to, full) === full.length && isSameJson(valueAt(to, full) ?? null, valueAt(from, path) ?? null);
      if (isThere) return full;
      continue;
    }
    if (!isJsonArray(there) || !isJsonArray(here)) continue;
    const position = indexOfItem(here[index], there);
    if (position === undefined) continue;
    const full = [...base, position, ...rest];
    return full.slice(0, depthOf(to, full));
  }
  return undefined;
}

/** Matches an equal item, one with the same patch, or an image in text form: `name=other:tag`. */
function indexOfItem(item: JsonValue | undefined, list: JsonArray): number | undefined {
  if (item === undefined) return undefined;
  const candidates = list.slice(0, MAXIMUM_ITEMS);
  const same = candidates.findIndex((each) => isSameJson(each, item));
  if (same >= 0) return same;
  if (!isJsonObject(item)) return undefined;
  const patch = item.get('patch');
  const name = item.get('name');
  const found = candidates.findIndex((each) => {
    if (isJsonObject(each)) return patch === undefined ? each.get('name') === name : each.get('patch') === patch;
    return typeof each === 'string' && typeof name === 'string' && isImageText(each, name);
  });
  return found < 0 ? undefined : found;
}

function isImageText(text: string, name: string): boolean {
  return text.startsWith(name) && ['=', ':', '@', undefined].includes(text[name.length]);
}
