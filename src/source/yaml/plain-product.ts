// What plain YAML is read into: nodes with their places, or just values.
import type { JsonValue } from '../json/json.ts';
import type { MappingNode, Node, ScalarNode, ScalarStyle, SequenceNode, TextPieces } from '../node/node.ts';
import { kubernetesScalar } from './decode.ts';
import { resolvePlain } from './resolve.ts';

/**
 * What becomes of what is read: nodes with their places, or values. Undefined in place of something leaves the document to the reader of
 * all YAML. Offsets and lines are those of nodes.
 */
export interface PlainProduct<N, Sequence extends N, Mapping extends N, Key> {
  scalar(
    start: number,
    end: number,
    line: number,
    text: string,
    style: ScalarStyle,
    pieces: TextPieces | undefined,
  ): N | undefined;
  /** On one line. */
  key(
    start: number,
    end: number,
    line: number,
    text: string,
    style: ScalarStyle,
    pieces: TextPieces | undefined,
  ): Key | undefined;
  sequence(start: number, line: number, isFlow: boolean): Sequence;
  /** `dash`: where the one before it stands, of a block sequence. */
  addItem(sequence: Sequence, item: N, dash: number | undefined): void;
  mapping(start: number, line: number, isFlow: boolean): Mapping;
  /** False: the document is left to the other reader. */
  addEntry(mapping: Mapping, key: Key, value: N): boolean;
  /** After the last of what is in it. */
  close(collection: Sequence | Mapping, end: number): void;
}

/** The root of a document, which is a collection, and its range. */
export interface PlainDocument<N> {
  readonly root: N;
  readonly start: number;
  readonly end: number;
  /** How many collections are nested. */
  readonly depth: number;
}

export const PLAIN_NODES: PlainProduct<Node, SequenceNode, MappingNode, ScalarNode> = {
  scalar: scalarNode,
  key: scalarNode,
  sequence: (start, line, flow) => ({ kind: 'sequence', start, end: start, line, flow, items: [], dashes: [] }),
  addItem: (sequence, item, dash) => {
    sequence.items.push(item);
    if (dash !== undefined) sequence.dashes.push(dash);
  },
  mapping: (start, line, flow) => ({ kind: 'mapping', start, end: start, line, flow, keys: [], values: [] }),
  addEntry: (mapping, key, value) => {
    mapping.keys.push(key);
    mapping.values.push(value);
    return true;
  },
  close: (collection, end) => {
    collection.end = end;
  },
};

/** As Kubernetes reads them. Keys that are no text or come twice, merges, and numbers that JSON cannot hold are left to the other reader. */
export const PLAIN_VALUES: PlainProduct<JsonValue, JsonValue[], Map<string, JsonValue>, string> = {
  scalar: (_start, _end, _line, text, style) => {
    if (style !== 'plain') return text;
    const value = resolvePlain(text);
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : kubernetesScalar(value);
  },
  key: (_start, _end, _line, text, style) => {
    const isText = style !== 'plain' || (text !== '<<' && typeof resolvePlain(text) === 'string');
    return isText ? text : undefined;
  },
  sequence: () => [],
  addItem: (sequence, item) => {
    sequence.push(item);
  },
  mapping: () => new Map(),
  addEntry: (mapping, key, value) => {
    const size = mapping.size;
    return mapping.set(key, value).size > size;
  },
  close: () => {},
};

function scalarNode(
  start: number,
  end: number,
  line: number,
  value: string,
  style: ScalarStyle,
  pieces: TextPieces | undefined,
): ScalarNode {
  return { kind: 'scalar', start, end, line, value, style, tag: '', implicit: style === 'plain', pieces };
}
