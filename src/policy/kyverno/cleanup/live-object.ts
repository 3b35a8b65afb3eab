// An object as a controller finds it in the cluster: what others than its manifest write there is not known here.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { SearchError } from '../jmespath/search-error.ts';
import type { Undecided } from '../rule/rule-response.ts';

/** What is thrown instead of a value. */
type Unanswerable = Undecided | SearchError;

/** Fields of `metadata` that only the server writes. */
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

/** The object with fields that nobody can look at: who does gets what `unknown` makes of the field's name, thrown. */
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
    return this.#unknown(`the \`${this.#prefix}${key}\` that the object has then`);
  }

  #whole(): Unanswerable {
    return this.#unknown('all fields that the object has then');
  }
}
