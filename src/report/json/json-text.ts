// JSON serialization for report formats: indented, and escaped so that printing it is safe.
import { gathered } from '../reporter.ts';

// These occur only inside JSON strings, where an escape has the same meaning: the start of a workflow command, C1 and bidirectional
// controls, line separators, invisible joiners, the byte-order mark and non-characters.
const UNSAFE = /##\[|[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;

/** Matches halves of valid pairs too: without the `u` flag the search is much faster. */
const SURROGATE = /[\ud800-\udfff]/;

/** Everything except printable ASCII that needs no escape in JSON. */
const NOT_PLAIN = /[^ !#-[\]-~]|##\[/;

/** Lists with at most this many items are written item by item, since the items may be large; in longer lists each item is one piece. */
const MAX_LARGE_ITEMS = 16;
/** Maximum number of characters in the cache of serialized values. */
const MAX_KEPT = 4_194_304;

export interface JsonForm {
  /** Key order; absent: insertion order. */
  readonly order?: (keys: readonly string[]) => readonly string[];
  /** Keys whose values often are the same object, so that their text is cached. */
  readonly recurring?: ReadonlySet<string>;
}

/**
 * `value` must not contain cycles. Iterables are serialized as lists, and their items are created on demand. Lone surrogates become U+FFFD.
 */
export function* jsonPieces(value: unknown, form: JsonForm = {}): Generator<string> {
  yield* gathered(new JsonWriter(form).parts(value, ''));
  yield '\n';
}

/** The output of `jsonPieces` as one text. */
export function jsonText(value: unknown): string {
  return [...jsonPieces(value)].join('');
}

/** A double-quoted string whose escapes are valid in both JSON and YAML. */
export function jsonString(text: string): string {
  return NOT_PLAIN.test(text) ? harmless(JSON.stringify(wellFormed(text))) : `"${text}"`;
}

/** Objects with the same keys at the same depth. */
interface Shape {
  readonly keys: readonly string[];
  /** Text before each value. */
  readonly heads: readonly string[];
}

interface KeptText {
  readonly indent: string;
  readonly text: string;
}

class JsonWriter {
  readonly #order: (keys: readonly string[]) => readonly string[];
  readonly #recurring: ReadonlySet<string>;
  readonly #shapes = new Map<string, Shape>();
  readonly #kept = new Map<object, KeptText>();
  #keptLength = 0;

  constructor({ order = (keys) => keys, recurring = new Set() }: JsonForm) {
    this.#order = order;
    this.#recurring = recurring;
  }

  *parts(value: unknown, indent: string): Generator<string> {
    if (typeof value !== 'object' || value === null) yield this.#text(value, indent);
    else if (isList(value)) yield* this.#partsOfList(value, indent);
    else yield* this.#partsOfObject(value, indent);
  }

  *#partsOfList(list: Iterable<unknown>, indent: string): Generator<string> {
    const deeper = `${indent}  `;
    let count = 0;
    for (const item of list) {
      yield `${count === 0 ? '[' : ','}\n${deeper}`;
      if (count < MAX_LARGE_ITEMS) yield* this.parts(item, deeper);
      else yield this.#text(item, deeper);
      count += 1;
    }
    yield count === 0 ? '[]' : `\n${indent}]`;
  }

  *#partsOfObject(value: object, indent: string): Generator<string> {
    const { keys, heads } = this.#shape(value, indent);
    const deeper = `${indent}  `;
    let before = '{';
    for (const [index, key] of keys.entries()) {
      const item = value[key as keyof typeof value] as unknown;
      if (item === undefined) continue;
      yield before + heads[index];
      yield* this.parts(item, deeper);
      before = ',';
    }
    yield before === '{' ? '{}' : `\n${indent}}`;
  }

  #text(value: unknown, indent: string): string {
    if (typeof value === 'string') return jsonString(value);
    if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
    if (typeof value === 'boolean') return String(value);
    if (typeof value !== 'object' || value === null) return 'null';
    return isList(value) ? this.#textOfList(value, indent) : this.#textOfObject(value, indent);
  }

  #textOfList(list: Iterable<unknown>, indent: string): string {
    const deeper = `${indent}  `;
    const items = Array.from(list, (item) => this.#text(item, deeper));
    return items.length === 0 ? '[]' : `[\n${deeper}${items.join(`,\n${deeper}`)}\n${indent}]`;
  }

  #textOfObject(value: object, indent: string): string {
    const { keys, heads } = this.#shape(value, indent);
    const deeper = `${indent}  `;
    const entries: string[] = [];
    for (const [index, key] of keys.entries()) {
      const item = value[key as keyof typeof value] as unknown;
      if (item === undefined) continue;
      const isKept = typeof item === 'object' && item !== null && this.#recurring.has(key);
      entries.push(heads[index] + (isKept ? this.#keptText(item, deeper) : this.#text(item, deeper)));
    }
    return entries.length === 0 ? '{}' : `{${entries.join(',')}\n${indent}}`;
  }

  #keptText(value: object, indent: string): string {
    const known = this.#kept.get(value);
    if (known?.indent === indent) return known.text;
    const text = this.#text(value, indent);
    this.#keptLength += text.length;
    if (this.#keptLength > MAX_KEPT) {
      this.#kept.clear();
      this.#keptLength = text.length;
    }
    this.#kept.set(value, { indent, text });
    return text;
  }

  #shape(value: object, indent: string): Shape {
    const own = Object.keys(value);
    const name = `${indent.length} ${own.join('\0')}`;
    const known = this.#shapes.get(name);
    if (known !== undefined) return known;
    // JavaScript puts integer keys first, regardless of the insertion order.
    const keys = Object.keys(Object.fromEntries(this.#order(own).map((key) => [key, true])));
    const shape = { keys, heads: keys.map((key) => `\n${indent}  ${harmless(JSON.stringify(key))}: `) };
    this.#shapes.set(name, shape);
    return shape;
  }
}

function isList(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

function harmless(json: string): string {
  return json.replace(UNSAFE, escaped);
}

function wellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}

function escaped(match: string): string {
  if (match === '##[') return '#\\u0023[';
  return `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
