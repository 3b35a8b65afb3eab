// JSON as the JSON formats write it: indented, and harmless where it is printed.
import { gathered } from '../reporter.ts';

// Inside JSON these stand only in strings, where an escape means the same character: the start of a workflow command,
// C1 and bidirectional controls, line separators, invisible joiners, the byte-order mark and non-characters.
const UNSAFE = /##\[|[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;

/** Of a pair, too: without the flag it is looked for much faster. */
const SURROGATE = /[\ud800-\udfff]/;

/** All but printable ASCII that stands in JSON as it is. */
const NOT_PLAIN = /[^ !#-[\]-~]|##\[/;

/** Items of a list that are written part by part, as they may be large; where there are more, each is a part. */
const MAX_LARGE_ITEMS = 16;
/** Characters of texts that are kept to be written again. */
const MAX_KEPT = 4_194_304;

export interface JsonForm {
  /** Keys keep the order they were set in, except as this says. */
  readonly order?: (keys: readonly string[]) => readonly string[];
  /** What stands under these keys is often one and the same object in many places, which is worked out once. */
  readonly recurring?: ReadonlySet<string>;
}

/** `value` has no circles. What can be iterated is a list, whose items are asked for as they are written. Lone surrogates become U+FFFD. */
export function* jsonPieces(value: unknown, form: JsonForm = {}): Generator<string> {
  yield* gathered(new JsonWriter(form).parts(value, ''));
  yield '\n';
}

/** `jsonPieces` as one text. */
export function jsonText(value: unknown): string {
  return [...jsonPieces(value)].join('');
}

/** One string in double quotes; what it escapes and how is read alike by JSON and YAML. */
export function jsonString(text: string): string {
  return NOT_PLAIN.test(text) ? harmless(JSON.stringify(wellFormed(text))) : `"${text}"`;
}

/** Objects with the same keys at the same depth. */
interface Shape {
  readonly keys: readonly string[];
  /** What comes before the values. */
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
    // An object has keys that are numbers first, whatever order they are set in.
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
