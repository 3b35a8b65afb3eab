// JSON in which numbers stand for texts, which are told once: what is large is made, looked at and written piece by piece.
import { sanitizeText } from '../../../diagnostic/sanitize.ts';

/** Things are known to be the same as one that was met before, as long as no more than these were met since. */
const MAX_KNOWN = 1_000;

/** What is made of one thing may stand in many entries: it is looked at once, and written once. */
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

  /** `make` gives the same for the same `source`. */
  of<Source extends object>(source: Source, make: (source: Source) => unknown): KnownPart {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const part = new KnownPart(make(source));
    if (this.#known.size === MAX_KNOWN) this.#known.clear();
    this.#known.set(source, part);
    return part;
  }
}

/** A list whose items are made when they are asked for. */
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

  /** The texts of a value as items of a list in JSON, in the order they are met, each once. */
  *told(value: object): Generator<string> {
    for (const item of Object.values(value)) {
      if (item instanceof MappedList) for (const each of item.items()) yield this.#newTexts(each);
      else if (isObject(item)) yield* this.told(item);
      else yield this.#newTexts(item);
    }
  }

  /** Of a value whose texts are all told. */
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

/** Without what could end an element or be a line break of a script. */
function harmless(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
