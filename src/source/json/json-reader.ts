// Reads JSON text into nodes, with the scanning rules and errors of Go's `encoding/json`.
import { goQuoteBytes } from '../../go/strconv/quote.ts';
import { type MappingNode, type Node, neededPieces, type SequenceNode } from '../node/node.ts';
import { ScalarText } from '../node/scalar-text.ts';

/** `maxNestingDepth` of Go's scanner. */
const MAX_DEPTH = 10000;

export interface JsonProblem {
  /** Go's `SyntaxError` message; `unexpected EOF` for a text that ends too early. */
  readonly message: string;
  /** The text ends before the value does. */
  readonly isUnfinished?: true;
  /** UTF-16 offset of the invalid character; the length of the text if it ends too early. */
  readonly start: number;
}

export type JsonReadResult =
  | { readonly root: Node; readonly end: number }
  /** Only white space is left. */
  | { readonly end: 'none' }
  | { readonly problem: JsonProblem };

/** Reads the next value of a stream of JSON values (`json.Decoder`). */
export function readJsonValue(text: string, start: number, recordPieces: boolean): JsonReadResult {
  const first = skipSpace(text, start);
  if (first === text.length) return { end: 'none' };
  return new JsonReader(text, first, recordPieces).read();
}

export function unfinished(text: string): JsonProblem {
  return { message: 'unexpected EOF', isUnfinished: true, start: text.length };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class JsonReader {
  readonly #text: string;
  readonly #recordPieces: boolean;
  #position: number;
  #line = 0;
  #lineCountedTo: number;
  /** The collections being read, outermost first. */
  readonly #open: (SequenceNode | MappingNode)[] = [];
  #root: Node | undefined = undefined;
  #problem: JsonProblem | undefined = undefined;

  constructor(text: string, start: number, recordPieces: boolean) {
    this.#text = text;
    this.#recordPieces = recordPieces;
    this.#position = start;
    this.#lineCountedTo = start;
  }

  read(): JsonReadResult {
    this.#value();
    while (this.#open.length > 0 && this.#problem === undefined) this.#continue(this.#open.at(-1) as MappingNode);
    if (this.#problem !== undefined) return { problem: this.#problem };
    return { root: this.#root as Node, end: this.#position };
  }

  /** Continues a collection after its start or after one of its values. */
  #continue(parent: SequenceNode | MappingNode): void {
    const isSequence = parent.kind === 'sequence';
    const count = isSequence ? parent.items.length : parent.values.length;
    const character = this.#peek();
    if (character === (isSequence ? ']' : '}')) {
      this.#position++;
      parent.end = this.#position;
      this.#open.pop();
      return;
    }
    if (count > 0) {
      if (character !== ',') {
        this.#fail(isSequence ? 'after array element' : 'after object key:value pair');
        return;
      }
      this.#position++;
    }
    if (!isSequence) {
      if (this.#peek() !== '"') {
        this.#fail('looking for beginning of object key string');
        return;
      }
      this.#string(parent.keys);
      if (this.#problem !== undefined) return;
      if (this.#peek() !== ':') {
        this.#fail('after object key');
        return;
      }
      this.#position++;
    }
    this.#value();
  }

  #value(): void {
    const parent = this.#open.at(-1);
    const siblings = parent === undefined ? undefined : parent.kind === 'sequence' ? parent.items : parent.values;
    const character = this.#peek();
    if (character === '{' || character === '[') {
      this.#openCollection(character, siblings);
      return;
    }
    if (character === '"') {
      this.#string(siblings);
      return;
    }
    if (character === 't') {
      this.#literal('true', siblings);
      return;
    }
    if (character === 'f') {
      this.#literal('false', siblings);
      return;
    }
    if (character === 'n') {
      this.#literal('null', siblings);
      return;
    }
    if (character === '-' || isDigit(character)) {
      this.#number(siblings);
      return;
    }
    this.#fail('looking for beginning of value');
  }

  #openCollection(character: string, siblings: Node[] | undefined): void {
    if (this.#open.length === MAX_DEPTH) {
      this.#fail('exceeded max depth');
      return;
    }
    const place = { start: this.#position, end: this.#position + 1, line: this.#countLines(), flow: true };
    const node: SequenceNode | MappingNode =
      character === '['
        ? { kind: 'sequence', ...place, items: [], dashes: [] }
        : { kind: 'mapping', ...place, keys: [], values: [] };
    this.#add(node, siblings);
    this.#open.push(node);
    this.#position++;
  }

  #string(siblings: Node[] | undefined): void {
    const text = this.#text;
    const start = this.#position;
    const line = this.#countLines();
    const scalar = new ScalarText(text, this.#recordPieces);
    this.#position++;
    let copyStart = this.#position;
    for (;;) {
      const code = text.charCodeAt(this.#position);
      if (code === 0x22 /* " */) break;
      if (code === 0x5c /* \ */) {
        scalar.copy(copyStart, this.#position);
        if (!this.#escape(scalar)) return;
        copyStart = this.#position;
      } else if (code >= 0x20) this.#position++;
      else {
        this.#fail('in string literal');
        return;
      }
    }
    scalar.copy(copyStart, this.#position);
    this.#position++;
    const value = /\p{Surrogate}/u.test(scalar.value)
      ? scalar.value.replace(/\p{Surrogate}/gu, '\ufffd')
      : scalar.value;
    const place = { start, end: this.#position, line };
    const pieces = neededPieces(scalar.pieces, value, place.end - start - 2);
    this.#add({ kind: 'scalar', ...place, value, style: 'double', tag: '', implicit: false, pieces }, siblings);
  }

  #escape(scalar: ScalarText): boolean {
    const start = this.#position;
    this.#position++;
    const character = this.#text.charAt(this.#position);
    const decoded = ESCAPES.get(character);
    if (decoded !== undefined) {
      this.#position++;
      scalar.replace(decoded, start, this.#position);
      return true;
    }
    if (character !== 'u') {
      this.#fail('in string escape code');
      return false;
    }
    const unit = this.#hexUnit();
    if (unit === undefined) return false;
    // Two escapes that form a surrogate pair are one character. A lone surrogate becomes U+FFFD when the whole value is decoded.
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && this.#text.startsWith('\\u', this.#position)) {
      const low = Number.parseInt(`0x${this.#text.slice(this.#position + 2, this.#position + 6)}`, 16);
      if (low >= 0xdc00 && low <= 0xdfff) {
        this.#position++;
        if (this.#hexUnit() === undefined) return false;
        scalar.replace(String.fromCharCode(unit, low), start, this.#position);
        return true;
      }
    }
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    scalar.replace(isSurrogate ? '\ufffd' : String.fromCharCode(unit), start, this.#position);
    return true;
  }

  /** Reads the four digits after the `u` at the current position. */
  #hexUnit(): number | undefined {
    this.#position++;
    let unit = 0;
    for (let count = 0; count < 4; count++, this.#position++) {
      const digit = '0123456789abcdef'.indexOf(this.#text.charAt(this.#position).toLowerCase());
      if (digit < 0 || this.#position >= this.#text.length) {
        this.#fail('in \\u hexadecimal character escape');
        return undefined;
      }
      unit = unit * 16 + digit;
    }
    return unit;
  }

  #literal(word: string, siblings: Node[] | undefined): void {
    const start = this.#position;
    for (const character of word) {
      if (this.#text.charAt(this.#position) !== character) {
        this.#fail(`in literal ${word} (expecting '${character}')`);
        return;
      }
      this.#position++;
    }
    this.#addPlain(start, siblings);
  }

  #number(siblings: Node[] | undefined): void {
    const start = this.#position;
    if (this.#at('-')) this.#position++;
    if (this.#at('0')) this.#position++;
    else if (!this.#digits()) {
      this.#fail('in numeric literal');
      return;
    }
    if (this.#at('.')) {
      this.#position++;
      if (!this.#digits()) {
        this.#fail('after decimal point in numeric literal');
        return;
      }
    }
    if (this.#at('e') || this.#at('E')) {
      this.#position++;
      if (this.#at('+') || this.#at('-')) this.#position++;
      if (!this.#digits()) {
        this.#fail('in exponent of numeric literal');
        return;
      }
    }
    this.#addPlain(start, siblings);
  }

  #addPlain(start: number, siblings: Node[] | undefined): void {
    const end = this.#position;
    const value = this.#text.slice(start, end);
    const line = this.#countLines();
    this.#add(
      { kind: 'scalar', start, end, line, value, style: 'plain', tag: '', implicit: true, pieces: undefined },
      siblings,
    );
  }

  #add(node: Node, siblings: Node[] | undefined): void {
    if (siblings === undefined) this.#root = node;
    else siblings.push(node);
  }

  /** The next character that is not white space; empty at the end. */
  #peek(): string {
    this.#position = skipSpace(this.#text, this.#position);
    return this.#text.charAt(this.#position);
  }

  #at(character: string): boolean {
    return this.#text.charAt(this.#position) === character;
  }

  #digits(): boolean {
    const start = this.#position;
    while (isDigit(this.#text.charAt(this.#position))) this.#position++;
    return this.#position > start;
  }

  #countLines(): number {
    for (; this.#lineCountedTo < this.#position; this.#lineCountedTo++) {
      if (this.#text.charCodeAt(this.#lineCountedTo) === 0x0a) this.#line++;
    }
    return this.#line;
  }

  #fail(context: string): void {
    this.#problem ??= unexpectedCharacter(this.#text, this.#position, context);
  }
}

export function unexpectedCharacter(text: string, position: number, context: string): JsonProblem {
  if (position >= text.length) return unfinished(text);
  return { message: `invalid character ${quoteByte(text, position)} ${context}`, start: position };
}

/** Go's scanner works on bytes: for a non-ASCII character it reports the first byte as if it were a character. */
function quoteByte(text: string, position: number): string {
  const code = text.codePointAt(position) as number;
  const byte = firstByte(code);
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  return `'${goQuoteBytes(String.fromCharCode(byte)).slice(1, -1)}'`;
}

/** Lone surrogates U+DC80 to U+DCFF represent bytes that are not UTF-8. */
function firstByte(code: number): number {
  if (code < 0x80) return code;
  if (code >= 0xdc80 && code <= 0xdcff) return code - 0xdc00;
  return new TextEncoder().encode(String.fromCodePoint(code))[0] as number;
}

export function skipSpace(text: string, start: number): number {
  let position = start;
  for (; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return position;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
