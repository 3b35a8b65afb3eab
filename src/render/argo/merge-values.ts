// Merges JSON values by the rules of Argo CD: strategic patches of Applications, defaults.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';

/**
 * A strategic merge patch of an Application. Lists are replaced as a whole, except finalizers, because other lists have no merge key. Null
 * removes a field. `$patch: replace` and `$patch: delete` are supported.
 */
export function strategicPatch(value: JsonValue | undefined, patch: JsonValue, field = ''): JsonValue | undefined {
  if (isJsonArray(patch) && field === 'finalizers' && isJsonArray(value)) {
    return [...value, ...patch.filter((item) => !value.includes(item))];
  }
  if (!isJsonObject(patch)) return patch;
  const directive = patch.get('$patch');
  if (directive === 'delete') return undefined;
  const merged = new Map(isJsonObject(value) && directive !== 'replace' ? value : []);
  for (const [key, part] of patch) {
    if (key === '$patch') continue;
    const result = part === null ? undefined : strategicPatch(merged.get(key), part, key);
    if (result === undefined) merged.delete(key);
    else merged.set(key, result);
  }
  return merged;
}

/** Fills empty fields of the first object from the second, like `mergo.Merge`. */
export function withDefaults(value: JsonObject, defaults: JsonObject): JsonObject {
  const merged = new Map(value);
  for (const [key, fallback] of defaults) {
    const own = merged.get(key);
    if (isJsonObject(own) && isJsonObject(fallback)) merged.set(key, withDefaults(own, fallback));
    else if (isEmpty(own)) merged.set(key, fallback);
  }
  return merged;
}

/** Non-empty fields of the second object win, like `mergo.Merge` with override. */
export function overridden(value: JsonObject, winner: JsonObject): JsonObject {
  const merged = new Map(value);
  for (const [key, part] of winner) {
    const own = merged.get(key);
    if (isJsonObject(own) && isJsonObject(part)) merged.set(key, overridden(own, part));
    else if (!isEmpty(part) || !merged.has(key)) merged.set(key, part);
  }
  return merged;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0 || value === 0n)
    return true;
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && value.size === 0;
}
