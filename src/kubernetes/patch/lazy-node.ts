// A JSON document under a patch, expanded only along the patch's paths (evanphx/json-patch 4.13 `lazyNode`).
import { copyFields } from '../../source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';

/** Thrown when a comparison reaches a missing node; the server's library panics. */
export class NilNode extends Error {}

/** Null in the document is no node. Null that a patch writes is a node that behaves like an empty object. */
export type Member = LazyNode | null;

/** A value that is expanded into members when a path enters it. Only requested members of an object become nodes. */
export class LazyNode {
  readonly #raw: JsonValue;
  /** Members in the order of their first access; undefined while the object is not expanded. */
  #fields: Map<string, Member> | undefined;
  /** Removed keys of the original value, including keys that were written again. */
  readonly #removed = new Set<string>();
  elements: Member[] | undefined;

  constructor(raw: JsonValue) {
    this.#raw = raw;
  }

  static memberOf(value: JsonValue | undefined): Member {
    return value === null || value === undefined ? null : new LazyNode(value);
  }

  /** True for null that a patch wrote; nothing can be added to it. */
  get isNull(): boolean {
    return this.#raw === null;
  }

  get isScalar(): boolean {
    return this.#raw !== null && !isJsonObject(this.#raw) && !isJsonArray(this.#raw);
  }

  /** False if the value is neither an object nor null. */
  openObject(): boolean {
    if (this.#fields === undefined && (this.#raw === null || isJsonObject(this.#raw))) this.#fields = new Map();
    return this.#fields !== undefined;
  }

  openArray(): Member[] | undefined {
    if (this.elements === undefined && isJsonArray(this.#raw)) this.elements = this.#raw.map(LazyNode.memberOf);
    return this.elements;
  }

  /** For an expanded object; null also if the key is missing. */
  field(key: string): Member {
    const known = this.#fields?.get(key);
    if (known !== undefined) return known;
    const raw = this.#rawField(key);
    if (raw === undefined) return null;
    const member = LazyNode.memberOf(raw);
    this.#fields?.set(key, member);
    return member;
  }

  setField(key: string, member: Member): void {
    this.#fields?.set(key, member);
  }

  /** False if the field does not exist. */
  removeField(key: string): boolean {
    const isWritten = this.#fields?.delete(key) === true;
    if (this.#rawField(key) === undefined) return isWritten;
    this.#removed.add(key);
    return true;
  }

  /** Returns the original value, not a copy, if nothing changed. */
  get value(): JsonValue {
    const raw = this.#raw;
    if (this.elements !== undefined) {
      const items = this.elements.map(memberValue);
      const isSame = isJsonArray(raw) && raw.length === items.length && items.every((item, at) => item === raw[at]);
      return isSame ? raw : items;
    }
    if (this.#fields === undefined || !isJsonObject(raw)) return raw;
    let values: Map<string, JsonValue> | undefined;
    for (const key of this.#removed) {
      values ??= copyFields(raw);
      values.delete(key);
    }
    for (const [key, member] of this.#fields) {
      const value = memberValue(member);
      if (value === (values ?? raw).get(key)) continue;
      values ??= copyFields(raw);
      values.set(key, value);
    }
    return values ?? raw;
  }

  equals(other: LazyNode): boolean {
    if (this.isScalar) return other.isScalar && sameScalar(this.#raw, other.#raw);
    if (this.openObject()) return other.openObject() && this.#hasFieldsOf(other);
    const elements = this.openArray() ?? [];
    const others = other.isNull ? [] : other.openArray();
    if (others === undefined || others.length !== elements.length) return false;
    return elements.every((element, index) => {
      const counterpart = others[index] ?? null;
      if (element === null || counterpart === null) throw new NilNode();
      return element.equals(counterpart);
    });
  }

  #hasFieldsOf(other: LazyNode): boolean {
    const [keys, others] = [this.#keys(), other.#keys()];
    if (keys.size !== others.size) return false;
    for (const key of keys) {
      const [member, counterpart] = [this.field(key), other.field(key)];
      if (!others.has(key) || (member === null) !== (counterpart === null)) return false;
      if (member !== null && counterpart !== null && !member.equals(counterpart)) return false;
    }
    return true;
  }

  #keys(): ReadonlySet<string> {
    const keys = new Set(isJsonObject(this.#raw) ? this.#raw.keys() : []);
    for (const key of this.#removed) keys.delete(key);
    for (const key of this.#fields?.keys() ?? []) keys.add(key);
    return keys;
  }

  /** Also undefined if the patch removed the field. */
  #rawField(key: string): JsonValue | undefined {
    return isJsonObject(this.#raw) && !this.#removed.has(key) ? this.#raw.get(key) : undefined;
  }
}

function memberValue(member: Member): JsonValue {
  return member === null ? null : member.value;
}

/** Compares texts, so an integer equals a double with the same text. */
function sameScalar(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a === b || String(a) === String(b);
}
