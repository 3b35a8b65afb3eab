// Finds the first changed field of an object, as the location to report.
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** Deeper differences are reported at the field at this depth. */
const MAX_DEPTH = 40;

export interface Difference {
  readonly path: FieldPath;
  /** `value` for a scalar; `key` for lists and objects, which may be long. */
  readonly part: 'key' | 'value';
}

/** The first field of the later object, in its order, that differs from the earlier one. */
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
