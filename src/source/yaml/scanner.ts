// Turns a YAML text into tokens (libyaml `scannerc`, as ported in go-yaml v2).
import { END, isBlankOrEnd, isBreak, isBreakOrEnd, SPACE, TAB } from './character.ts';
import type { Cursor, YamlProblem } from './cursor.ts';
import { doublyMarkedEnd, wasRead } from './reader.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlainScalar } from './scan-plain-scalar.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-property.ts';
import { scanQuotedScalar } from './scan-quoted-scalar.ts';
import type { ScannedScalar, TokenKind, YamlToken } from './token.ts';

/** A simple key must be followed by its `:` within this many characters and on the same line. */
const MAX_SIMPLE_KEY = 1024;
const MAX_FLOW_LEVEL = 10000;
const MAX_INDENTS = 10000;

/** Returned after the scanner has found a problem. */
const PROBLEM: YamlToken = { kind: 'problem', start: 0, end: 0, line: 0, text: '', suffix: '', scalar: undefined };

/** A location where a key without `?` may start; the `:` confirms it. */
interface SimpleKey {
  possible: boolean;
  /** True in block context at the indentation of the mapping, where only a key is valid. */
  required: boolean;
  tokenNumber: number;
  position: number;
  line: number;
  /** Used only in block context. */
  column: number;
}

export class Scanner {
  readonly #cursor: Cursor;
  readonly #tokens: YamlToken[] = [];
  #head = 0;
  /** Number of consumed tokens, which is the number of the token at the head of the queue. */
  #taken = 0;
  #isHeadReady = false;
  #lastFetch = 0;
  /** Before this offset, the first character of every line is skipped; see `doublyMarkedEnd`. */
  readonly #markedEnd: number;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #isSimpleKeyAllowed = true;
  /** One per flow level. */
  readonly #simpleKeys: SimpleKey[] = [];
  /** Index into `#simpleKeys` by the number of the key's first token. */
  readonly #simpleKeyOfToken = new Map<number, number>();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#markedEnd = doublyMarkedEnd(cursor.text);
    this.#simpleKeys.push({ possible: false, required: false, tokenNumber: 0, position: 0, line: 0, column: 0 });
    this.#tokens.push(this.#token('stream-start', cursor.position));
  }

  get problem(): YamlProblem | undefined {
    return this.#cursor.problem;
  }

  /** Offset of the last search for a token. go-yaml's reader looks four characters ahead from there. */
  get lastFetch(): number {
    return this.#lastFetch;
  }

  peek(): YamlToken {
    if (!this.#isHeadReady) this.#fetchHead();
    if (this.#cursor.problem !== undefined) return PROBLEM;
    return this.#tokens[this.#head] ?? PROBLEM;
  }

  /** Consumes the token that `peek` returned. */
  skip(): void {
    this.#isHeadReady = false;
    this.#taken++;
    this.#head++;
    if (this.#head === this.#tokens.length) {
      this.#tokens.length = 0;
      this.#head = 0;
    }
  }

  /** Fetches tokens until no KEY token can be inserted before the head. */
  #fetchHead(): void {
    while (this.#cursor.problem === undefined) {
      if (this.#tokens.length > this.#head) {
        const index = this.#simpleKeyOfToken.get(this.#taken);
        if (index === undefined) break;
        const key = this.#simpleKeys[index];
        const isOpen = key !== undefined && this.#isStillPossible(key);
        if (this.#cursor.problem !== undefined) return;
        if (!isOpen) break;
      }
      this.#fetchNext();
    }
    this.#isHeadReady = true;
  }

  #fetchNext(): void {
    const cursor = this.#cursor;
    this.#skipToNextToken();
    if (this.#flowLevel === 0) this.#unrollIndent(cursor.column);
    const { text, position } = cursor;
    this.#lastFetch = position;
    const code = text.charCodeAt(position);
    if (code === END) {
      this.#fetchStreamEnd();
      return;
    }
    const atLineStart = position === cursor.lineStart;
    if (atLineStart && code === 0x25 /* % */) {
      this.#fetchDirective();
      return;
    }
    if (atLineStart && cursor.atDocumentIndicator()) {
      this.#fetchDocumentIndicator(code === 0x2d ? 'document-start' : 'document-end');
      return;
    }
    const inFlow = this.#flowLevel > 0;
    const isFollowed = isBlankOrEnd(text.charCodeAt(position + 1));
    switch (code) {
      case 0x5b /* [ */:
        this.#fetchFlowStart('flow-sequence-start');
        return;
      case 0x7b /* { */:
        this.#fetchFlowStart('flow-mapping-start');
        return;
      case 0x5d /* ] */:
        this.#fetchFlowEnd('flow-sequence-end');
        return;
      case 0x7d /* } */:
        this.#fetchFlowEnd('flow-mapping-end');
        return;
      case 0x2c /* , */:
        this.#fetchFlowEntry();
        return;
      case 0x2d /* - */:
        if (isFollowed) {
          this.#fetchBlockEntry();
          return;
        }
        this.#fetchPlainScalar();
        return;
      case 0x3f /* ? */:
        if (inFlow || isFollowed) {
          this.#fetchKey();
          return;
        }
        this.#fetchPlainScalar();
        return;
      case 0x3a /* : */:
        if (inFlow || isFollowed) {
          this.#fetchValue();
          return;
        }
        this.#fetchPlainScalar();
        return;
      case 0x2a /* * */:
        this.#fetchNode(() => scanAnchor(cursor, 'alias'));
        return;
      case 0x26 /* & */:
        this.#fetchNode(() => scanAnchor(cursor, 'anchor'));
        return;
      case 0x21 /* ! */:
        this.#fetchNode(() => scanTag(cursor));
        return;
      case 0x7c /* | */:
        if (!inFlow) {
          this.#fetchBlockScalar(true);
          return;
        }
        break;
      case 0x3e /* > */:
        if (!inFlow) {
          this.#fetchBlockScalar(false);
          return;
        }
        break;
      case 0x27 /* ' */:
        this.#fetchQuotedScalar(true);
        return;
      case 0x22 /* " */:
        this.#fetchQuotedScalar(false);
        return;
      case TAB:
      case 0x23 /* # */:
      case 0x25 /* % */:
      case 0x40 /* @ */:
      case 0x60 /* ` */:
        break;
      default:
        this.#fetchPlainScalar();
        return;
    }
    cursor.fail('found character that cannot start any token', 'while scanning for the next token', position);
  }

  /** Skips white space, comments and line breaks; tabs only where they cannot be indentation. */
  #skipToNextToken(): void {
    const cursor = this.#cursor;
    const { text } = cursor;
    for (;;) {
      if (this.#markedEnd > 0) this.#skipMark();
      const mayBeTab = this.#flowLevel > 0 || !this.#isSimpleKeyAllowed;
      let code = text.charCodeAt(cursor.position);
      while (code === SPACE || (mayBeTab && code === TAB)) code = text.charCodeAt(++cursor.position);
      if (code === 0x23 /* # */) {
        while (!isBreakOrEnd(code)) code = text.charCodeAt(++cursor.position);
      }
      if (!isBreak(code)) return;
      cursor.skipBreak();
      if (this.#flowLevel === 0) this.#isSimpleKeyAllowed = true;
    }
  }

  #skipMark(): void {
    const cursor = this.#cursor;
    const { text, position } = cursor;
    const isFirst = position === 1;
    if (position !== cursor.lineStart || (!isFirst && wasRead(text, this.#markedEnd, this.#lastFetch, position)))
      return;
    cursor.position += (text.codePointAt(position) as number) > 0xffff ? 2 : 1;
  }

  #isStillPossible(key: SimpleKey): boolean {
    if (!key.possible) return false;
    const cursor = this.#cursor;
    if (key.line === cursor.line && !cursor.isBeyond(key.position, MAX_SIMPLE_KEY)) return true;
    if (key.required) cursor.fail("could not find expected ':'", 'while scanning a simple key', key.position);
    else key.possible = false;
    return false;
  }

  #saveSimpleKey(): void {
    if (!this.#isSimpleKeyAllowed) return;
    this.#removeSimpleKey();
    const cursor = this.#cursor;
    const key = this.#simpleKeys[this.#simpleKeys.length - 1] as SimpleKey;
    key.column = this.#flowLevel === 0 ? cursor.column : 0;
    key.possible = true;
    key.required = this.#flowLevel === 0 && this.#indent === key.column;
    key.tokenNumber = this.#taken + this.#tokens.length - this.#head;
    key.position = cursor.position;
    key.line = cursor.line;
    this.#simpleKeyOfToken.set(key.tokenNumber, this.#simpleKeys.length - 1);
  }

  #removeSimpleKey(): void {
    const key = this.#simpleKeys[this.#simpleKeys.length - 1] as SimpleKey;
    if (!key.possible) return;
    if (key.required) {
      this.#cursor.fail("could not find expected ':'", 'while scanning a simple key', key.position);
      return;
    }
    key.possible = false;
    this.#simpleKeyOfToken.delete(key.tokenNumber);
  }

  /** Opens a block at a column further right than the current one. `number` is the number of the token to insert before, or -1. */
  #rollIndent(column: number, number: number, kind: TokenKind, position: number, line: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > MAX_INDENTS) {
      this.#cursor.fail(`exceeded max depth of ${MAX_INDENTS}`, 'while increasing indent level', position);
      return;
    }
    const start: YamlToken = { kind, start: position, end: position, line, text: '', suffix: '', scalar: undefined };
    this.#insert(start, number === -1 ? -1 : number - this.#taken);
  }

  #unrollIndent(column: number): void {
    while (this.#indent > column) {
      this.#tokens.push(this.#token('block-end', this.#cursor.position));
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  /** Inserts a token before the queue's `index`th. Appends it if that token is already consumed, as go-yaml does. */
  #insert(token: YamlToken, index: number): void {
    if (index < 0) this.#tokens.push(token);
    else this.#tokens.splice(this.#head + index, 0, token);
  }

  #fetchStreamEnd(): void {
    const cursor = this.#cursor;
    if (cursor.position !== cursor.lineStart) {
      cursor.line++;
      cursor.lineStart = cursor.position;
    }
    this.#leaveBlocks();
    this.#tokens.push(this.#token('stream-end', cursor.position));
  }

  #fetchDirective(): void {
    this.#leaveBlocks();
    this.#push(scanDirective(this.#cursor));
  }

  #fetchDocumentIndicator(kind: TokenKind): void {
    this.#leaveBlocks();
    this.#pushIndicator(kind, 3);
  }

  #leaveBlocks(): void {
    if (this.#flowLevel === 0) this.#unrollIndent(-1);
    this.#removeSimpleKey();
    this.#isSimpleKeyAllowed = false;
  }

  #fetchFlowStart(kind: TokenKind): void {
    this.#saveSimpleKey();
    const { position, line } = this.#cursor;
    const tokenNumber = this.#taken + this.#tokens.length - this.#head;
    this.#simpleKeys.push({ possible: false, required: false, tokenNumber, position, line, column: 0 });
    this.#flowLevel++;
    if (this.#flowLevel > MAX_FLOW_LEVEL) {
      this.#cursor.fail(`exceeded max depth of ${MAX_FLOW_LEVEL}`, 'while increasing flow level', position);
      return;
    }
    this.#isSimpleKeyAllowed = true;
    this.#pushIndicator(kind, 1);
  }

  #fetchFlowEnd(kind: TokenKind): void {
    this.#removeSimpleKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      const key = this.#simpleKeys.pop() as SimpleKey;
      // For an empty collection this also forgets that the collection itself may be a key, as in go-yaml.
      this.#simpleKeyOfToken.delete(key.tokenNumber);
    }
    this.#isSimpleKeyAllowed = false;
    this.#pushIndicator(kind, 1);
  }

  #fetchFlowEntry(): void {
    this.#removeSimpleKey();
    this.#isSimpleKeyAllowed = true;
    this.#pushIndicator('flow-entry', 1);
  }

  #fetchBlockEntry(): void {
    if (!this.#openBlock('block-sequence-start', 'block sequence entries are not allowed in this context')) return;
    this.#removeSimpleKey();
    this.#isSimpleKeyAllowed = true;
    this.#pushIndicator('block-entry', 1);
  }

  #fetchKey(): void {
    if (!this.#openBlock('block-mapping-start', 'mapping keys are not allowed in this context')) return;
    this.#removeSimpleKey();
    this.#isSimpleKeyAllowed = this.#flowLevel === 0;
    this.#pushIndicator('key', 1);
  }

  #fetchValue(): void {
    const key = this.#simpleKeys[this.#simpleKeys.length - 1] as SimpleKey;
    if (this.#isStillPossible(key)) {
      const { position, line } = key;
      const keyToken: YamlToken = {
        kind: 'key',
        start: position,
        end: position,
        line,
        text: '',
        suffix: '',
        scalar: undefined,
      };
      this.#insert(keyToken, key.tokenNumber - this.#taken);
      this.#rollIndent(key.column, key.tokenNumber, 'block-mapping-start', position, line);
      key.possible = false;
      this.#simpleKeyOfToken.delete(key.tokenNumber);
      this.#isSimpleKeyAllowed = false;
    } else if (this.#cursor.problem === undefined) {
      if (!this.#openBlock('block-mapping-start', 'mapping values are not allowed in this context')) return;
      this.#isSimpleKeyAllowed = this.#flowLevel === 0;
    }
    this.#pushIndicator('value', 1);
  }

  /** In block context, an entry, key or value without a simple key may open a block wherever a simple key is permitted. */
  #openBlock(kind: TokenKind, problem: string): boolean {
    if (this.#flowLevel > 0) return true;
    const cursor = this.#cursor;
    if (!this.#isSimpleKeyAllowed) {
      cursor.fail(problem, '', 0);
      return false;
    }
    this.#rollIndent(cursor.column, -1, kind, cursor.position, cursor.line);
    return cursor.problem === undefined;
  }

  /** Anchors, aliases and tags may start a simple key, but no simple key may follow them. */
  #fetchNode(scan: () => YamlToken | undefined): void {
    this.#saveSimpleKey();
    this.#isSimpleKeyAllowed = false;
    this.#push(scan());
  }

  #fetchBlockScalar(literal: boolean): void {
    this.#removeSimpleKey();
    this.#isSimpleKeyAllowed = true;
    this.#pushScalar(scanBlockScalar(this.#cursor, literal, this.#indent));
  }

  #fetchQuotedScalar(single: boolean): void {
    this.#saveSimpleKey();
    this.#isSimpleKeyAllowed = false;
    this.#pushScalar(scanQuotedScalar(this.#cursor, single));
  }

  #fetchPlainScalar(): void {
    this.#saveSimpleKey();
    this.#isSimpleKeyAllowed = false;
    const scanned = scanPlainScalar(this.#cursor, this.#indent + 1, this.#flowLevel > 0);
    if (scanned === undefined) return;
    if (scanned.endsWithBreak) this.#isSimpleKeyAllowed = true;
    this.#pushScalar(scanned.scalar);
  }

  #pushScalar(scalar: ScannedScalar | undefined): void {
    if (scalar === undefined) return;
    const { start, end, line } = scalar;
    this.#tokens.push({ kind: 'scalar', start, end, line, text: '', suffix: '', scalar });
  }

  #push(token: YamlToken | undefined): void {
    if (token !== undefined) this.#tokens.push(token);
  }

  #pushIndicator(kind: TokenKind, length: number): void {
    const { position, line } = this.#cursor;
    this.#cursor.position += length;
    this.#tokens.push({ kind, start: position, end: position + length, line, text: '', suffix: '', scalar: undefined });
  }

  #token(kind: TokenKind, position: number): YamlToken {
    return { kind, start: position, end: position, line: this.#cursor.line, text: '', suffix: '', scalar: undefined };
  }
}
