// Parses JSON text into values as Kubernetes' decoder does (sigs.k8s.io/json).

import type { MappingNode, Node, ScalarNode, SequenceNode } from '../node/node.ts';
import type { JsonValue } from './json.ts';
import { type JsonProblem, readJsonValue, skipSpace, unexpectedCharacter } from './json-reader.ts';

/** Duplicates beyond this number are not recorded. */
const MAX_DUPLICATES = 1000;

/** A key that its object already contains; the last value wins. */
export interface DuplicateJsonKey {
  readonly name: string;
  readonly mapping: MappingNode;
  /** Index of the later key in the mapping. */
  readonly index: number;
}

export type ParsedJson =
  | {
      readonly value: JsonValue;
      readonly duplicates: readonly DuplicateJsonKey[];
      /** Nesting depth of collections; 0 for a scalar. */
      readonly depth: number;
    }
  | { readonly problem: JsonProblem };

/** Parses a text that holds exactly one JSON value (`json.Unmarshal` in Kubernetes' decoder). */
export function parseJson(text: string): ParsedJson {
  const read = readJsonValue(text, 0, false);
  if ('problem' in read) {
    return { problem: read.problem.isUnfinished === true ? unexpectedEnd(text) : read.problem };
  }
  if (read.end === 'none') return { problem: unexpectedEnd(text) };
  const rest = skipSpace(text, read.end);
  if (rest < text.length) return { problem: unexpectedCharacter(text, rest, 'after top-level value') };
  return decodeJson(read.root);
}

/** Go's scanner reads a space at the end of the text, which can be the wrong character. */
function unexpectedEnd(text: string): JsonProblem {
  const padded = readJsonValue(`${text} `, 0, false);
  if ('problem' in padded && padded.problem.isUnfinished !== true) return padded.problem;
  return { message: 'unexpected end of JSON input', isUnfinished: true, start: text.length };
}

/**
 * The value of a tree read from JSON. A number without a dot is an integer if it fits int64, otherwise a double
 * (sigs.k8s.io/json `convertNumber`). A number outside the range of a double is an error.
 */
export function decodeJson(root: Node): ParsedJson {
  return new JsonDecoder().decode(root);
}

/** A collection that is being filled; `next` is the index of the current child. */
interface Frame {
  readonly node: SequenceNode | MappingNode;
  readonly out: JsonValue[] | Map<string, JsonValue>;
  next: number;
}

class JsonDecoder {
  readonly #frames: Frame[] = [];
  readonly #duplicates: DuplicateJsonKey[] = [];
  #depth = 0;
  #problem: JsonProblem | undefined = undefined;

  decode(root: Node): ParsedJson {
    let value = this.#begin(root);
    while (this.#problem === undefined) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) return { value: value as JsonValue, duplicates: this.#duplicates, depth: this.#depth };
      if (value !== undefined) this.#add(frame, value);
      const child = frame.node.kind === 'sequence' ? frame.node.items[frame.next] : frame.node.values[frame.next];
      if (child === undefined) this.#frames.pop();
      value = child === undefined ? frame.out : this.#begin(child);
    }
    return { problem: this.#problem };
  }

  /** A scalar's value; undefined after opening a collection. */
  #begin(node: Node): JsonValue | undefined {
    if (node.kind === 'sequence' || node.kind === 'mapping') {
      this.#frames.push({ node, out: node.kind === 'sequence' ? [] : new Map(), next: 0 });
      this.#depth = Math.max(this.#depth, this.#frames.length);
      return undefined;
    }
    const value = node.kind === 'scalar' ? scalarValue(node) : undefined;
    if (value === undefined) {
      const text = node.kind === 'scalar' ? node.value : node.name;
      const message = `json: cannot unmarshal number ${text} into Go value of type float64`;
      this.#problem = { message, start: node.start };
    }
    return value;
  }

  #add(frame: Frame, value: JsonValue): void {
    const { node, out } = frame;
    const index = frame.next++;
    if (Array.isArray(out)) {
      out.push(value);
      return;
    }
    const mapping = node as MappingNode;
    const name = (mapping.keys[index] as ScalarNode).value;
    if (out.has(name) && this.#duplicates.length < MAX_DUPLICATES) this.#duplicates.push({ name, mapping, index });
    out.set(name, value);
  }
}

/** Undefined for a number outside the range of a double. */
function scalarValue(node: ScalarNode): JsonValue | undefined {
  const { value: text } = node;
  if (node.style === 'double') return text;
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  // No int64 has more than 20 characters; skip BigInt for longer texts.
  if (text.length <= 20 && /^-?[0-9]+$/.test(text)) {
    const integer = BigInt(text);
    if (BigInt.asIntN(64, integer) === integer) return integer;
  }
  const double = Number(text);
  return Number.isFinite(double) ? double : undefined;
}
