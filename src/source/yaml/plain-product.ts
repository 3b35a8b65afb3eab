// What the plain YAML reader builds: nodes with locations, or only values.
import type { JsonValue } from '../json/json.ts';
import type { MappingNode, Node, ScalarNode, ScalarStyle, SequenceNode, TextPieces } from '../node/node.ts';
import { kubernetesScalar } from './decode.ts';
import { resolvePlain } from './resolve.ts';

/**
 * Builds the result: nodes with locations, or values. An undefined result leaves the document to the full reader.
 * Offsets and lines are those of nodes.
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
  key(
    start: number,
    end: number,
    line: number,
    text: string,
    style: ScalarStyle,
    pieces: TextPieces | undefined,
  ): Key | undefined;
  sequence(start: number, line: number, isFlow: boolean): Sequence;
  /** `dash`: offset of the `-` before the item, for a block sequence. */
  addItem(sequence: Sequence, item: N, dash: number | undefined): void;
  mapping(start: number, line: number, isFlow: boolean): Mapping;
  /** Returns false to leave the document to the full reader. */
  addEntry(mapping: Mapping, key: Key, value: N): boolean;
  /** Call after the last child. */
  close(collection: Sequence | Mapping, end: number): void;
}

/** The root collection of a document, with its range. */
export interface PlainDocument<N> {
  readonly root: N;
  readonly start: number;
  readonly end: number;
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

/**
 * Builds values as Kubernetes reads them. Leaves duplicate keys, keys that are not strings, merges, and numbers that
 * JSON cannot hold to the full reader.
 */
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
