// State shared by the grammar rules: the current event, the return states and the first problem.
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

/** One event. The parser reuses the same object for every event. */
export interface Event {
  kind: EventKind;
  /** Start of the content, without anchor and tag. */
  start: number;
  end: number;
  /** 0-based line where the node begins, including anchor and tag. */
  line: number;
  /** Name of the anchor or alias; empty if there is none. */
  anchor: string;
  /** Expanded tag of a scalar; empty if none is written. */
  tag: string;
  implicit: boolean;
  flow: boolean;
  /** Absent for an empty scalar. */
  scalar: ScannedScalar | undefined;
  /** Offset of the `-` before an item of a block sequence, otherwise -1. */
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

/** Position of a missing value without `:`; the composer inserts the end of the key. */
export const AFTER_KEY = -1;

export class ParserState {
  readonly scanner: Scanner;
  state: YamlState = 'document-start';
  /** Return states, used when the current node is complete. */
  readonly states: YamlState[] = [];
  readonly starts: number[] = [];
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

  get problem(): YamlProblem | undefined {
    return this.scanner.problem ?? this.#ownProblem;
  }

  /** Consumes a token and returns the next one. */
  skip(): YamlToken {
    this.scanner.skip();
    return this.scanner.peek();
  }

  enter(): void {
    this.starts.push(this.scanner.peek().start);
    this.scanner.skip();
  }

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

  /** The caller must set anchor, tag and line. */
  emitStart(kind: EventKind, token: YamlToken, flow: boolean): void {
    const event = this.event;
    event.kind = kind;
    event.start = token.start;
    event.end = token.end;
    event.flow = flow;
  }

  /** Emits an empty scalar. Without a `:`, its position is `AFTER_KEY`. */
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

  /** go-yaml prints parser problems with a 0-based line. */
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
