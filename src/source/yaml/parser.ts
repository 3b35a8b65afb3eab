// Turns tokens into events by YAML's grammar (libyaml `parserc`, as go-yaml v2 carries it).
import type { YamlProblem } from './cursor.ts';
import type { Scanner } from './scanner.ts';
import type { ScannedScalar, Token } from './token.ts';

export type EventKind =
  | 'stream-end'
  | 'document-start'
  | 'document-end'
  | 'alias'
  | 'scalar'
  | 'sequence-start'
  | 'sequence-end'
  | 'mapping-start'
  | 'mapping-end'
  | 'problem';

/** One event; the parser hands out the same object each time. */
export interface Event {
  kind: EventKind;
  /** Place of the content, without anchor and tag. */
  start: number;
  end: number;
  /** Line where the node begins, anchor and tag included, from 0. */
  line: number;
  /** Name of the anchor or alias; empty if there is none. */
  anchor: string;
  /** Expanded tag of a scalar; empty if none was written. */
  tag: string;
  implicit: boolean;
  flow: boolean;
  /** Absent for a scalar of which nothing is written. */
  scalar: ScannedScalar | undefined;
  /** Offset of the `-` before an item of a block sequence, else -1. */
  dash: number;
}

type State =
  | 'implicit-document-start'
  | 'document-start'
  | 'document-content'
  | 'document-end'
  | 'block-node'
  | 'block-sequence-first-entry'
  | 'block-sequence-entry'
  | 'indentless-sequence-entry'
  | 'block-mapping-first-key'
  | 'block-mapping-key'
  | 'block-mapping-value'
  | 'flow-sequence-first-entry'
  | 'flow-sequence-entry'
  | 'flow-sequence-entry-mapping-key'
  | 'flow-sequence-entry-mapping-value'
  | 'flow-sequence-entry-mapping-end'
  | 'flow-mapping-first-key'
  | 'flow-mapping-key'
  | 'flow-mapping-value'
  | 'flow-mapping-empty-value'
  | 'end';

/** Tags go-yaml knows without a `%TAG` line. */
const DEFAULT_TAG_PREFIXES: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

export class Parser {
  readonly #scanner: Scanner;
  #ownProblem: YamlProblem | undefined = undefined;
  #state: State = 'implicit-document-start';
  /** States to return to when the node at hand is complete. */
  readonly #states: State[] = [];
  /** Where the open collections began. */
  readonly #starts: number[] = [];
  readonly #tagPrefixes = new Map<string, string>();
  readonly #event: Event = {
    kind: 'problem',
    start: 0,
    end: 0,
    line: 0,
    anchor: '',
    tag: '',
    implicit: false,
    flow: false,
    scalar: undefined,
    dash: -1,
  };

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    scanner.peek();
    scanner.skip();
  }

  /** What is wrong with the text, if anything: one problem, after which nothing is read. */
  get problem(): YamlProblem | undefined {
    return this.#scanner.problem ?? this.#ownProblem;
  }

  /** The next event. */
  next(): Event {
    this.#event.dash = -1;
    this.#step();
    if (this.problem !== undefined) this.#event.kind = 'problem';
    return this.#event;
  }

  #step(): void {
    switch (this.#state) {
      case 'implicit-document-start':
        this.#documentStart(true);
        break;
      case 'document-start':
        this.#documentStart(false);
        break;
      case 'document-content':
        this.#documentContent();
        break;
      case 'document-end':
        this.#documentEnd();
        break;
      case 'block-node':
        this.#node(true, false);
        break;
      case 'block-sequence-first-entry':
        this.#blockSequenceEntry(true);
        break;
      case 'block-sequence-entry':
        this.#blockSequenceEntry(false);
        break;
      case 'indentless-sequence-entry':
        this.#indentlessSequenceEntry();
        break;
      case 'block-mapping-first-key':
        this.#blockMappingKey(true);
        break;
      case 'block-mapping-key':
        this.#blockMappingKey(false);
        break;
      case 'block-mapping-value':
        this.#blockMappingValue();
        break;
      case 'flow-sequence-first-entry':
        this.#flowSequenceEntry(true);
        break;
      case 'flow-sequence-entry':
        this.#flowSequenceEntry(false);
        break;
      case 'flow-sequence-entry-mapping-key':
        this.#flowSequenceEntryMappingKey();
        break;
      case 'flow-sequence-entry-mapping-value':
        this.#flowSequenceEntryMappingValue();
        break;
      case 'flow-sequence-entry-mapping-end':
        this.#flowSequenceEntryMappingEnd();
        break;
      case 'flow-mapping-first-key':
        this.#flowMappingKey(true);
        break;
      case 'flow-mapping-key':
        this.#flowMappingKey(false);
        break;
      case 'flow-mapping-value':
        this.#flowMappingValue(false);
        break;
      case 'flow-mapping-empty-value':
        this.#flowMappingValue(true);
        break;
      case 'end':
        this.#emit('stream-end', this.#scanner.peek());
        break;
    }
  }

  #documentStart(isFirst: boolean): void {
    const scanner = this.#scanner;
    let token = scanner.peek();
    while (!isFirst && token.kind === 'document-end') token = this.#skip();
    if (token.kind === 'stream-end') {
      this.#state = 'end';
      this.#emit('stream-end', token);
      return;
    }
    const isDirective = token.kind === 'version-directive' || token.kind === 'tag-directive';
    const isImplicit = isFirst && !isDirective && token.kind !== 'document-start';
    if (!this.#processDirectives()) return;
    this.#states.push('document-end');
    this.#emit('document-start', token);
    if (isImplicit) {
      this.#state = 'block-node';
      return;
    }
    token = scanner.peek();
    if (token.kind !== 'document-start') {
      this.#fail('did not find expected <document start>', token);
      return;
    }
    this.#state = 'document-content';
    scanner.skip();
  }

  #documentContent(): void {
    const token = this.#scanner.peek();
    switch (token.kind) {
      case 'version-directive':
      case 'tag-directive':
      case 'document-start':
      case 'document-end':
      case 'stream-end':
        this.#return();
        this.#emitEmpty(token.start, token.line);
        return;
      default:
        this.#node(true, false);
        return;
    }
  }

  #documentEnd(): void {
    const token = this.#scanner.peek();
    if (token.kind === 'document-end') this.#scanner.skip();
    this.#tagPrefixes.clear();
    this.#state = 'document-start';
    this.#emit('document-end', token);
  }

  #processDirectives(): boolean {
    let hasVersion = false;
    let token = this.#scanner.peek();
    for (; token.kind === 'version-directive' || token.kind === 'tag-directive'; token = this.#skip()) {
      if (token.kind === 'tag-directive') {
        if (this.#tagPrefixes.has(token.text)) this.#fail('found duplicate %TAG directive', token);
        this.#tagPrefixes.set(token.text, token.suffix);
      } else {
        if (hasVersion) this.#fail('found duplicate %YAML directive', token);
        else if (token.text !== '1.1') this.#fail('found incompatible YAML document', token);
        hasVersion = true;
      }
      if (this.problem !== undefined) return false;
    }
    for (const [handle, prefix] of DEFAULT_TAG_PREFIXES) {
      if (!this.#tagPrefixes.has(handle)) this.#tagPrefixes.set(handle, prefix);
    }
    return true;
  }

  /** A node with its properties. `mayBeIndentless`: a sequence may stand at the indentation of the mapping around it. */
  #node(inBlock: boolean, mayBeIndentless: boolean): void {
    const scanner = this.#scanner;
    let token = scanner.peek();
    const event = this.#event;
    if (token.kind === 'alias') {
      this.#return();
      this.#emit('alias', token);
      event.anchor = token.text;
      scanner.skip();
      return;
    }
    const { start, line } = token;
    let end = start;
    let anchor = '';
    let tagToken: Token | undefined;
    for (let count = 0; count < 2; count++) {
      if (token.kind === 'anchor' && anchor === '') anchor = token.text;
      else if (token.kind === 'tag' && tagToken === undefined) tagToken = token;
      else break;
      end = token.end;
      token = this.#skip();
    }
    const tag = tagToken === undefined ? '' : this.#expandTag(tagToken);
    if (tag === undefined) {
      this.#fail('found undefined tag handle', tagToken as Token, 'while parsing a node', start);
      return;
    }
    event.anchor = anchor;
    event.tag = tag;
    event.line = line;
    event.implicit = tag === '';
    switch (token.kind) {
      case 'block-entry':
        if (!mayBeIndentless) break;
        this.#state = 'indentless-sequence-entry';
        this.#emitStart('sequence-start', token, false);
        return;
      case 'scalar': {
        const scalar = token.scalar as ScannedScalar;
        this.#return();
        event.kind = 'scalar';
        event.start = token.start;
        event.end = token.end;
        event.scalar = scalar;
        event.implicit = tag === '' ? scalar.style === 'plain' : tag === '!';
        scanner.skip();
        return;
      }
      case 'flow-sequence-start':
        this.#state = 'flow-sequence-first-entry';
        this.#emitStart('sequence-start', token, true);
        return;
      case 'flow-mapping-start':
        this.#state = 'flow-mapping-first-key';
        this.#emitStart('mapping-start', token, true);
        return;
      case 'block-sequence-start':
        if (!inBlock) break;
        this.#state = 'block-sequence-first-entry';
        this.#emitStart('sequence-start', token, false);
        return;
      case 'block-mapping-start':
        if (!inBlock) break;
        this.#state = 'block-mapping-first-key';
        this.#emitStart('mapping-start', token, false);
        return;
      default:
        break;
    }
    if (anchor !== '' || tag !== '') {
      this.#return();
      event.kind = 'scalar';
      event.start = start;
      event.end = end;
      event.scalar = undefined;
      return;
    }
    const context = inBlock ? 'while parsing a block node' : 'while parsing a flow node';
    this.#fail('did not find expected node content', token, context, start);
  }

  /** Undefined if the tag's handle is not declared. */
  #expandTag(token: Token): string | undefined {
    if (token.text === '') return token.suffix;
    const prefix = this.#tagPrefixes.get(token.text);
    return prefix === undefined || prefix + token.suffix === '' ? undefined : prefix + token.suffix;
  }

  #blockSequenceEntry(isFirst: boolean): void {
    if (isFirst) this.#enter();
    const token = this.#scanner.peek();
    if (token.kind === 'block-end') {
      this.#leave('sequence-end', token);
      return;
    }
    if (token.kind !== 'block-entry') {
      const context = 'while parsing a block collection';
      this.#fail("did not find expected '-' indicator", token, context, this.#starts.at(-1));
      return;
    }
    const next = this.#skip();
    if (next.kind === 'block-entry' || next.kind === 'block-end') {
      this.#state = 'block-sequence-entry';
      this.#emitEmpty(token.end, token.line);
    } else {
      this.#states.push('block-sequence-entry');
      this.#node(true, false);
    }
    this.#event.dash = token.start;
  }

  #indentlessSequenceEntry(): void {
    const token = this.#scanner.peek();
    if (token.kind !== 'block-entry') {
      this.#return();
      this.#emit('sequence-end', token);
      return;
    }
    const next = this.#skip();
    if (next.kind === 'block-entry' || next.kind === 'key' || next.kind === 'value' || next.kind === 'block-end') {
      this.#state = 'indentless-sequence-entry';
      this.#emitEmpty(token.end, token.line);
    } else {
      this.#states.push('indentless-sequence-entry');
      this.#node(true, false);
    }
    this.#event.dash = token.start;
  }

  #blockMappingKey(isFirst: boolean): void {
    if (isFirst) this.#enter();
    const token = this.#scanner.peek();
    if (token.kind === 'block-end') {
      this.#leave('mapping-end', token);
      return;
    }
    if (token.kind !== 'key') {
      const context = 'while parsing a block mapping';
      this.#fail('did not find expected key', token, context, this.#starts.at(-1));
      return;
    }
    this.#blockMappingNode(token, 'block-mapping-value');
  }

  #blockMappingValue(): void {
    const token = this.#scanner.peek();
    if (token.kind === 'value') {
      this.#blockMappingNode(token, 'block-mapping-key');
      return;
    }
    this.#state = 'block-mapping-key';
    this.#emitEmpty(token.start, token.line);
  }

  /** What follows the indicator of a key or a value, maybe nothing. */
  #blockMappingNode(indicator: Token, after: State): void {
    const token = this.#skip();
    if (token.kind === 'key' || token.kind === 'value' || token.kind === 'block-end') {
      this.#state = after;
      this.#emitEmpty(indicator.end, indicator.line);
      return;
    }
    this.#states.push(after);
    this.#node(true, true);
  }

  #flowSequenceEntry(isFirst: boolean): void {
    if (isFirst) this.#enter();
    let token = this.#scanner.peek();
    if (token.kind !== 'flow-sequence-end') {
      if (!isFirst) {
        if (token.kind !== 'flow-entry') {
          const context = 'while parsing a flow sequence';
          this.#fail("did not find expected ',' or ']'", token, context, this.#starts.at(-1));
          return;
        }
        token = this.#skip();
      }
      if (token.kind === 'key') {
        this.#state = 'flow-sequence-entry-mapping-key';
        const event = this.#event;
        event.anchor = '';
        event.line = token.line;
        this.#emitStart('mapping-start', token, true);
        this.#scanner.skip();
        return;
      }
      if (token.kind !== 'flow-sequence-end') {
        this.#states.push('flow-sequence-entry');
        this.#node(false, false);
        return;
      }
    }
    this.#leave('sequence-end', token);
  }

  #flowSequenceEntryMappingKey(): void {
    const token = this.#scanner.peek();
    if (token.kind !== 'value' && token.kind !== 'flow-entry' && token.kind !== 'flow-sequence-end') {
      this.#states.push('flow-sequence-entry-mapping-value');
      this.#node(false, false);
      return;
    }
    // The token is dropped unread, as go-yaml does: `[? , a]` does not parse.
    this.#scanner.skip();
    this.#state = 'flow-sequence-entry-mapping-value';
    this.#emitEmpty(token.end, token.line);
  }

  #flowSequenceEntryMappingValue(): void {
    let token = this.#scanner.peek();
    // As in go-yaml, an absent value stands where the `:` does.
    const { start, line } = token;
    if (token.kind === 'value') {
      token = this.#skip();
      if (token.kind !== 'flow-entry' && token.kind !== 'flow-sequence-end') {
        this.#states.push('flow-sequence-entry-mapping-end');
        this.#node(false, false);
        return;
      }
    }
    this.#state = 'flow-sequence-entry-mapping-end';
    this.#emitEmpty(start, line);
  }

  #flowSequenceEntryMappingEnd(): void {
    this.#state = 'flow-sequence-entry';
    const { start, line } = this.#scanner.peek();
    const event = this.#event;
    event.kind = 'mapping-end';
    event.start = start;
    event.end = start;
    event.line = line;
    // The braces of such a mapping are not written; it ends with its value.
    event.flow = false;
  }

  #flowMappingKey(isFirst: boolean): void {
    if (isFirst) this.#enter();
    let token = this.#scanner.peek();
    if (token.kind !== 'flow-mapping-end') {
      if (!isFirst) {
        if (token.kind !== 'flow-entry') {
          const context = 'while parsing a flow mapping';
          this.#fail("did not find expected ',' or '}'", token, context, this.#starts.at(-1));
          return;
        }
        token = this.#skip();
      }
      if (token.kind === 'key') {
        token = this.#skip();
        if (token.kind === 'value' || token.kind === 'flow-entry' || token.kind === 'flow-mapping-end') {
          this.#state = 'flow-mapping-value';
          this.#emitEmpty(token.start, token.line);
          return;
        }
        this.#states.push('flow-mapping-value');
        this.#node(false, false);
        return;
      }
      if (token.kind !== 'flow-mapping-end') {
        this.#states.push('flow-mapping-empty-value');
        this.#node(false, false);
        return;
      }
    }
    this.#leave('mapping-end', token);
  }

  #flowMappingValue(isAbsent: boolean): void {
    let token = this.#scanner.peek();
    if (!isAbsent && token.kind === 'value') {
      token = this.#skip();
      if (token.kind !== 'flow-entry' && token.kind !== 'flow-mapping-end') {
        this.#states.push('flow-mapping-key');
        this.#node(false, false);
        return;
      }
    }
    this.#state = 'flow-mapping-key';
    this.#emitEmpty(token.start, token.line);
  }

  /** Takes a token and returns the one after it. */
  #skip(): Token {
    this.#scanner.skip();
    return this.#scanner.peek();
  }

  /** Takes the token that opens a collection. */
  #enter(): void {
    this.#starts.push(this.#scanner.peek().start);
    this.#scanner.skip();
  }

  /** Takes the token that closes a collection. */
  #leave(kind: EventKind, token: Token): void {
    this.#return();
    this.#starts.pop();
    this.#emit(kind, token);
    this.#event.flow = token.kind !== 'block-end';
    this.#scanner.skip();
  }

  #return(): void {
    this.#state = this.#states.pop() ?? 'end';
  }

  #emit(kind: EventKind, token: Token): void {
    const event = this.#event;
    event.kind = kind;
    event.start = token.start;
    event.end = token.end;
    event.line = token.line;
    event.flow = false;
  }

  /** The caller has set anchor, tag and line. */
  #emitStart(kind: EventKind, token: Token, flow: boolean): void {
    const event = this.#event;
    event.kind = kind;
    event.start = token.start;
    event.end = token.end;
    event.flow = flow;
  }

  /** A scalar of which nothing is written. */
  #emitEmpty(position: number, line: number): void {
    const event = this.#event;
    event.kind = 'scalar';
    event.start = position;
    event.end = position;
    event.line = line;
    event.anchor = '';
    event.tag = '';
    event.implicit = true;
    event.scalar = undefined;
  }

  /** go-yaml prints the line of the parser's problems as it counts it, from 0. */
  #fail(message: string, token: Token, context = '', contextStart = 0): void {
    this.#ownProblem ??= {
      message,
      line: token.line,
      start: token.start,
      end: Math.max(token.end, token.start + 1),
      context: context === '' ? undefined : { message: context, start: contextStart },
    };
  }
}
