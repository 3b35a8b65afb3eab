// The object as its client applies it: without defaults. An update changes only what the client wrote, so the defaults of the stored object stay.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';

/** The fields of `requested` that the manifest has, and those that admission changed. `defaulted`: the object before admission. */
export function appliedFields(requested: JsonObject, manifest: JsonObject, defaulted: JsonObject): JsonObject {
  const fields = new Map<string, JsonValue>();
  for (const [key, value] of requested) {
    // An item of a List may not have the first two; `stringData` of a Secret becomes `data`.
    const isWhole = key === 'apiVersion' || key === 'kind' || (key === 'data' && manifest.has('stringData'));
    const kept = isWhole ? value : appliedValue(value, manifest.get(key), defaulted.get(key));
    if (kept !== undefined) fields.set(key, kept);
  }
  return fields;
}

function appliedValue(
  value: JsonValue,
  written: JsonValue | undefined,
  before: JsonValue | undefined,
): JsonValue | undefined {
  if (isJsonObject(value)) {
    const [ofClient, ofServer] = [
      isJsonObject(written) ? written : undefined,
      isJsonObject(before) ? before : undefined,
    ];
    const fields = new Map<string, JsonValue>();
    for (const [key, each] of value) {
      const kept = appliedValue(each, ofClient?.get(key), ofServer?.get(key));
      if (kept !== undefined) fields.set(key, kept);
    }
    return fields.size > 0 || ofClient !== undefined || before === undefined ? fields : undefined;
  }
  const isWritten = written !== undefined && written !== null;
  if (!isJsonArray(value)) return isWritten || value !== before ? value : undefined;
  const ofServer = isJsonArray(before) && before.length === value.length ? before : [];
  if (isJsonArray(written) && written.length === value.length) {
    return value.map((item, index) => appliedValue(item, written[index], ofServer[index]) ?? item);
  }
  const isOfServer =
    !isWritten &&
    ofServer.length === value.length &&
    value.every((item, index) => appliedValue(item, undefined, ofServer[index]) === undefined);
  return isOfServer ? undefined : value;
}
