// The syntax tree with locations that both the YAML and the JSON reader build.

/**
 * Offsets are UTF-16 and relative to the text of the document. A node's range holds its content without anchor and tag.
 * An absent node (`key:`) has an empty range where its content would begin.
 */
interface Placed {
  readonly start: number;
  /** For a block collection the end of its last child; for a block scalar the end of its last non-empty line. */
  end: number;
  /** 0-based line of the node's first character, including anchor and tag: the line that go-yaml reports, less one. */
  readonly line: number;
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface ScalarNode extends Placed {
  readonly kind: 'scalar';
  /** The decoded text, before it is resolved to a boolean, number or other type. */
  readonly value: string;
  readonly style: ScalarStyle;
  /** Expanded, e.g. `tag:yaml.org,2002:str`; empty if no tag is written. */
  readonly tag: string;
  /** libyaml's `plain_implicit`: a plain scalar without a tag, or any scalar tagged `!`. */
  readonly implicit: boolean;
  /** Present if the reader recorded locations inside scalars and the value differs from the written text. */
  readonly pieces: TextPieces | undefined;
}

export interface SequenceNode extends Placed {
  readonly kind: 'sequence';
  readonly flow: boolean;
  readonly items: Node[];
  /** Offset of the `-` of each item of a block sequence. */
  readonly dashes: number[];
}

export interface MappingNode extends Placed {
  readonly kind: 'mapping';
  readonly flow: boolean;
  readonly keys: Node[];
  /** `values[i]` belongs to `keys[i]`. */
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
 * How a scalar's decoded value was built from its text: triples (offset in the value, start in the text, end in the text) in order. A piece
 * of equal length in both was copied. Any other piece stands for its text as a whole, e.g. an escape or a folded line break.
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

/**
 * The inverse of `textRange`: the UTF-16 offset in the value for an offset in the text. An offset inside an escape maps
 * to the start of the escape.
 */
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

/** A scalar's text without quotes. No style makes the value longer than the text, so equal lengths mean equal content. */
function contentOf(node: ScalarNode): { start: number; end: number } {
  const quote = node.style === 'single' || node.style === 'double' ? 1 : 0;
  return { start: node.start + quote, end: node.end - quote };
}

/** Drops the pieces if the value is as long as its text, because both are then equal. */
export function neededPieces(
  pieces: TextPieces | undefined,
  value: string,
  textLength: number,
): TextPieces | undefined {
  return value.length === textLength ? undefined : pieces;
}

/** Range of one UTF-16 unit of the value. The unit after the last maps to the end of the text. */
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
