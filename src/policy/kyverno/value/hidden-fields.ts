// A map in which some members are unknown. Reading one of them, or all members, throws.
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';

export class HiddenFields extends Map<string, JsonValue> {
  readonly #known: JsonObject;
  readonly #hidden: ReadonlySet<string>;
  readonly #missing: (key: string | undefined) => unknown;

  /** `missing` returns what to throw for a member, or for all of them. */
  constructor(fields: JsonObject, hidden: ReadonlySet<string>, missing: (key: string | undefined) => unknown) {
    super();
    this.#known = new Map([...fields].filter(([key]) => !hidden.has(key)));
    this.#hidden = hidden;
    this.#missing = missing;
  }

  /** A copy with other values in the known members. */
  copied(change: (value: JsonValue) => JsonValue): HiddenFields {
    const changed = [...this.#known].map(([key, value]): [string, JsonValue] => [key, change(value)]);
    return new HiddenFields(new Map(changed), this.#hidden, this.#missing);
  }

  override get(key: string): JsonValue | undefined {
    if (this.#hidden.has(key)) throw this.#missing(key);
    return this.#known.get(key);
  }

  override has(key: string): boolean {
    if (this.#hidden.has(key)) throw this.#missing(key);
    return this.#known.has(key);
  }

  override get size(): number {
    throw this.#missing(undefined);
  }

  override [Symbol.iterator](): MapIterator<[string, JsonValue]> {
    throw this.#missing(undefined);
  }

  override entries(): MapIterator<[string, JsonValue]> {
    throw this.#missing(undefined);
  }

  override keys(): MapIterator<string> {
    throw this.#missing(undefined);
  }

  override values(): MapIterator<JsonValue> {
    throw this.#missing(undefined);
  }
}
