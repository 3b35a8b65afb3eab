// Patches of custom resources, which the server holds as JSON.
import { copyJson } from '../../source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import type { MutableObject } from '../schema/typed-field.ts';
import type { MergeType } from './merge-type.ts';
import type { PatchTarget } from './patch-target.ts';
import { doubleJson } from './patched-json.ts';

/** `complete` sets the schema's defaults in place. `mergeType` is undefined if the kind is unknown; only its metadata has a schema then. */
export function untypedPatchTarget(
  mergeType: MergeType,
  complete: (object: MutableObject) => void,
  isAssumed = false,
): PatchTarget {
  const completed = (object: JsonObject): { readonly object: JsonObject } => {
    const copy = copyJson(object);
    complete(copy);
    return { object: copy };
  };
  return {
    mergeType,
    isAssumed,
    isTyped: false,
    fromMerged: (merged) => completed(merged),
    fromPatched(patched) {
      if (typeof patched.get('kind') !== 'string' || patched.get('kind') === '') {
        return { error: "Object 'Kind' is missing in the patched object" };
      }
      return completed(readAgain(patched) as JsonObject);
    },
    fromUnpatched: (object) => ({ object }),
  };
}

/** The object passes through JSON text, where a double without a fraction becomes an integer. */
function readAgain(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(readAgain);
  if (isJsonObject(value)) return new Map([...value].map(([key, item]): [string, JsonValue] => [key, readAgain(item)]));
  return typeof value === 'number' ? doubleJson(value) : value;
}
