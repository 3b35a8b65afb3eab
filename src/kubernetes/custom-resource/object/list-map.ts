// Finds elements of a list of type map by their keys (apiserver `pkg/cel/common/maplist.go`).
import { goQuoteBytes } from '../../../go/strconv/quote.ts';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { Schema } from '../schema/schema.ts';

/** The first of several elements with the same key wins. Elements without a scalar in every key field cannot be found. */
export class ListMap {
  readonly #keys: readonly string[];
  readonly #elements = new Map<string, JsonObject>();

  private constructor(keys: readonly string[], elements: JsonArray) {
    this.#keys = keys;
    for (const element of elements) {
      const identity = isJsonObject(element) ? this.#identityOf(element) : undefined;
      if (identity !== undefined && !this.#elements.has(identity)) {
        this.#elements.set(identity, element as JsonObject);
      }
    }
  }

  /** Undefined if the schema is not a list of type map. */
  static of({ type, listType, listMapKeys }: Schema, elements: JsonArray): ListMap | undefined {
    if (type !== 'array' || listType !== 'map' || listMapKeys.length === 0) return undefined;
    return new ListMap(listMapKeys, elements);
  }

  /** The element with the same keys. */
  get(element: JsonValue): JsonObject | undefined {
    const identity = isJsonObject(element) ? this.#identityOf(element) : undefined;
    return identity === undefined ? undefined : this.#elements.get(identity);
  }

  #identityOf(element: JsonObject): string | undefined {
    let identity = '';
    for (const key of this.#keys) {
      const value = element.get(key);
      if (value === undefined || value === null || typeof value === 'object') return undefined;
      identity += `\0${this.#scalarText(value)}`;
    }
    return identity;
  }

  /** With several keys the server compares texts, in which a double has six decimals. */
  #scalarText(value: boolean | bigint | number | string): string {
    if (typeof value === 'string') return goQuoteBytes(value);
    if (typeof value !== 'number') return String(value);
    return this.#keys.length === 1 ? `${value}d` : value.toFixed(6);
  }
}
