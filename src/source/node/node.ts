// What was written in a document, node by node, with its place: the tree both the YAML and the JSON reader build.

/**
 * Offsets are UTF-16 and relative to the text of the document that was read. A node's range holds its content without
 * anchor and tag; an absent node (`key:`) has an empty range where its content would begin.
 */
interface Placed {
  readonly start: number;
  /** For a block collection the end of its last child, for a block scalar the end of its last line with text. */
  end: number;
  /** Line of the node's first character, anchor and tag included, from 0: what go-yaml reports, less one. */
  readonly line: number;
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface ScalarNode extends Placed {
  readonly kind: 'scalar';
  /** The decoded text, before resolution to a boolean, number and so on. */
  readonly value: string;
  readonly style: ScalarStyle;
  /** Expanded, as `tag:yaml.org,2002:str`; empty if none was written. */
  readonly tag: string;
  /** libyaml's `plain_implicit`: a plain scalar without a tag, or any scalar tagged `!`. */
  readonly implicit: boolean;
  /** Present if the reader was asked for places inside scalars and the value is not simply what is written. */
  readonly pieces: TextPieces | undefined;
}

export interface SequenceNode extends Placed {
  readonly kind: 'sequence';
  readonly flow: boolean;
  readonly items: Node[];
  /** Offset of the `-` of every item of a block sequence. */
  readonly dashes: number[];
}

export interface MappingNode extends Placed {
  readonly kind: 'mapping';
  readonly flow: boolean;
  readonly keys: Node[];
  /** The value of `keys[i]` is `values[i]`. */
  readonly values: Node[];
}

export interface AliasNode extends Placed {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: ContentNode;
}

export type ContentNode = ScalarNode | SequenceNode | MappingNode;

export type Node = ContentNode | AliasNode;

/**
 * How a scalar's decoded value was made from its text: triples (offset in the value, start in the text, end in the
 * text) in order. A piece as long in the value as in the text was copied; any other stands for its text as a whole,
 * as an escape or a folded line break does.
 */
export type TextPieces = readonly number[];

/** The text a part of a decoded value came from; `start` and `end` are UTF-16 offsets into the value. */
export function textRange(node: ScalarNode, start: number, end: number): { start: number; end: number } {
  const { pieces, value } = node;
  const from = Math.max(0, Math.min(start, value.length));
  const to = Math.max(from, Math.min(end, value.length));
  if (pieces === undefined) {
    const content = contentOf(node);
    if (content.end - content.start !== value.length) return { start: node.start, end: node.end };
    return { start: content.start + from, end: content.start + to };
  }
  if (pieces.length === 0) return { start: node.start, end: node.end };
  const first = placeOf(pieces, value.length, from).start;
  const last = to === from ? first : placeOf(pieces, value.length, to - 1).end;
  return { start: first, end: Math.max(first, last) };
}

/** The way back of `textRange`: the UTF-16 offset in the value of what stands at a place of the text; inside of an escape that of its beginning. */
export function valueOffset(node: ScalarNode, at: number): number {
  const { pieces, value } = node;
  if (pieces === undefined) {
    const content = contentOf(node);
    if (content.end - content.start !== value.length) return 0;
    return Math.max(0, Math.min(at - content.start, value.length));
  }
  let low = 0;
  let high = pieces.length / 3 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle * 3 + 1] as number) <= at) low = middle;
    else high = middle - 1;
  }
  const valueStart = pieces[low * 3] ?? 0;
  const start = pieces[low * 3 + 1] ?? 0;
  const end = pieces[low * 3 + 2] ?? 0;
  const valueEnd = pieces[low * 3 + 3] ?? value.length;
  if (at <= start) return valueStart;
  if (at >= end) return valueEnd;
  return valueEnd - valueStart === end - start ? valueStart + at - start : valueStart;
}

/** A scalar's text without quotes. No style makes a value longer than it, so if both are as long, they are the same. */
function contentOf(node: ScalarNode): { start: number; end: number } {
  const quote = node.style === 'single' || node.style === 'double' ? 1 : 0;
  return { start: node.start + quote, end: node.end - quote };
}

/** What is worth keeping of a scalar's pieces: nothing, if the value is as long as the text it was read from. */
export function neededPieces(
  pieces: TextPieces | undefined,
  value: string,
  textLength: number,
): TextPieces | undefined {
  return value.length === textLength ? undefined : pieces;
}

/** Place of one UTF-16 unit of the value; the unit after the last is the end of the text. */
function placeOf(pieces: TextPieces, length: number, unit: number): { start: number; end: number } {
  let low = 0;
  let high = pieces.length / 3 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle * 3] as number) <= unit) low = middle;
    else high = middle - 1;
  }
  const valueStart = pieces[low * 3] as number;
  const start = pieces[low * 3 + 1] as number;
  const end = pieces[low * 3 + 2] as number;
  if (unit >= length) return { start: end, end };
  const valueEnd = pieces[low * 3 + 3] ?? length;
  if (valueEnd - valueStart !== end - start) return { start, end };
  return { start: start + unit - valueStart, end: start + unit - valueStart + 1 };
}
