// Objects in which some fields are unknown. Reading one of them, or all members beside it, throws.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

export class HiddenFields extends Map<string, JsonValue> {
  readonly #known: JsonObject;
  readonly #hidden: ReadonlySet<string>;
  readonly #missing: (key: string | undefined) => unknown;
  /** Undefined if hidden members may be absent. */
  readonly #keys: readonly string[] | undefined;

  /**
   * `missing` returns what to throw for a member, or for all of them. `keys`: the keys of all members, if the hidden ones
   * certainly exist.
   */
  constructor(
    fields: JsonObject,
    hidden: ReadonlySet<string>,
    missing: (key: string | undefined) => unknown,
    keys?: readonly string[],
  ) {
    super();
    this.#known = new Map([...fields].filter(([key]) => !hidden.has(key)));
    this.#hidden = hidden;
    this.#missing = missing;
    this.#keys = keys;
  }

  /** A copy with other values in the known members. */
  copied(change: (value: JsonValue) => JsonValue): HiddenFields {
    const changed = [...this.#known].map(([key, value]): [string, JsonValue] => [key, change(value)]);
    return new HiddenFields(new Map(changed), this.#hidden, this.#missing, this.#keys);
  }

  override get(key: string): JsonValue | undefined {
    if (this.#hidden.has(key)) throw this.#missing(key);
    return this.#known.get(key);
  }

  override has(key: string): boolean {
    if (this.#hidden.has(key) && this.#keys === undefined) throw this.#missing(key);
    return this.#keys?.includes(key) ?? this.#known.has(key);
  }

  override get size(): number {
    if (this.#keys !== undefined) return this.#keys.length;
    throw this.#missing(undefined);
  }

  override [Symbol.iterator](): MapIterator<[string, JsonValue]> {
    throw this.#missing(undefined);
  }

  override entries(): MapIterator<[string, JsonValue]> {
    throw this.#missing(undefined);
  }

  override keys(): MapIterator<string> {
    if (this.#keys !== undefined) return this.#keys.values();
    throw this.#missing(undefined);
  }

  override values(): MapIterator<JsonValue> {
    throw this.#missing(undefined);
  }
}

/**
 * A copy in which the fields at these paths are unknown. `missing` returns what to throw for a path. `keepsMembers`: true
 * for objects whose members exist regardless of their values.
 */
export function withHiddenFields(
  object: JsonObject,
  paths: readonly FieldPath[],
  missing: (path: FieldPath) => unknown,
  keepsMembers: (path: FieldPath) => boolean = () => false,
): JsonObject {
  return hidden(object, paths.map(withoutIndex), [], { missing, keepsMembers }) as JsonObject;
}

interface Hiding {
  readonly missing: (path: FieldPath) => unknown;
  readonly keepsMembers: (path: FieldPath) => boolean;
}

/** A list has no unknown items: the list itself is unknown. */
function withoutIndex(path: FieldPath): FieldPath {
  return typeof path.at(-1) === 'number' ? withoutIndex(path.slice(0, -1)) : path;
}

function hidden(value: JsonValue, paths: readonly FieldPath[], at: FieldPath, hiding: Hiding): JsonValue {
  const below = (item: JsonValue, step: string | number): JsonValue => {
    const inside = paths.filter((path) => path[at.length] === step);
    return inside.length === 0 ? item : hidden(item, inside, [...at, step], hiding);
  };
  if (isJsonArray(value)) return value.map(below);
  if (!isJsonObject(value)) return value;
  const members = new Map([...value].map(([key, item]) => [key, below(item, key)]));
  const own = new Set(paths.filter(({ length }) => length === at.length + 1).map((path) => String(path.at(-1))));
  if (own.size === 0) return members;
  const [first = ''] = own;
  const keys = hiding.keepsMembers(at) && [...own].every((key) => value.has(key)) ? [...value.keys()] : undefined;
  return new HiddenFields(members, own, (key = first) => hiding.missing([...at, key]), keys);
}
