// Single values: parameters of an Application and `targetPath` values of a HelmRelease. They override all other values.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectItems, textField, valueAt } from '../../source/json/json-field.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import type { HelmSetting } from '../engine/render-request.ts';
import { type MergedValues, pathIn, type ValueLayer } from './chart-values.ts';
import type { Written } from './written.ts';

interface SetValue {
  readonly path: FieldPath;
  readonly value: JsonValue;
  readonly name: string;
}

interface SetPlaces {
  readonly declaration: Written | undefined;
  readonly declared: () => SourceLocation;
  /** Location of the text if the declaration takes the value from another object; undefined if it does not. */
  readonly taken: (name: string) => { readonly document: Written; readonly path: FieldPath } | undefined;
}

/** `before`: the other given values, without the chart's own. Setting one list item copies the list from them. */
export function setLayer(
  settings: readonly HelmSetting[],
  before: MergedValues,
  { declaration, declared, taken }: SetPlaces,
): readonly ValueLayer[] {
  const set = settings.flatMap(setValueOf);
  if (set.length === 0) return [];
  const values = new Map<string, JsonValue>();
  for (const { path, value } of set) put(values, path, value, before);
  const place = (path: FieldPath, part: LocatedPart): SourceLocation => {
    const given = set.findLast((each) => isStart(each.path, path));
    const text = given && taken(given.name);
    if (text !== undefined) return text.document.place(text.path, part);
    if (given !== undefined) return declaration === undefined ? declared() : placeOf(declaration, given.name, part);
    const layer = before.layerOf(path);
    const rest = layer && pathIn(layer, path);
    return layer?.document === undefined || rest === undefined ? declared() : layer.document.place(rest, part);
  };
  const document = { value: values, place, placeText: (path: FieldPath) => place(path, 'value') };
  return [{ values, at: [], document }];
}

/** Changed values as settings, because settings override all other values. */
export function asSettings(changes: JsonValue): readonly HelmSetting[] {
  const settings: HelmSetting[] = [];
  const visit = (value: JsonValue, name: string): void => {
    if (isJsonObject(value) && value.size > 0) {
      for (const [key, item] of value) visit(item, `${name}${name === '' ? '' : '.'}${escaped(key)}`);
    } else if (name !== '') {
      settings.push({ as: 'json', text: `${name}=${stringifyJson(value, { sortKeys: false, escapeHtml: false })}` });
    }
  };
  visit(changes, '');
  return settings;
}

function escaped(key: string): string {
  return key.replace(/[.,=[\]\\]/g, '\\$&');
}

/** Skips files and lists in braces: their text is not a single value. */
function setValueOf({ as, text }: HelmSetting): readonly SetValue[] {
  const [, name = '', written = ''] = /^((?:\\.|[^=\\])*)=([\s\S]*)$/.exec(text) ?? [];
  const path = pathOf(name);
  if (path === undefined || as === 'file' || as === 'json' || written.startsWith('{')) return [];
  const plain = written.replace(/\\([\s\S])/g, '$1');
  return [{ path, name, value: as === 'value' ? typed(plain) : plain }];
}

function typed(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return /^-?(?:0|[1-9]\d{0,17})$/.test(text) ? BigInt(text) : text;
}

function pathOf(name: string): FieldPath | undefined {
  const path: (string | number)[] = [];
  for (const step of name.split(/(?<!\\)\./)) {
    const [, key, indices = ''] = /^((?:\\.|[^[\\])+)((?:\[\d{1,5}\])*)$/.exec(step) ?? [];
    if (key === undefined) return undefined;
    path.push(key.replace(/\\(.)/g, '$1'));
    for (const [digits] of indices.matchAll(/\d+/g)) path.push(Number(digits));
  }
  return path;
}

function put(values: Map<string, JsonValue>, path: FieldPath, value: JsonValue, before: MergedValues): void {
  let at: JsonValue = values;
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1;
    const known = valueAt(at, [step]);
    const next: JsonValue = isLast ? value : (known ?? containerFor(path, depth, before));
    if (isJsonArray(at) && typeof step === 'number') (at as JsonValue[])[step] = next;
    else if (isJsonObject(at)) (at as Map<string, JsonValue>).set(String(step), next);
    else return;
    at = next;
  }
}

/** A map is merged over the earlier value; a list replaces it. */
function containerFor(path: FieldPath, depth: number, before: MergedValues): JsonValue {
  const isInList = path.slice(0, depth + 1).some((step) => typeof step === 'number');
  const known = before.at(path.slice(0, depth + 1));
  if (typeof path[depth + 1] === 'number') return isJsonArray(known) ? known.map(copied) : [];
  return isInList && isJsonObject(known) ? copied(known) : new Map();
}

function copied(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(copied);
  return isJsonObject(value) ? new Map([...value].map(([key, item]) => [key, copied(item)])) : value;
}

function isStart(start: FieldPath, path: FieldPath): boolean {
  return start.length <= path.length && start.every((step, index) => step === path[index]);
}

/** Location of the Application parameter, or of the HelmRelease reference with this path. */
function placeOf(declaration: Written, name: string, part: LocatedPart): SourceLocation {
  const { value } = declaration;
  const sources = objectItems(valueAt(value, ['spec', 'sources'])).map((_, index) => ['spec', 'sources', index]);
  for (const source of [['spec', 'source'], ...sources]) {
    const list = [...source, 'helm', 'parameters'];
    const found = lastNamed(objectItems(valueAt(value, list)), 'name', name);
    if (found >= 0) return declaration.place([...list, found, 'value'], part);
  }
  const list = ['spec', 'valuesFrom'];
  const found = lastNamed(objectItems(valueAt(value, list)), 'targetPath', name);
  return declaration.place(found < 0 ? ['kind'] : [...list, found, 'targetPath'], part);
}

function lastNamed(items: readonly JsonObject[], field: string, name: string): number {
  return items.findLastIndex((item) => textField(item, field) === name);
}
