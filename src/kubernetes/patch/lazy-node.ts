// A JSON document under a patch, opened only where a path leads (evanphx/json-patch 4.13 `lazyNode`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json.ts';

/** A comparison came to a node that is not there, which the server's library does not survive. */
export class NilNode extends Error {}

/** Null in a document is no node at all; null that a patch wrote is a node that takes itself for an empty object. */
export type Member = LazyNode | null;

/** A value that is opened into members when a path leads through it. */
export class LazyNode {
  readonly #raw: JsonValue;
  fields: Map<string, Member> | undefined;
  elements: Member[] | undefined;

  constructor(raw: JsonValue) {
    this.#raw = raw;
  }

  static memberOf(value: JsonValue | undefined): Member {
    return value === null || value === undefined ? null : new LazyNode(value);
  }

  /** Null that a patch wrote: nothing can be added to it. */
  get isNull(): boolean {
    return this.#raw === null;
  }

  get isScalar(): boolean {
    return this.#raw !== null && !isJsonObject(this.#raw) && !isJsonArray(this.#raw);
  }

  openObject(): Map<string, Member> | undefined {
    if (this.fields !== undefined) return this.fields;
    if (isJsonObject(this.#raw)) {
      this.fields = new Map([...this.#raw].map(([key, value]) => [key, LazyNode.memberOf(value)]));
    } else if (this.#raw === null) this.fields = new Map();
    return this.fields;
  }

  openArray(): Member[] | undefined {
    if (this.elements === undefined && isJsonArray(this.#raw)) this.elements = this.#raw.map(LazyNode.memberOf);
    return this.elements;
  }

  /** What was opened and is as it was is the value itself, not a copy. */
  get value(): JsonValue {
    const raw = this.#raw;
    if (this.elements !== undefined) {
      const items = this.elements.map(memberValue);
      const isSame = isJsonArray(raw) && raw.length === items.length && items.every((item, at) => item === raw[at]);
      return isSame ? raw : items;
    }
    if (this.fields === undefined || this.isNull) return raw;
    const values = new Map<string, JsonValue>();
    let isSame = isJsonObject(raw) && raw.size === this.fields.size;
    for (const [key, member] of this.fields) {
      const value = memberValue(member);
      values.set(key, value);
      isSame &&= (raw as JsonObject).get(key) === value;
    }
    return isSame ? raw : values;
  }

  equals(other: LazyNode): boolean {
    if (this.isScalar) return other.isScalar && sameScalar(this.#raw, other.#raw);
    const fields = this.openObject();
    if (fields !== undefined) {
      const others = other.openObject();
      return others !== undefined && sameFields(fields, others);
    }
    const elements = this.openArray() ?? [];
    const others = other.isNull ? [] : other.openArray();
    if (others === undefined || others.length !== elements.length) return false;
    return elements.every((element, index) => {
      const counterpart = others[index] ?? null;
      if (element === null || counterpart === null) throw new NilNode();
      return element.equals(counterpart);
    });
  }
}

function memberValue(member: Member): JsonValue {
  return member === null ? null : member.value;
}

function sameFields(fields: ReadonlyMap<string, Member>, others: ReadonlyMap<string, Member>): boolean {
  if (fields.size !== others.size) return false;
  for (const [key, member] of fields) {
    const other = others.get(key);
    if (other === undefined || (member === null) !== (other === null)) return false;
    if (member !== null && other !== null && !member.equals(other)) return false;
  }
  return true;
}

/** The texts are compared: integers and doubles of one text are the same. */
function sameScalar(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a === b || String(a) === String(b);
}
