// An object as a controller sees it in the cluster. Fields that the server or other writers set are unknown.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { SearchError } from '../jmespath/search-error.ts';
import type { Undecided } from '../rule/rule-response.ts';

/** Thrown instead of returning a value. */
type Unanswerable = Undecided | SearchError;

/** Fields of `metadata` that only the server sets. */
const SERVER_METADATA: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);
const STATUS: ReadonlySet<string> = new Set(['status']);

/** The object with unknown fields. Reading one throws the result of `unknown` for the field's name. */
export function liveObject(object: JsonObject, unknown: (what: string) => Unanswerable): JsonObject {
  const metadata = object.get('metadata');
  const fields = new Map(object);
  if (isJsonObject(metadata)) fields.set('metadata', new LiveFields(metadata, SERVER_METADATA, 'metadata.', unknown));
  return new LiveFields(fields, STATUS, '', unknown);
}

class LiveFields extends Map<string, JsonValue> {
  readonly #hidden: ReadonlySet<string>;
  readonly #prefix: string;
  readonly #unknown: (what: string) => Unanswerable;
  #isComplete = false;

  constructor(
    fields: JsonObject,
    hidden: ReadonlySet<string>,
    prefix: string,
    unknown: (what: string) => Unanswerable,
  ) {
    super();
    this.#hidden = hidden;
    this.#prefix = prefix;
    this.#unknown = unknown;
    for (const [key, value] of fields) if (!hidden.has(key)) super.set(key, value);
    this.#isComplete = true;
  }

  override get(key: string): JsonValue | undefined {
    if (this.#isComplete && this.#hidden.has(key)) throw this.#missing(key);
    return super.get(key);
  }

  override has(key: string): boolean {
    if (this.#isComplete && this.#hidden.has(key)) throw this.#missing(key);
    return super.has(key);
  }

  override get size(): number {
    throw this.#whole();
  }

  override [Symbol.iterator](): MapIterator<[string, JsonValue]> {
    throw this.#whole();
  }

  override entries(): MapIterator<[string, JsonValue]> {
    throw this.#whole();
  }

  override keys(): MapIterator<string> {
    throw this.#whole();
  }

  override values(): MapIterator<JsonValue> {
    throw this.#whole();
  }

  #missing(key: string): Unanswerable {
    return this.#unknown(`the object's \`${this.#prefix}${key}\` at that time`);
  }

  #whole(): Unanswerable {
    return this.#unknown('all fields of the object at that time');
  }
}
