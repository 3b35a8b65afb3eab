// An object with only some members known. Reading another member makes the result unknown.
import type { JsonValue } from '../../../source/json/json.ts';
import { SearchError } from './search-error.ts';

export class PartialObject extends Map<string, JsonValue> {
  readonly #what: string;
  #isComplete = false;

  /** `what` describes the unknown part, for messages. */
  constructor(what: string, members: Iterable<readonly [string, JsonValue]>) {
    super();
    this.#what = what;
    for (const [key, value] of members) super.set(key, value);
    this.#isComplete = true;
  }

  get unknown(): SearchError {
    return new SearchError('unknown', this.#what);
  }

  override get(key: string): JsonValue | undefined {
    if (this.#isComplete && !super.has(key)) throw this.unknown;
    return super.get(key);
  }

  override get size(): number {
    if (this.#isComplete) throw this.unknown;
    return super.size;
  }

  override [Symbol.iterator](): MapIterator<[string, JsonValue]> {
    throw this.unknown;
  }

  override entries(): MapIterator<[string, JsonValue]> {
    throw this.unknown;
  }

  override keys(): MapIterator<string> {
    throw this.unknown;
  }

  override values(): MapIterator<JsonValue> {
    throw this.unknown;
  }
}
