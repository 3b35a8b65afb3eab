// JSON with each text stored once in a list and referenced by index; processed and written in pieces.
import { sanitizeText } from '../../../diagnostic/sanitize.ts';

/** Size of the cache that recognizes repeated objects. */
const MAX_KNOWN = 1_000;

/** A part that may occur in many entries: traversed once and serialized once. */
class KnownPart {
  isTold = false;
  json: string | undefined;
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export class KnownParts {
  readonly #known = new Map<object, KnownPart>();

  /** `make` must return the same result for the same `source`. */
  of<Source extends object>(source: Source, make: (source: Source) => unknown): KnownPart {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const part = new KnownPart(make(source));
    if (this.#known.size === MAX_KNOWN) this.#known.clear();
    this.#known.set(source, part);
    return part;
  }
}

/** A list whose items are created on demand. */
class MappedList {
  readonly items: () => Iterable<unknown>;

  constructor(items: () => Iterable<unknown>) {
    this.items = items;
  }
}

export function mapped<Item>(items: readonly Item[], make: (item: Item) => unknown): MappedList {
  return new MappedList(function* () {
    for (const item of items) yield make(item);
  });
}

export class NumberedTexts {
  readonly #numbers = new Map<string, number>();

  /** Distinct texts of a value as JSON list items, in order of first occurrence. */
  *told(value: object): Generator<string> {
    for (const item of Object.values(value)) {
      if (item instanceof MappedList) for (const each of item.items()) yield this.#newTexts(each);
      else if (isObject(item)) yield* this.told(item);
      else yield this.#newTexts(item);
    }
  }

  /** Requires that `told` has visited all texts of the value. */
  *parts(value: object): Generator<string> {
    let before = '{';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${before}"${key}":`;
      before = ',';
      if (item instanceof MappedList) yield* this.#partsOfList(item);
      else if (isObject(item)) yield* this.parts(item);
      else yield this.#json(item);
    }
    yield before === '{' ? '{}' : '}';
  }

  *#partsOfList({ items }: MappedList): Generator<string> {
    let before = '[';
    for (const item of items()) {
      yield before + this.#json(item);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  }

  #newTexts(value: unknown): string {
    const before = this.#numbers.size;
    const texts: string[] = [];
    this.#collect(value, texts);
    return texts.length === 0 ? '' : `${before === 0 ? '' : ','}${texts.join()}`;
  }

  #collect(value: unknown, texts: string[]): void {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if (this.#numbers.has(text)) return;
      this.#numbers.set(text, this.#numbers.size);
      texts.push(harmless(JSON.stringify(sanitizeText(text))));
    } else if (value instanceof KnownPart) {
      if (value.isTold) return;
      value.isTold = true;
      this.#collect(value.value, texts);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#collect(item, texts);
    } else if (isObject(value)) {
      for (const item of Object.values(value)) this.#collect(item, texts);
    }
  }

  #json(value: unknown): string {
    if (typeof value === 'string' || typeof value === 'number') return String(this.#numbers.get(String(value)));
    if (value instanceof KnownPart) {
      value.json ??= this.#json(value.value);
      return value.json;
    }
    if (Array.isArray(value)) return `[${value.map((item) => this.#json(item)).join()}]`;
    if (!isObject(value)) return String(value ?? null);
    const entries: string[] = [];
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) entries.push(`"${key}":${this.#json(item)}`);
    }
    return `{${entries.join()}}`;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof KnownPart);
}

/** Escapes everything that could end the element or break a script line. */
function harmless(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
