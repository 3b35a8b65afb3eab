// Builds the node tree of the first document of a YAML text from the parser's events (go-yaml `decode.go: parser`).
import type { ContentNode, MappingNode, Node, SequenceNode } from '../node/node.ts';
import { Cursor, type YamlProblem } from './cursor.ts';
import { Parser } from './parser.ts';
import { AFTER_KEY, type Event } from './parser-state.ts';
import { readPlainBlocks } from './plain-blocks.ts';
import { PLAIN_NODES } from './plain-product.ts';
import { findForbiddenCharacter, wasRead } from './reader.ts';
import { Scanner } from './scanner.ts';

export type Composed =
  | {
      /** Undefined for a text without a document: only comments and white space. */
      readonly root: Node | undefined;
      /** Offset of text outside the document: after `...`, or a second document. */
      readonly rest: number | undefined;
    }
  | { readonly problem: YamlProblem };

/** Reads only the first document, as Kubernetes does. */
export function composeYaml(text: string, recordPieces: boolean): Composed {
  const plain = readPlainBlocks(text, `${text}\0`, recordPieces, PLAIN_NODES);
  return plain === undefined ? composeAnyYaml(text, recordPieces) : { root: plain.root, rest: undefined };
}

/** Like `composeYaml`, but never uses the fast path for plain blocks. */
export function composeAnyYaml(text: string, recordPieces: boolean): Composed {
  const forbidden = findForbiddenCharacter(text);
  const readable = forbidden === undefined ? text : text.slice(0, forbidden.start);
  const cursor = new Cursor(`${readable}\0`, recordPieces);
  const scanner = new Scanner(cursor);
  const parser = new Parser(scanner);
  const composed = new Composer(parser).compose();
  const position = cursor.problem?.start ?? cursor.position;
  const isNoticed = forbidden !== undefined && wasRead(text, forbidden.blockStart, scanner.lastFetch, position);
  if (isNoticed) return { problem: forbidden.problem };
  if ('problem' in composed) return composed;
  const next = scanner.peek();
  if (next.kind === 'problem') return { ...composed, rest: cursor.problem?.start };
  return { ...composed, rest: next.kind === 'stream-end' ? forbidden?.start : next.start };
}

class Composer {
  readonly #parser: Parser;
  readonly #anchors = new Map<string, ContentNode>();
  /** The open collections, outermost first. */
  readonly #open: (SequenceNode | MappingNode)[] = [];
  #root: Node | undefined = undefined;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  compose(): { root: Node | undefined } | { problem: YamlProblem } {
    for (;;) {
      const event = this.#parser.next();
      switch (event.kind) {
        case 'problem':
          return { problem: this.#parser.problem as YamlProblem };
        case 'document-start':
          break;
        case 'stream-end':
        case 'document-end':
          return { root: this.#root };
        case 'sequence-end':
        case 'mapping-end':
          this.#close(event);
          break;
        case 'alias': {
          const target = this.#anchors.get(event.anchor);
          if (target === undefined) return { problem: unknownAnchor(event) };
          const { start, end, line, anchor: name } = event;
          this.#add({ kind: 'alias', start, end, line, name, target }, event.dash);
          break;
        }
        case 'scalar':
        case 'sequence-start':
        case 'mapping-start': {
          if (event.start === AFTER_KEY) event.start = event.end = this.#endOfKey();
          const node = nodeOf(event);
          if (event.anchor !== '') this.#anchors.set(event.anchor, node);
          this.#add(node, event.dash);
          if (node.kind !== 'scalar') this.#open.push(node);
          break;
        }
      }
    }
  }

  #add(node: Node, dash: number): void {
    const parent = this.#open[this.#open.length - 1];
    if (parent === undefined) this.#root = node;
    else if (parent.kind === 'sequence') {
      parent.items.push(node);
      if (dash >= 0) parent.dashes.push(dash);
    } else if (parent.keys.length === parent.values.length) parent.keys.push(node);
    else parent.values.push(node);
  }

  #endOfKey(): number {
    const parent = this.#open[this.#open.length - 1];
    return parent?.kind === 'mapping' ? (parent.keys.at(-1)?.end ?? parent.start) : 0;
  }

  #close(event: Event): void {
    const node = this.#open.pop();
    if (node === undefined) return;
    if (event.flow) {
      node.end = event.end;
      return;
    }
    const last = node.kind === 'sequence' ? node.items.at(-1) : (node.values.at(-1) ?? node.keys.at(-1));
    if (last !== undefined) node.end = Math.max(node.end, last.end);
    if (node.kind === 'sequence') node.end = Math.max(node.end, (node.dashes.at(-1) ?? 0) + 1);
  }
}

function nodeOf(event: Event): ContentNode {
  const { start, end, line, flow } = event;
  if (event.kind === 'sequence-start') return { kind: 'sequence', start, end, line, flow, items: [], dashes: [] };
  if (event.kind === 'mapping-start') return { kind: 'mapping', start, end, line, flow, keys: [], values: [] };
  const { tag, implicit, scalar } = event;
  const value = scalar?.value ?? '';
  return {
    kind: 'scalar',
    start,
    end,
    line,
    value,
    style: scalar?.style ?? 'plain',
    tag,
    implicit,
    pieces: scalar?.pieces,
  };
}

function unknownAnchor(event: Event): YamlProblem {
  const { start, end, anchor } = event;
  return { message: `unknown anchor '${anchor}' referenced`, line: 0, start, end, context: undefined };
}
