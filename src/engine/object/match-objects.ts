// Matches the objects of one repository state to those of another, independent of the files that hold them.

import { append } from '../../go/slices/append.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { maskedValue } from '../../source/manifest/masked-value.ts';
import { hasSameOpenFields } from '../../source/manifest/same-open-fields.ts';

export interface ChangedObject {
  readonly resource: Resource;
  readonly old: Resource;
}

export interface MatchedObjects {
  readonly created: readonly Resource[];
  readonly updated: readonly ChangedObject[];
  readonly deleted: readonly Resource[];
  /** As written in head. */
  readonly unchanged: readonly Resource[];
  /** One object for each identity that occurs more than once in a state. */
  readonly repeated: readonly Resource[];
  /** One base object for each `generateName` with objects in base that head lacks. Their names in the cluster are unknown. */
  readonly unmatched: readonly Resource[];
}

/**
 * `identityOf` returns group, kind, namespace and name; undefined if the server generates the name. Objects with generated names are
 * unchanged if an equal one exists, and otherwise created; they are never deleted, because their names are unknown. Repeated objects are
 * paired one to one: equal ones first, then those in the same file, then in order.
 */
export function matchObjects(
  base: readonly Resource[],
  head: readonly Resource[],
  identityOf: (resource: Resource) => string | undefined,
): MatchedObjects {
  const groups = groupByIdentity(base, head, identityOf);
  const matched = {
    created: [] as Resource[],
    updated: [] as ChangedObject[],
    deleted: [] as Resource[],
    unchanged: [] as Resource[],
    repeated: [] as Resource[],
    unmatched: [] as Resource[],
  };
  for (const group of groups) {
    const [first] = [...group.head, ...group.base];
    const isRepeated = group.isNamed && Math.max(group.base.length, group.head.length) > 1;
    if (isRepeated && first !== undefined) matched.repeated.push(first);
    const pairs = new Pairing(group);
    pairs.take((resource) => resource, matched.unchanged);
    pairs.takeEqual(matched.unchanged);
    if (group.isNamed) {
      pairs.takeChanged((resource) => resource.manifest.file.path, matched.updated);
      pairs.takeChanged(() => '', matched.updated);
      append(matched.deleted, pairs.base);
    } else append(matched.unmatched, pairs.base.slice(0, 1));
    append(matched.created, pairs.head);
  }
  return matched;
}

interface Group {
  readonly isNamed: boolean;
  readonly base: Resource[];
  readonly head: Resource[];
}

function groupByIdentity(
  base: readonly Resource[],
  head: readonly Resource[],
  identityOf: (resource: Resource) => string | undefined,
): Iterable<Group> {
  const groups = new Map<string, Group>();
  const groupOf = (resource: Resource): Group => {
    const identity = identityOf(resource);
    const { group: apiGroup, kind } = resource.gvk;
    const key = identity ?? ['', apiGroup, kind, resource.namespace, resource.generateName].join('\0');
    const group = groups.get(key) ?? { isNamed: identity !== undefined, base: [], head: [] };
    groups.set(key, group);
    return group;
  };
  for (const resource of head) groupOf(resource).head.push(resource);
  for (const resource of base) groupOf(resource).base.push(resource);
  return groups.values();
}

/** The value without the fields that differ in every rendering. */
function writtenValue({ value, manifest, rootPath }: Resource): JsonValue {
  const isMadeUp = manifest.madeUpFields !== undefined && manifest.madeUpFields.length > 0;
  return isMadeUp ? (valueAt(maskedValue(manifest), rootPath) ?? null) : value;
}

/** The objects of one identity that are not yet paired. */
class Pairing {
  base: readonly Resource[];
  head: readonly Resource[];

  constructor({ base, head }: Group) {
    this.base = base;
    this.head = head;
  }

  /**
   * Different values can have the same text (`1` and `1.0`), so this compares the values too. An open field has a value by chance, so equal
   * values are not enough.
   */
  takeEqual(unchanged: Resource[]): void {
    if (this.base.length === 0 || this.head.length === 0) return;
    // Both states share the value of an unchanged rendering.
    const texts = new Map<JsonValue, string>();
    const [first, ...others] = new Set([...this.base, ...this.head].map(writtenValue));
    if (first !== undefined && others.length === 0) texts.set(first, '');
    const text = (resource: Resource): string => {
      const value = writtenValue(resource);
      const known = texts.get(value) ?? stringifyJson(value, { sortKeys: true, escapeHtml: false });
      texts.set(value, known);
      return known;
    };
    this.#pair(text, (resource, old) => {
      if (!hasSameOpenFields(resource.manifest, old.manifest)) return false;
      if (!isSameJson(writtenValue(resource), writtenValue(old))) return false;
      unchanged.push(resource);
      return true;
    });
  }

  take(keyOf: (resource: Resource) => unknown, unchanged: Resource[]): void {
    this.#pair(keyOf, (resource) => unchanged.push(resource) > 0);
  }

  takeChanged(keyOf: (resource: Resource) => unknown, updated: ChangedObject[]): void {
    this.#pair(keyOf, (resource, old) => updated.push({ resource, old }) > 0);
  }

  #pair(keyOf: (resource: Resource) => unknown, accept: (resource: Resource, old: Resource) => boolean): void {
    if (this.base.length === 0 || this.head.length === 0) return;
    const byKey = new Map<unknown, Resource[]>();
    for (const old of this.base) {
      const key = keyOf(old);
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [old]);
      else same.push(old);
    }
    for (const same of byKey.values()) same.reverse();
    const paired = new Set<Resource>();
    this.head = this.head.filter((resource) => {
      const same = byKey.get(keyOf(resource));
      const old = same?.at(-1);
      if (old === undefined || !accept(resource, old)) return true;
      same?.pop();
      paired.add(old);
      return false;
    });
    this.base = this.base.filter((old) => !paired.has(old));
  }
}
