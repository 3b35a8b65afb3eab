// Finds the values behind a field by experiment: changes candidates, renders again, and compares the field.

import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { RenderedObject, RenderOutcome } from '../engine/render-request.ts';
import type { MergedValues, ValueLeaf } from './chart-values.ts';
import { objectIdentity } from './written.ts';

/** Renders with changed values, merged over all others. */
export type Rerender = (changes: JsonValue) => RenderOutcome;

const MAXIMUM_RENDERINGS = 24;
const MAXIMUM_FOR_FIELD = 5;
const MAXIMUM_CANDIDATES = 24;

type Change = ValueLeaf['value'];
type Tried = ReadonlyMap<string, JsonValue> | undefined;

export class ValueTrials {
  readonly #rerender: Rerender;
  readonly #values: MergedValues;
  readonly #keys: readonly string[];
  readonly #tried = new Map<string, Tried>();
  #left = MAXIMUM_RENDERINGS;

  constructor(rerender: Rerender, values: MergedValues, objects: readonly RenderedObject[]) {
    this.#rerender = rerender;
    this.#values = values;
    this.#keys = keysOf(objects).map(({ key }) => key);
  }

  /** Candidates that change the field, the one with the last position in its text first. `index`: the object's number in the rendering. */
  deciding(index: number, path: FieldPath, value: JsonValue, candidates: readonly ValueLeaf[]): readonly ValueLeaf[] {
    const key = this.#keys[index];
    if (key === undefined) return [];
    const marked = candidates
      .slice(0, MAXIMUM_CANDIDATES)
      .map((leaf, number) => ({ leaf, change: changeOf(leaf.value, number) }));
    let left = MAXIMUM_FOR_FIELD;
    const distinct = marked.filter(({ change }) => typeof change !== 'boolean');
    if (distinct.length > 0) {
      left -= 1;
      const after = this.#fieldWith(key, path, distinct);
      const text = after === undefined ? '' : trialText(after).toLowerCase();
      const found = distinct
        .map(({ leaf, change }) => ({ leaf, at: text.lastIndexOf(markOf(change)) }))
        .filter(({ at }) => at >= 0)
        .sort((one, other) => other.at - one.at);
      if (found.length > 0) return found.map(({ leaf }) => leaf);
    }
    for (const one of marked.slice(0, left)) {
      const after = this.#fieldWith(key, path, [one]);
      if (after !== undefined && trialText(after) !== trialText(value)) return [one.leaf];
    }
    return [];
  }

  #fieldWith(
    key: string,
    path: FieldPath,
    changes: readonly { readonly leaf: ValueLeaf; readonly change: Change }[],
  ): JsonValue | undefined {
    const name = JSON.stringify(changes.map(({ leaf, change }) => [leaf.path, String(change)]));
    if (!this.#tried.has(name)) {
      if (this.#left <= 0) return undefined;
      this.#left -= 1;
      const outcome = this.#rerender(changesOf(changes, this.#values));
      this.#tried.set(name, 'failure' in outcome ? undefined : new Map(valuesOf(outcome.objects)));
    }
    const object = this.#tried.get(name)?.get(key);
    return object === undefined ? undefined : valueAt(object, path);
  }
}

function valuesOf(objects: readonly RenderedObject[]): readonly (readonly [string, JsonValue])[] {
  return keysOf(objects).map(({ key, value }) => [key, value]);
}

/** Objects of two renderings match if they have the same template, kind, and number among those. */
function keysOf(objects: readonly RenderedObject[]): readonly { readonly key: string; readonly value: JsonValue }[] {
  const counts = new Map<string, number>();
  return objects.map(({ text, template }) => {
    const value = readManifests(new SourceFile('', text)).manifests[0]?.value ?? null;
    const kind = [template, objectIdentity(value).kind].join('\0');
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return { key: `${kind}\0${count}`, value };
  });
}

/** A unique value of the same type. Short and in lower case, because templates cut and transform names. */
function changeOf(value: Change, number: number): Change {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${markText(number)}${value}`;
  return typeof value === 'bigint' ? BigInt(61_001 + number * 7) : 61_001.5 + number * 7;
}

function markText(number: number): string {
  return `z${String.fromCharCode(97 + number)}q9`;
}

function markOf(change: Change): string {
  return typeof change === 'string' ? change.slice(0, 4) : String(change);
}

export function trialText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value, { sortKeys: true, escapeHtml: false });
}

/** Helm replaces lists as a whole, so changing one item needs a copy of the list. */
function changesOf(
  changes: readonly { readonly leaf: ValueLeaf; readonly change: Change }[],
  values: MergedValues,
): JsonValue {
  const root = new Map<string, JsonValue>();
  for (const { leaf, change } of changes) {
    const { path } = leaf;
    const inList = path.findIndex((step) => typeof step === 'number');
    const keys = (inList < 0 ? path.slice(0, -1) : path.slice(0, inList - 1)).map(String);
    let map = root;
    for (const key of keys) {
      const known = map.get(key);
      const next = isJsonObject(known) ? (known as Map<string, JsonValue>) : new Map<string, JsonValue>();
      map.set(key, next);
      map = next;
    }
    if (inList < 0) map.set(String(path.at(-1)), change);
    else {
      const name = String(path[inList - 1]);
      const list = map.get(name) ?? copied(values.at(path.slice(0, inList)) ?? []);
      map.set(name, list);
      setIn(list, path.slice(inList), change);
    }
  }
  return root;
}

function copied(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(copied);
  return isJsonObject(value) ? new Map([...value].map(([key, item]) => [key, copied(item)])) : value;
}

function setIn(value: JsonValue, path: FieldPath, change: Change): void {
  const [step, ...rest] = path;
  if (isJsonArray(value) && typeof step === 'number') {
    if (rest.length === 0) (value as JsonValue[])[step] = change;
    else setIn(value[step] ?? null, rest, change);
  } else if (isJsonObject(value) && step !== undefined) {
    if (rest.length === 0) (value as Map<string, JsonValue>).set(String(step), change);
    else setIn(value.get(String(step)) ?? null, rest, change);
  }
}
