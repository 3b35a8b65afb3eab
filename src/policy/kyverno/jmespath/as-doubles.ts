// Converts every number to a double, like Go's `encoding/json` with `interface{}`.

import { HiddenFields } from '../../../source/json/hidden-fields.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { ObjectList } from './search-value.ts';

/**
 * Returns the value itself if it contains no integer. A list from `items` becomes a plain list. Recursive: the nesting
 * must not exceed the limit for documents.
 */
export function asDoubles(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) {
    let changed: JsonValue[] | undefined = value instanceof ObjectList ? Array.from(value) : undefined;
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as JsonValue;
      const double = asDoubles(item);
      if (double === item) continue;
      changed ??= value.slice();
      changed[index] = double;
    }
    return changed ?? value;
  }
  if (value instanceof HiddenFields) return value.copied(asDoubles);
  if (isJsonObject(value)) {
    let changed: Map<string, JsonValue> | undefined;
    for (const [key, member] of value) {
      const double = asDoubles(member);
      if (double === member) continue;
      changed ??= new Map(value);
      changed.set(key, double);
    }
    return changed ?? value;
  }
  return value;
}
