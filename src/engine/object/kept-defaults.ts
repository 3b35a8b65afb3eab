// Fields of the stored object that no client wrote, and that an update therefore leaves as they are.
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';

/** Lists that are merged by `name`. Others are replaced as a whole, or no default of their items can conflict. */
const MERGED_BY_NAME: ReadonlySet<string> = new Set(['containers', 'initContainers', 'volumes', 'env']);

/** The only default of these lists that depends on another field: on the tag of the image. */
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
  readonly isServerSide: boolean;
}

/**
 * The object with the defaults of the old object that it lacks, because an apply removes only what the client wrote before. A strategic
 * merge patch of kubectl drops them where the API has the patch strategy `retainKeys`; server-side apply does not.
 */
export function withKeptDefaults({ object, old, written, now, isServerSide }: KeptDefaults): JsonObject {
  const isDeployment = object.get('kind') === 'Deployment';
  const retainsKeys = (names: readonly string[]): boolean =>
    !isServerSide && (names.at(-1) === 'volumes' || (isDeployment && names.join('.') === 'spec.strategy'));
  const inObject = (
    head: JsonObject,
    before: JsonObject,
    given: JsonValue | undefined,
    today: JsonValue | undefined,
    names: readonly string[],
  ): JsonObject => {
    let merged: Map<string, JsonValue> | undefined;
    for (const [name, value] of before) {
      const own = fieldOf(given, name);
      const ownNow = fieldOf(today, name);
      const current = head.get(name) ?? null;
      const isUnwritten = own === null && (current === null || (name === DEPENDENT_DEFAULT && ownNow === null));
      const kept = isUnwritten
        ? value
        : current === null
          ? null
          : inValue(current, value, own, ownNow, [...names, name]);
      if (kept === current || (current === null && (kept === null || retainsKeys(names)))) continue;
      merged ??= new Map(head);
      merged.set(name, kept);
    }
    return merged ?? head;
  };
  const inValue = (
    head: JsonValue,
    before: JsonValue,
    given: JsonValue,
    today: JsonValue,
    names: readonly string[],
  ): JsonValue => {
    if (isJsonObject(head) && isJsonObject(before)) return inObject(head, before, given, today, names);
    const isMerged = isJsonArray(head) && isJsonArray(before) && MERGED_BY_NAME.has(names.at(-1) as string);
    return isMerged ? inList(head, before, given, today, names) : head;
  };
  const inList = (
    head: JsonArray,
    before: JsonArray,
    given: JsonValue,
    today: JsonValue,
    names: readonly string[],
  ): JsonArray => {
    let isChanged = false;
    const items = head.map((item) => {
      const name = fieldOf(item, 'name');
      const same = itemNamed(before, name);
      if (!isJsonObject(item) || same === undefined) return item;
      const kept = inObject(item, same, itemNamed(given, name), itemNamed(today, name), names);
      isChanged ||= kept !== item;
      return kept;
    });
    return isChanged ? items : head;
  };
  const [spec, before] = [object.get('spec'), old.get('spec')];
  if (!isJsonObject(spec) || !isJsonObject(before)) return object;
  const kept = inObject(spec, before, fieldOf(written, 'spec'), fieldOf(now, 'spec'), ['spec']);
  return kept === spec ? object : new Map(object).set('spec', kept);
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue {
  return isJsonObject(value) ? (value.get(name) ?? null) : null;
}

function itemNamed(list: JsonValue, name: JsonValue): JsonObject | undefined {
  const found = isJsonArray(list) ? list.find((item) => fieldOf(item, 'name') === name) : undefined;
  return isJsonObject(found) ? found : undefined;
}
