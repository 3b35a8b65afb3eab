// Fields of the stored object that no client wrote, and that an update therefore leaves as they are.
import type { MergeList, MergeMap, MergeType } from '../../kubernetes/patch/merge-type.ts';
import { elementOf, isRefused } from '../../kubernetes/patch/path-element.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';

/** The only default in a merged list that depends on another field: on the tag of the image. */
const DEPENDENT_DEFAULT = 'imagePullPolicy';

export interface KeptDefaults {
  /** The object to apply, with all defaults. */
  readonly object: JsonObject;
  /** The object that was applied before, with all defaults. */
  readonly old: JsonObject;
  /** The same object as written. */
  readonly written: JsonObject;
  /** The object to apply as written. */
  readonly now: JsonObject;
  /** Undefined for kinds without a schema, of which nothing is merged. */
  readonly mergeType: MergeType | undefined;
  readonly isServerSide: boolean;
}

/**
 * The object with the defaults of the old object that it lacks, because an apply removes only what the client wrote before. A strategic
 * merge patch of kubectl drops them where the API has the patch strategy `retainKeys`, which no merge schema has; server-side apply does not.
 * No structured merge: what it keeps depends on what was written, and elements that only the server added have random names.
 */
export function withKeptDefaults({ object, old, written, now, mergeType, isServerSide }: KeptDefaults): JsonObject {
  const isDeployment = object.get('kind') === 'Deployment';
  const retainsKeys = (names: readonly string[]): boolean =>
    !isServerSide && (names.at(-1) === 'volumes' || (isDeployment && names.join('.') === 'spec.strategy'));
  const inMap = (type: MergeMap, head: JsonObject, versions: Versions, names: readonly string[]): JsonObject => {
    if (type.isAtomic) return head;
    let merged: Map<string, JsonValue> | undefined;
    for (const [name, value] of versions.before) {
      const own = fieldOf(versions.given, name);
      const today = fieldOf(versions.today, name);
      const current = head.get(name) ?? null;
      const isUnwritten = own === null && (current === null || (name === DEPENDENT_DEFAULT && today === null));
      const kept = isUnwritten
        ? value
        : current === null
          ? null
          : inValue(type.field(name)?.type ?? type.element, current, value, own, today, [...names, name]);
      if (kept === current || (current === null && (kept === null || retainsKeys(names)))) continue;
      merged ??= new Map(head);
      merged.set(name, kept);
    }
    return merged ?? head;
  };
  const inValue = (
    type: MergeType | undefined,
    head: JsonValue,
    before: JsonValue,
    given: JsonValue,
    today: JsonValue,
    names: readonly string[],
  ): JsonValue => {
    if (type?.map && isJsonObject(head) && isJsonObject(before))
      return inMap(type.map, head, { before, given, today }, names);
    if (type?.list && isJsonArray(head) && isJsonArray(before))
      return inList(type.list, head, before, given, today, names);
    return head;
  };
  const inList = (
    type: MergeList,
    head: JsonArray,
    before: JsonArray,
    given: JsonValue,
    today: JsonValue,
    names: readonly string[],
  ): JsonArray => {
    const element = type.element.map;
    if (type.isAtomic || element === undefined) return head;
    const [oldItems, writtenItems, newItems] = [before, given, today].map((list) => byIdentity(type, list));
    let isChanged = false;
    const items = head.map((item) => {
      const identity = elementOf(type, item);
      const same = oldItems?.get(identity);
      if (!isJsonObject(item) || same === undefined) return item;
      const versions = {
        before: same,
        given: writtenItems?.get(identity) ?? null,
        today: newItems?.get(identity) ?? null,
      };
      const kept = inMap(element, item, versions, names);
      isChanged ||= kept !== item;
      return kept;
    });
    return isChanged ? items : head;
  };
  const [spec, before] = [object.get('spec'), old.get('spec')];
  const type = mergeType?.map?.field('spec')?.type;
  if (!isJsonObject(spec) || !isJsonObject(before)) return object;
  const kept = inValue(type, spec, before, fieldOf(written, 'spec'), fieldOf(now, 'spec'), ['spec']);
  return kept === spec ? object : new Map(object).set('spec', kept);
}

/** An old object, the same as written, and the new one as written. */
interface Versions {
  readonly before: JsonObject;
  readonly given: JsonValue;
  readonly today: JsonValue;
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue {
  return isJsonObject(value) ? (value.get(name) ?? null) : null;
}

/** Of repeated elements, the first one. */
function byIdentity(type: MergeList, list: JsonValue): ReadonlyMap<unknown, JsonObject> {
  const items = new Map<unknown, JsonObject>();
  for (const item of isJsonArray(list) ? list : []) {
    const identity = elementOf(type, item);
    if (isJsonObject(item) && !isRefused(identity) && !items.has(identity)) items.set(identity, item);
  }
  return items;
}
