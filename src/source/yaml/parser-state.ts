// What the rules of YAML's grammar share: the event at hand, the states to return to, the first problem.
import type { YamlProblem } from './cursor.ts';
import type { Scanner } from './scanner.ts';
import type { ScannedScalar, YamlToken } from './token.ts';

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

export type YamlState =
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

/** Position of a value that is missing together with its `:`; the composer knows where the key ends. */
export const AFTER_KEY = -1;

export class ParserState {
  readonly scanner: Scanner;
  state: YamlState = 'document-start';
  /** States to return to when the node at hand is complete. */
  readonly states: YamlState[] = [];
  /** Where the open collections began. */
  readonly starts: number[] = [];
  /** Prefixes by tag handle. */
  readonly tagPrefixes = new Map<string, string>();
  readonly event: Event = {
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
  #ownProblem: YamlProblem | undefined = undefined;

  constructor(scanner: Scanner) {
    this.scanner = scanner;
  }

  /** What is wrong with the text, if anything: one problem, after which nothing is read. */
  get problem(): YamlProblem | undefined {
    return this.scanner.problem ?? this.#ownProblem;
  }

  /** Takes a token and returns the one after it. */
  skip(): YamlToken {
    this.scanner.skip();
    return this.scanner.peek();
  }

  /** Takes the token that opens a collection. */
  enter(): void {
    this.starts.push(this.scanner.peek().start);
    this.scanner.skip();
  }

  /** Takes the token that closes a collection. */
  leave(kind: EventKind, token: YamlToken): void {
    this.returnState();
    this.starts.pop();
    this.emit(kind, token);
    this.event.flow = token.kind !== 'block-end';
    this.scanner.skip();
  }

  returnState(): void {
    this.state = this.states.pop() ?? 'end';
  }

  emit(kind: EventKind, token: YamlToken): void {
    const event = this.event;
    event.kind = kind;
    event.start = token.start;
    event.end = token.end;
    event.line = token.line;
    event.flow = false;
  }

  /** The caller has set anchor, tag and line. */
  emitStart(kind: EventKind, token: YamlToken, flow: boolean): void {
    const event = this.event;
    event.kind = kind;
    event.start = token.start;
    event.end = token.end;
    event.flow = flow;
  }

  /** A scalar of which nothing is written; without even a `:` its position is `AFTER_KEY`. */
  emitEmpty(position: number, line: number): void {
    const event = this.event;
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
  fail(message: string, token: YamlToken, context = '', contextStart = 0): void {
    this.#ownProblem ??= {
      message,
      line: token.line,
      start: token.start,
      end: Math.max(token.end, token.start + 1),
      context: context === '' ? undefined : { message: context, start: contextStart },
    };
  }
}
