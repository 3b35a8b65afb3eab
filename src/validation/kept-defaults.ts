// Defaults that an update leaves on the stored object: the client never wrote them, so it does not remove them.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';

/**
 * True if the stored object keeps a default that the new object does not have, such as `rollingUpdate` after a change to `OnDelete`. Both
 * objects have their defaults; `written`: the old object without them.
 */
export function keepsDefaults(written: JsonValue | undefined, before: JsonValue, after: JsonValue): boolean {
  return kept(written, before, after, after) !== undefined;
}

/** The object that a client applies on the server, with the defaults that its update keeps. A merge patch leaves some of them out. */
export function withKeptDefaults(
  applied: JsonObject,
  written: JsonObject,
  before: JsonObject,
  after: JsonObject,
): JsonObject {
  const all = kept(written, before, after, applied);
  return isJsonObject(all) ? all : applied;
}

/** `applied` with the kept defaults; undefined if there are none. */
function kept(
  written: JsonValue | undefined,
  before: JsonValue,
  after: JsonValue,
  applied: JsonValue | undefined,
): JsonValue | undefined {
  if (isJsonArray(before)) return isJsonArray(after) ? keptItems(written, before, after, applied) : undefined;
  if (!isJsonObject(before) || !isJsonObject(after)) return undefined;
  const ofClient = isJsonObject(written) ? written : undefined;
  const ofApplied = isJsonObject(applied) ? applied : undefined;
  const fields = new Map(ofApplied);
  let isKept = false;
  for (const [key, value] of before) {
    const now = after.get(key);
    const own = ofClient?.get(key);
    // What the client wrote before, its update removes.
    if (now === undefined && own !== undefined) continue;
    const found = now === undefined ? value : kept(own, value, now, ofApplied?.get(key));
    if (found === undefined) continue;
    fields.set(key, found);
    isKept = true;
  }
  return isKept ? fields : undefined;
}

/** Items are the same if they have the same name, else by their position. The server does not add items to a list that a client writes. */
function keptItems(
  written: JsonValue | undefined,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  applied: JsonValue | undefined,
): JsonValue | undefined {
  const ofClient = isJsonArray(written) && written.length === before.length ? written : [];
  if (!isJsonArray(applied) || applied.length !== after.length) return undefined;
  const items = [...applied];
  let isKept = false;
  for (const [index, value] of before.entries()) {
    const name = nameOf(value);
    const at = name === undefined ? index : after.findIndex((item) => nameOf(item) === name);
    const now = after[at];
    const found = now === undefined ? undefined : kept(ofClient[index], value, now, items[at]);
    if (found === undefined) continue;
    items[at] = found;
    isKept = true;
  }
  return isKept ? items : undefined;
}

function nameOf(item: JsonValue): JsonValue | undefined {
  return isJsonObject(item) ? item.get('name') : undefined;
}
