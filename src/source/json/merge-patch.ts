// JSON merge patches (RFC 7396).
import { isJsonObject, type JsonValue } from './json.ts';

/** Null removes a field; lists are replaced. */
export function mergePatch(value: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(value) ? value : []);
  for (const [key, part] of patch) {
    if (part === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), part));
  }
  return merged;
}
