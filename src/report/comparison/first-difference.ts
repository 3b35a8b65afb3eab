// Where a changed object is another one: the field that a reader of the change looks at.
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** Deeper differences are told of the field at this depth. */
const MAX_DEPTH = 40;

export interface Difference {
  readonly path: FieldPath;
  /** The value of a scalar; of lists and objects, which may be long, the key. */
  readonly part: 'key' | 'value';
}

/** The first field of the later object, in its own order, that the earlier one does not have so. */
export function firstDifference(before: JsonValue, after: JsonValue): Difference {
  const path: (string | number)[] = [];
  let [old, now]: [JsonValue | undefined, JsonValue] = [before, after];
  while (path.length < MAX_DEPTH) {
    const earlier = old;
    const different = childrenOf(now).find(([key, value]) => {
      const same = childOf(earlier, key);
      return same === undefined || !isSameJson(same, value);
    });
    if (different === undefined) break;
    const [key, value] = different;
    path.push(key);
    [old, now] = [childOf(old, key), value];
    if (old === undefined) break;
  }
  return { path, part: isJsonArray(now) || isJsonObject(now) ? 'key' : 'value' };
}

function childrenOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (isJsonArray(value)) return [...value.entries()];
  return isJsonObject(value) ? [...value] : [];
}

function childOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (typeof key === 'number') return isJsonArray(value) ? value[key] : undefined;
  return isJsonObject(value) ? value.get(key) : undefined;
}
