// Reads the YAML that most manifests are written in, block collections of plain and quoted scalars, straight into nodes; leaves the rest.
import type { MappingNode, Node, ScalarNode, ScalarStyle, SequenceNode } from '../node.ts';
import { END, isBlankOrEnd, LINE_FEED, SPACE } from './character.ts';
import { Cursor } from './cursor.ts';
import { recurringText } from './recurring-text.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlainScalar } from './scan-plain-scalar.ts';
import { scanQuotedScalar } from './scan-quoted-scalar.ts';
import type { ScannedScalar } from './token.ts';

/** Deeper nesting is left to the reader that needs no stack. */
const DEEPEST = 200;
/** Longer keys are left to the reader that knows how long a key may be. */
const LONGEST_KEY = 1000;

/** What makes columns, breaks or the reading of a text special: tabs, breaks other than LF, marks, surrogates, what YAML forbids. */
const SPECIAL = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

const HASH = 0x23;
const DASH = 0x2d;
const COLON = 0x3a;
const QUESTION = 0x3f;
const SINGLE_QUOTE = 0x27;
const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `# % & * ! | > ' " @ , [ ] { }` and the backquote: what no plain scalar begins with. */
const INDICATORS: ReadonlySet<number> = new Set([...'#%&*!|>\'"@`,[]{}'].map((character) => character.charCodeAt(0)));

/**
 * The root of a text that holds one document and nothing that has to be thought about; else undefined, also where it is no
 * YAML. `terminated` is the same text, ended by a NUL. The nodes are those that the reader of all YAML would make.
 */
export function readPlainBlocks(text: string, terminated: string, recordPieces: boolean): Node | undefined {
  if (SPECIAL.test(text)) return undefined;
  const reader = new PlainBlocks(text, terminated, recordPieces);
  const root = reader.document();
  return reader.isGivenUp ? undefined : root;
}

class PlainBlocks {
  readonly #text: string;
  readonly #terminated: string;
  readonly #recordPieces: boolean;
  #cursor: Cursor | undefined;
  #position = 0;
  #line = 0;
  #lineStart = 0;
  /** Whether a comment was passed on the way to the present place. */
  #sawComment = false;
  #depth = 0;
  isGivenUp = false;

  constructor(text: string, terminated: string, recordPieces: boolean) {
    this.#text = text;
    this.#terminated = terminated;
    this.#recordPieces = recordPieces;
  }

  document(): Node | undefined {
    this.#advance();
    const code = this.#terminated.charCodeAt(this.#position);
    if (code === END || code === OPEN_BRACE || code === OPEN_BRACKET) return this.#giveUp();
    const root = this.#blockNode(-1);
    if (root?.kind === 'scalar' || this.#terminated.charCodeAt(this.#position) !== END) return this.#giveUp();
    return root;
  }

  #giveUp(): undefined {
    this.isGivenUp = true;
    return undefined;
  }

  /** To the next character that is neither white space nor comment. */
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

  /** `---`, `...` or a directive, as far as the first character tells. */
  #isDocumentSign(position: number): boolean {
    const code = this.#terminated.charCodeAt(position);
    if (code === 0x25 /* % */) return true;
    return (code === DASH || code === 0x2e) && this.#terminated.charCodeAt(position + 1) === code;
  }

  /** A node that begins here, in a block at `indent`; afterwards the place is that of the next one. */
  #blockNode(indent: number): Node | undefined {
    const text = this.#terminated;
    const position = this.#position;
    const line = this.#line;
    const lineStart = this.#lineStart;
    const column = position - lineStart;
    const code = text.charCodeAt(position);
    if (code === DASH && isBlankOrEnd(text.charCodeAt(position + 1))) return this.#sequence(column, position);
    const key = this.#key();
    if (this.isGivenUp) return undefined;
    if (key !== undefined) return this.#mapping(column, key);
    this.#position = position;
    this.#line = line;
    this.#lineStart = lineStart;
    return this.#value(indent);
  }

  #sequence(column: number, end: number): SequenceNode | undefined {
    const text = this.#terminated;
    if (++this.#depth > DEEPEST) return this.#giveUp();
    const start = this.#position;
    const node: SequenceNode = { kind: 'sequence', start, end, line: this.#line, flow: false, items: [], dashes: [] };
    while (
      this.#position - this.#lineStart === column &&
      text.charCodeAt(this.#position) === DASH &&
      isBlankOrEnd(text.charCodeAt(this.#position + 1))
    ) {
      const dash = this.#position;
      const line = this.#line;
      this.#position++;
      this.#advance();
      if (this.isGivenUp) return undefined;
      const isEmpty = this.#position - this.#lineStart <= column || text.charCodeAt(this.#position) === END;
      const item = isEmpty ? emptyScalar(dash + 1, line) : this.#blockNode(column);
      if (item === undefined || this.isGivenUp) return undefined;
      node.items.push(item);
      node.dashes.push(dash);
      if (item.end > node.end) node.end = item.end;
      if (dash + 1 > node.end) node.end = dash + 1;
    }
    this.#depth--;
    return this.#isPast(column) ? node : this.#giveUp();
  }

  /** Not further in than a block that has come to an end, or is going on. */
  #isPast(column: number): boolean {
    return this.#position - this.#lineStart <= column || this.#terminated.charCodeAt(this.#position) === END;
  }

  /** The place is after the colon of the first key. */
  #mapping(column: number, firstKey: ScalarNode): MappingNode | undefined {
    const text = this.#terminated;
    if (++this.#depth > DEEPEST) return this.#giveUp();
    const { start, line } = firstKey;
    const node: MappingNode = { kind: 'mapping', start, end: start, line, flow: false, keys: [], values: [] };
    for (let key: ScalarNode | undefined = firstKey; key !== undefined; key = this.#key()) {
      const value = this.#mappingValue(column);
      if (value === undefined || this.isGivenUp) return undefined;
      node.keys.push(key);
      node.values.push(value);
      if (!this.#isPast(column)) return this.#giveUp();
      if (this.#position - this.#lineStart < column || text.charCodeAt(this.#position) === END) {
        const last = value.end;
        if (last > node.end) node.end = last;
        this.#depth--;
        return node;
      }
    }
    return this.#giveUp();
  }

  #mappingValue(column: number): Node | undefined {
    const text = this.#terminated;
    const afterColon = this.#position;
    const line = this.#line;
    this.#advance();
    if (this.isGivenUp) return undefined;
    if (this.#line === line && text.charCodeAt(this.#position) !== END) return this.#value(column);
    const own = this.#position - this.#lineStart;
    const code = text.charCodeAt(this.#position);
    if (code === END || own < column) return emptyScalar(afterColon, line);
    if (own > column) return this.#blockNode(column);
    const isEntry = code === DASH && isBlankOrEnd(text.charCodeAt(this.#position + 1));
    return isEntry ? this.#indentless(column) : emptyScalar(afterColon, line);
  }

  /** A sequence at the column of the mapping around it: what comes after it there is a key. */
  #indentless(column: number): SequenceNode | undefined {
    return this.#sequence(column, this.#position + 1);
  }

  /**
   * The key that begins here, with the place moved behind its colon. Undefined, with the place anywhere, for what is no key: then
   * it may be a value.
   */
  #key(): ScalarNode | undefined {
    const text = this.#terminated;
    const start = this.#position;
    const line = this.#line;
    const code = text.charCodeAt(start);
    let key: ScalarNode;
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      const scalar = this.#quoted(code);
      if (scalar === undefined) return undefined;
      if (this.#line !== line) return undefined;
      key = scalar;
      let position = this.#position;
      while (text.charCodeAt(position) === SPACE) position++;
      this.#position = position;
    } else {
      if (!this.#beginsPlain(start)) return undefined;
      const end = this.#endOfPlain(start);
      if (text.charCodeAt(this.#position) !== COLON) return undefined;
      const value = recurringText(this.#text, start, end);
      key = scalarNode(start, end, line, value, 'plain');
    }
    const colon = this.#position;
    if (text.charCodeAt(colon) !== COLON || !isBlankOrEnd(text.charCodeAt(colon + 1))) return undefined;
    if (colon - start > LONGEST_KEY) return this.#giveUp();
    this.#position = colon + 1;
    return key;
  }

  /** Whether a plain scalar begins here, in a block. */
  #beginsPlain(position: number): boolean {
    const code = this.#terminated.charCodeAt(position);
    if (code === DASH || code === QUESTION || code === COLON)
      return !isBlankOrEnd(this.#terminated.charCodeAt(position + 1));
    return !INDICATORS.has(code);
  }

  /** The end of a plain scalar's text on this line; the place is moved to what ends it: a colon, a comment or the line's end. */
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

  /** A scalar or a flow collection that is all there is up to the end of its line; afterwards the place is that of the next node. */
  #value(indent: number): Node | undefined {
    const text = this.#terminated;
    const start = this.#position;
    const line = this.#line;
    const code = text.charCodeAt(start);
    let node: Node | undefined;
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) node = this.#quoted(code);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) node = this.#flow();
    else if (code === 0x7c /* | */ || code === 0x3e /* > */) {
      const scalar = this.#scanned((cursor) => scanBlockScalar(cursor, code === 0x7c, indent));
      if (scalar === undefined) return this.#giveUp();
      this.#advance();
      return scalar;
    } else if (this.#beginsPlain(start)) return this.#plain(indent, start, line);
    if (node === undefined || this.isGivenUp) return this.#giveUp();
    const ended = this.#line;
    this.#advance();
    if (this.#line === ended && text.charCodeAt(this.#position) !== END) return this.#giveUp();
    return node;
  }

  #plain(indent: number, start: number, line: number): ScalarNode | undefined {
    const lineStart = this.#lineStart;
    const end = this.#endOfPlain(start);
    if (this.#terminated.charCodeAt(this.#position) === COLON) return this.#giveUp();
    this.#advance();
    const goesOn = !this.#sawComment && !this.#isPast(indent);
    if (!goesOn) return scalarNode(start, end, line, recurringText(this.#text, start, end), 'plain');
    this.#position = start;
    this.#line = line;
    this.#lineStart = lineStart;
    const scalar = this.#scanned((cursor) => scanPlainScalar(cursor, indent + 1, false)?.scalar);
    if (scalar === undefined) return this.#giveUp();
    this.#advance();
    return scalar;
  }

  /** The place is moved behind the closing quote. */
  #quoted(quote: number): ScalarNode | undefined {
    const text = this.#terminated;
    const start = this.#position;
    for (let position = start + 1; ; position++) {
      const code = text.charCodeAt(position);
      if (code === quote && (quote === DOUBLE_QUOTE || text.charCodeAt(position + 1) !== quote)) {
        this.#position = position + 1;
        const value = recurringText(this.#text, start + 1, position);
        return scalarNode(start, position + 1, this.#line, value, quote === DOUBLE_QUOTE ? 'double' : 'single');
      }
      if (code === LINE_FEED || code === END || code === quote || (code === BACKSLASH && quote === DOUBLE_QUOTE)) break;
    }
    const scalar = this.#scanned((cursor) => scanQuotedScalar(cursor, quote === SINGLE_QUOTE));
    return scalar ?? this.#giveUp();
  }

  /** What the scanner of all YAML makes of the scalar here. */
  #scanned(scan: (cursor: Cursor) => ScannedScalar | undefined): ScalarNode | undefined {
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
    const { start, end, line, value, style, pieces } = scalar;
    return { kind: 'scalar', start, end, line, value, style, tag: '', implicit: style === 'plain', pieces };
  }

  /** A flow collection; the place is moved behind its end. */
  #flow(): Node | undefined {
    const text = this.#terminated;
    if (++this.#depth > DEEPEST) return this.#giveUp();
    const isMapping = text.charCodeAt(this.#position) === OPEN_BRACE;
    const close = isMapping ? CLOSE_BRACE : CLOSE_BRACKET;
    const start = this.#position;
    const line = this.#line;
    const items: Node[] = [];
    const keys: Node[] = [];
    this.#position++;
    this.#advance();
    while (!this.isGivenUp && text.charCodeAt(this.#position) !== close) {
      if (isMapping) {
        const key = this.#flowScalar();
        if (key === undefined || key.line !== this.#line) return this.#giveUp();
        const colon = this.#position;
        if (text.charCodeAt(colon) !== COLON || colon - key.start > LONGEST_KEY) return this.#giveUp();
        keys.push(key);
        this.#position++;
        this.#advance();
      }
      const item = this.#flowNode();
      if (item === undefined) return this.#giveUp();
      items.push(item);
      const code = text.charCodeAt(this.#position);
      if (code === COMMA) {
        this.#position++;
        this.#advance();
      } else if (code !== close) return this.#giveUp();
    }
    this.#position++;
    this.#depth--;
    const end = this.#position;
    return isMapping
      ? { kind: 'mapping', start, end, line, flow: true, keys, values: items }
      : { kind: 'sequence', start, end, line, flow: true, items, dashes: [] };
  }

  /** Afterwards the place is that of what follows. */
  #flowNode(): Node | undefined {
    const code = this.#terminated.charCodeAt(this.#position);
    if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return this.#flowScalar();
    const node = this.#flow();
    if (node === undefined) return undefined;
    this.#advance();
    return this.isGivenUp ? undefined : node;
  }

  /** On one line; afterwards the place is that of what follows. */
  #flowScalar(): ScalarNode | undefined {
    const text = this.#terminated;
    const start = this.#position;
    const line = this.#line;
    const code = text.charCodeAt(start);
    let scalar: ScalarNode | undefined;
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) scalar = this.#quoted(code);
    else if (code !== QUESTION && code !== COLON && this.#beginsPlain(start)) {
      const end = this.#endOfFlowPlain(start);
      if (end === undefined) return undefined;
      scalar = scalarNode(start, end, line, recurringText(this.#text, start, end), 'plain');
    }
    if (scalar === undefined || this.#line !== line) return this.#giveUp();
    this.#advance();
    const next = text.charCodeAt(this.#position);
    const isEnded = next === COMMA || next === COLON || next === CLOSE_BRACE || next === CLOSE_BRACKET;
    return isEnded && !this.isGivenUp ? scalar : this.#giveUp();
  }

  /** Undefined where a question mark ends it. */
  #endOfFlowPlain(start: number): number | undefined {
    const text = this.#terminated;
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

function scalarNode(start: number, end: number, line: number, value: string, style: ScalarStyle): ScalarNode {
  const implicit = style === 'plain';
  return { kind: 'scalar', start, end, line, value, style, tag: '', implicit, pieces: undefined };
}

function emptyScalar(position: number, line: number): ScalarNode {
  return scalarNode(position, position, line, '', 'plain');
}
