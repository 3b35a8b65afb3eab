// Fast path for the YAML of most manifests: reads block collections of plain and quoted scalars directly into nodes or values.
import { END, isBlankOrEnd, LINE_FEED, SPACE } from './character.ts';
import { Cursor } from './cursor.ts';
import type { PlainDocument, PlainProduct } from './plain-product.ts';
import {
  beginsPlain,
  COLON,
  DASH,
  DOUBLE_QUOTE,
  endOfQuoted,
  QUESTION,
  SINGLE_QUOTE,
  styleOf,
} from './plain-scalars.ts';
import { recurringText } from './recurring-text.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlainScalar } from './scan-plain-scalar.ts';
import { scanQuotedScalar } from './scan-quoted-scalar.ts';
import type { ScannedScalar } from './token.ts';

/** Deeper nesting is left to the full reader, which does not recurse. */
const DEEPEST = 200;
/** Longer keys are left to the full reader, which enforces the limit on key length. */
const LONGEST_KEY = 1000;

/** Characters that need the full reader: tabs, breaks other than LF, byte-order marks, surrogates, and characters forbidden in YAML. */
const SPECIAL = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

const HASH = 0x23;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Reads a text with one simple document into the same result as the full reader. Undefined for any other text,
 * including invalid YAML. `terminated` is the text followed by NUL.
 */
export function readPlainBlocks<N, Sequence extends N, Mapping extends N, Key>(
  text: string,
  terminated: string,
  recordPieces: boolean,
  product: PlainProduct<N, Sequence, Mapping, Key>,
): PlainDocument<N> | undefined {
  if (SPECIAL.test(text)) return undefined;
  return new PlainBlocks(text, terminated, recordPieces, product).document();
}

class PlainBlocks<N, Sequence extends N, Mapping extends N, Key> {
  readonly #text: string;
  readonly #terminated: string;
  readonly #recordPieces: boolean;
  readonly #product: PlainProduct<N, Sequence, Mapping, Key>;
  #cursor: Cursor | undefined;
  #position = 0;
  #line = 0;
  #lineStart = 0;
  /** True if a comment was skipped before the current position. */
  #sawComment = false;
  /** End of the last node read. */
  #end = 0;
  #depth = 0;
  #deepest = 0;
  #isGivenUp = false;

  constructor(
    text: string,
    terminated: string,
    recordPieces: boolean,
    product: PlainProduct<N, Sequence, Mapping, Key>,
  ) {
    this.#text = text;
    this.#terminated = terminated;
    this.#recordPieces = recordPieces;
    this.#product = product;
  }

  document(): PlainDocument<N> | undefined {
    this.#advance();
    const start = this.#position;
    const code = this.#terminated.charCodeAt(start);
    if (code === END || code === OPEN_BRACE || code === OPEN_BRACKET) return undefined;
    const root = this.#blockNode(-1);
    const isScalar = this.#deepest === 0;
    if (root === undefined || this.#isGivenUp || isScalar) return undefined;
    if (this.#terminated.charCodeAt(this.#position) !== END) return undefined;
    return { root, start, end: this.#end, depth: this.#deepest };
  }

  #giveUp(): undefined {
    this.#isGivenUp = true;
    return undefined;
  }

  /** False if the nesting is too deep. */
  #enter(): boolean {
    if (++this.#depth > DEEPEST) return false;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    return true;
  }

  /** Moves to the next character that is neither white space nor part of a comment. */
  #advance(): void {
    const text = this.#terminated;
    let position = this.#position;
    this.#sawComment = false;
    for (;;) {
      let code = text.charCodeAt(position);
      while (code === SPACE) code = text.charCodeAt(++position);
      if (code === HASH) {
        this.#sawComment = true;
        const end = text.indexOf('\n', position);
        position = end < 0 ? text.length - 1 : end;
        code = text.charCodeAt(position);
      }
      if (code !== LINE_FEED) break;
      position++;
      this.#line++;
      this.#lineStart = position;
    }
    this.#position = position;
    if (position === this.#lineStart && this.#isDocumentSign(position)) this.#giveUp();
  }

  /** True for `---`, `...` or a directive, according to the first characters. */
  #isDocumentSign(position: number): boolean {
    const code = this.#terminated.charCodeAt(position);
    if (code === 0x25 /* % */) return true;
    return (code === DASH || code === 0x2e) && this.#terminated.charCodeAt(position + 1) === code;
  }

  /** Reads the node at the current position in a block at `indent`, and moves to the next node. */
  #blockNode(indent: number): N | undefined {
    const text = this.#terminated;
    const position = this.#position;
    const line = this.#line;
    const lineStart = this.#lineStart;
    const column = position - lineStart;
    const code = text.charCodeAt(position);
    if (code === DASH && isBlankOrEnd(text.charCodeAt(position + 1))) return this.#sequence(column);
    const key = this.#key();
    if (this.#isGivenUp) return undefined;
    if (key !== undefined) return this.#mapping(column, key, position, line);
    this.#position = position;
    this.#line = line;
    this.#lineStart = lineStart;
    return this.#value(indent);
  }

  /** `column` is that of the mapping around it, or further right. */
  #sequence(column: number): Sequence | undefined {
    const text = this.#terminated;
    const product = this.#product;
    if (!this.#enter()) return this.#giveUp();
    const sequence = product.sequence(this.#position, this.#line, false);
    while (
      this.#position - this.#lineStart === column &&
      text.charCodeAt(this.#position) === DASH &&
      isBlankOrEnd(text.charCodeAt(this.#position + 1))
    ) {
      const dash = this.#position;
      const line = this.#line;
      this.#position++;
      this.#advance();
      if (this.#isGivenUp) return undefined;
      const isEmpty = this.#position - this.#lineStart <= column || text.charCodeAt(this.#position) === END;
      const item = isEmpty ? this.#emptyScalar(dash + 1, line) : this.#blockNode(column);
      if (item === undefined || this.#isGivenUp) return this.#giveUp();
      product.addItem(sequence, item, dash);
    }
    this.#depth--;
    if (!this.#isPast(column)) return this.#giveUp();
    product.close(sequence, this.#end);
    return sequence;
  }

  /** True if the position is not further right than `column`, or is the end of the text. */
  #isPast(column: number): boolean {
    return this.#position - this.#lineStart <= column || this.#terminated.charCodeAt(this.#position) === END;
  }

  /** Call with the position after the colon of the first key, which begins at `start`. */
  #mapping(column: number, firstKey: Key, start: number, line: number): Mapping | undefined {
    const text = this.#terminated;
    const product = this.#product;
    if (!this.#enter()) return this.#giveUp();
    const mapping = product.mapping(start, line, false);
    for (let key: Key | undefined = firstKey; key !== undefined; key = this.#key()) {
      const value = this.#mappingValue(column);
      if (value === undefined || this.#isGivenUp) return this.#giveUp();
      if (!product.addEntry(mapping, key, value) || !this.#isPast(column)) return this.#giveUp();
      if (this.#position - this.#lineStart < column || text.charCodeAt(this.#position) === END) {
        product.close(mapping, this.#end);
        this.#depth--;
        return mapping;
      }
    }
    return this.#giveUp();
  }

  #mappingValue(column: number): N | undefined {
    const text = this.#terminated;
    const afterColon = this.#position;
    const line = this.#line;
    this.#advance();
    if (this.#isGivenUp) return undefined;
    if (this.#line === line && text.charCodeAt(this.#position) !== END) return this.#value(column);
    const own = this.#position - this.#lineStart;
    const code = text.charCodeAt(this.#position);
    if (code === END || own < column) return this.#emptyScalar(afterColon, line);
    if (own > column) return this.#blockNode(column);
    const isEntry = code === DASH && isBlankOrEnd(text.charCodeAt(this.#position + 1));
    return isEntry ? this.#sequence(column) : this.#emptyScalar(afterColon, line);
  }

  /**
   * Reads the key at the current position and moves past its colon. Undefined if there is no key: the position is then
   * undefined too, and the text may be a value.
   */
  #key(): Key | undefined {
    const text = this.#terminated;
    const start = this.#position;
    const line = this.#line;
    const code = text.charCodeAt(start);
    let key: Key | undefined;
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      key = this.#quotedKey(code);
      if (key === undefined || this.#line !== line) return undefined;
      let position = this.#position;
      while (text.charCodeAt(position) === SPACE) position++;
      this.#position = position;
    } else {
      if (!beginsPlain(text, start)) return undefined;
      const end = this.#endOfPlain(start);
      if (text.charCodeAt(this.#position) !== COLON) return undefined;
      key = this.#product.key(start, end, line, recurringText(this.#text, start, end), 'plain', undefined);
      if (key === undefined) return this.#giveUp();
    }
    const colon = this.#position;
    if (text.charCodeAt(colon) !== COLON || !isBlankOrEnd(text.charCodeAt(colon + 1))) return undefined;
    if (colon - start > LONGEST_KEY) return this.#giveUp();
    this.#position = colon + 1;
    return key;
  }

  /** End of a plain scalar's text on this line. Moves to its terminator: a colon, a comment or the line's end. */
  #endOfPlain(start: number): number {
    const text = this.#terminated;
    let position = start;
    let end = start;
    for (;;) {
      const code = text.charCodeAt(position);
      if (code === SPACE) {
        let next = position + 1;
        while (text.charCodeAt(next) === SPACE) next++;
        position = next;
        if (text.charCodeAt(position) === HASH) break;
        continue;
      }
      if (code === LINE_FEED || code === END) break;
      if (code === COLON && isBlankOrEnd(text.charCodeAt(position + 1))) break;
      position++;
      end = position;
    }
    this.#position = position;
    return end;
  }

  /** Reads a scalar or flow collection that extends to the end of its line, and moves to the next node. */
  #value(indent: number): N | undefined {
    const text = this.#terminated;
    const start = this.#position;
    const line = this.#line;
    const code = text.charCodeAt(start);
    let node: N | undefined;
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) node = this.#quoted(code);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) node = this.#flow();
    else if (code === 0x7c /* | */ || code === 0x3e /* > */) {
      const scalar = this.#scalarOf(this.#scanned((cursor) => scanBlockScalar(cursor, code === 0x7c, indent)));
      if (scalar === undefined) return this.#giveUp();
      this.#advance();
      return scalar;
    } else if (beginsPlain(text, start)) return this.#plain(indent, start, line);
    if (node === undefined || this.#isGivenUp) return this.#giveUp();
    const ended = this.#line;
    this.#advance();
    if (this.#line === ended && text.charCodeAt(this.#position) !== END) return this.#giveUp();
    return node;
  }

  #plain(indent: number, start: number, line: number): N | undefined {
    const lineStart = this.#lineStart;
    const end = this.#endOfPlain(start);
    if (this.#terminated.charCodeAt(this.#position) === COLON) return this.#giveUp();
    this.#advance();
    const goesOn = !this.#sawComment && !this.#isPast(indent);
    if (!goesOn) {
      this.#end = end;
      return this.#product.scalar(start, end, line, recurringText(this.#text, start, end), 'plain', undefined);
    }
    this.#position = start;
    this.#line = line;
    this.#lineStart = lineStart;
    const scalar = this.#scalarOf(this.#scanned((cursor) => scanPlainScalar(cursor, indent + 1, false)?.scalar));
    if (scalar === undefined) return this.#giveUp();
    this.#advance();
    return scalar;
  }

  #quoted(quote: number): N | undefined {
    const start = this.#position;
    const line = this.#line;
    const end = endOfQuoted(this.#terminated, start, quote);
    if (end === undefined) return this.#scalarOf(this.#scannedQuoted(quote)) ?? this.#giveUp();
    this.#position = end;
    this.#end = end;
    const text = recurringText(this.#text, start + 1, end - 1);
    return this.#product.scalar(start, end, line, text, styleOf(quote), undefined);
  }

  #quotedKey(quote: number): Key | undefined {
    const start = this.#position;
    const line = this.#line;
    const end = endOfQuoted(this.#terminated, start, quote);
    if (end !== undefined) {
      this.#position = end;
      const text = recurringText(this.#text, start + 1, end - 1);
      return this.#product.key(start, end, line, text, styleOf(quote), undefined);
    }
    const scanned = this.#scannedQuoted(quote);
    if (scanned === undefined) return this.#giveUp();
    return this.#product.key(start, scanned.end, line, scanned.value, scanned.style, scanned.pieces);
  }

  #scannedQuoted(quote: number): ScannedScalar | undefined {
    return this.#scanned((cursor) => scanQuotedScalar(cursor, quote === SINGLE_QUOTE));
  }

  /** Reads the scalar with the full scanner and moves past it. */
  #scanned(scan: (cursor: Cursor) => ScannedScalar | undefined): ScannedScalar | undefined {
    this.#cursor ??= new Cursor(this.#terminated, this.#recordPieces);
    const cursor = this.#cursor;
    cursor.position = this.#position;
    cursor.line = this.#line;
    cursor.lineStart = this.#lineStart;
    const scalar = scan(cursor);
    if (scalar === undefined || cursor.problem !== undefined) return undefined;
    this.#position = cursor.position;
    this.#line = cursor.line;
    this.#lineStart = cursor.lineStart;
    return scalar;
  }

  #scalarOf(scanned: ScannedScalar | undefined): N | undefined {
    if (scanned === undefined) return undefined;
    const { start, end, line, value, style, pieces } = scanned;
    this.#end = end;
    return this.#product.scalar(start, end, line, value, style, pieces);
  }

  #emptyScalar(position: number, line: number): N | undefined {
    this.#end = position;
    return this.#product.scalar(position, position, line, '', 'plain', undefined);
  }

  #flow(): N | undefined {
    const isMapping = this.#terminated.charCodeAt(this.#position) === OPEN_BRACE;
    if (!this.#enter()) return this.#giveUp();
    const node = isMapping ? this.#flowMapping() : this.#flowSequence();
    this.#position++;
    this.#end = this.#position;
    this.#depth--;
    if (node === undefined) return this.#giveUp();
    this.#product.close(node, this.#end);
    return node;
  }

  /** Moves to the closing bracket. */
  #flowSequence(): Sequence | undefined {
    const sequence = this.#product.sequence(this.#position, this.#line, true);
    this.#position++;
    this.#advance();
    while (!this.#isGivenUp && this.#terminated.charCodeAt(this.#position) !== CLOSE_BRACKET) {
      const item = this.#flowNode();
      if (item === undefined) return undefined;
      this.#product.addItem(sequence, item, undefined);
      if (!this.#passComma(CLOSE_BRACKET)) return undefined;
    }
    return this.#isGivenUp ? undefined : sequence;
  }

  #flowMapping(): Mapping | undefined {
    const text = this.#terminated;
    const mapping = this.#product.mapping(this.#position, this.#line, true);
    this.#position++;
    this.#advance();
    while (!this.#isGivenUp && text.charCodeAt(this.#position) !== CLOSE_BRACE) {
      const start = this.#position;
      const line = this.#line;
      const key = this.#flowKey();
      if (key === undefined || line !== this.#line) return undefined;
      const colon = this.#position;
      if (text.charCodeAt(colon) !== COLON || colon - start > LONGEST_KEY) return undefined;
      this.#position++;
      this.#advance();
      const value = this.#flowNode();
      if (value === undefined || !this.#product.addEntry(mapping, key, value)) return undefined;
      if (!this.#passComma(CLOSE_BRACE)) return undefined;
    }
    return this.#isGivenUp ? undefined : mapping;
  }

  /** False if neither a comma nor the end of the collection follows. */
  #passComma(close: number): boolean {
    const code = this.#terminated.charCodeAt(this.#position);
    if (code !== COMMA) return code === close;
    this.#position++;
    this.#advance();
    return true;
  }

  /** Moves to the next token. */
  #flowNode(): N | undefined {
    const code = this.#terminated.charCodeAt(this.#position);
    if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return this.#flowScalar();
    const node = this.#flow();
    if (node === undefined) return undefined;
    this.#advance();
    return this.#isGivenUp ? undefined : node;
  }

  /** Reads a scalar on one line and moves to the next token. */
  #flowScalar(): N | undefined {
    const start = this.#position;
    const line = this.#line;
    const code = this.#terminated.charCodeAt(start);
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      const scalar = this.#quoted(code);
      return scalar !== undefined && this.#endsInFlow(line) ? scalar : this.#giveUp();
    }
    const end = this.#endOfFlowPlain(start);
    if (end === undefined || !this.#endsInFlow(line)) return this.#giveUp();
    this.#end = end;
    return this.#product.scalar(start, end, line, recurringText(this.#text, start, end), 'plain', undefined);
  }

  #flowKey(): Key | undefined {
    const start = this.#position;
    const line = this.#line;
    const code = this.#terminated.charCodeAt(start);
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      const key = this.#quotedKey(code);
      return key !== undefined && this.#endsInFlow(line) ? key : this.#giveUp();
    }
    const end = this.#endOfFlowPlain(start);
    if (end === undefined || !this.#endsInFlow(line)) return this.#giveUp();
    return this.#product.key(start, end, line, recurringText(this.#text, start, end), 'plain', undefined);
  }

  /** True if a node that ends on its first line is followed by a valid token. Moves to that token. */
  #endsInFlow(line: number): boolean {
    if (this.#line !== line) return false;
    this.#advance();
    const next = this.#terminated.charCodeAt(this.#position);
    const isEnded = next === COMMA || next === COLON || next === CLOSE_BRACE || next === CLOSE_BRACKET;
    return isEnded && !this.#isGivenUp;
  }

  /** End of a plain scalar in flow context. Moves to its terminator. Undefined if no scalar begins here or a question mark ends it. */
  #endOfFlowPlain(start: number): number | undefined {
    const text = this.#terminated;
    const first = text.charCodeAt(start);
    if (first === QUESTION || first === COLON || !beginsPlain(text, start)) return undefined;
    let position = start;
    let end = start;
    for (;;) {
      const code = text.charCodeAt(position);
      if (code === SPACE) {
        position++;
        if (text.charCodeAt(position) === HASH) break;
        continue;
      }
      if (code === LINE_FEED || code === END || code === COMMA) break;
      if (code === OPEN_BRACE || code === CLOSE_BRACE || code === OPEN_BRACKET || code === CLOSE_BRACKET) break;
      if (code === QUESTION) return undefined;
      if (code === COLON && isBlankOrEnd(text.charCodeAt(position + 1))) break;
      position++;
      end = position;
    }
    this.#position = position;
    return end;
  }
}
