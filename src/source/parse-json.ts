// JSON text to JSON values as Kubernetes' decoder makes them (sigs.k8s.io/json).
import type { JsonValue } from './json.ts';
import { type JsonProblem, readJsonValue, skipSpace, UNEXPECTED_EOF, unexpectedCharacter } from './json-reader.ts';
import type { MappingNode, Node, ScalarNode, SequenceNode } from './node.ts';

/** Of more duplicates nobody learns more. */
const MAX_DUPLICATES = 1000;

/** A key of an object that appeared before; the last value wins. */
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
      /** How many collections are nested; 0 for a scalar. */
      readonly depth: number;
    }
  | { readonly problem: JsonProblem };

/** Parses a text that holds one JSON value and nothing else (`json.Unmarshal` as Kubernetes' decoder has it). */
export function parseJson(text: string): ParsedJson {
  const read = readJsonValue(text, 0, false);
  if ('problem' in read) {
    const isEnd = read.problem.message === UNEXPECTED_EOF;
    return { problem: isEnd ? { ...read.problem, message: 'unexpected end of JSON input' } : read.problem };
  }
  if (read.end === 'none') return { problem: { message: 'unexpected end of JSON input', start: text.length } };
  const rest = skipSpace(text, read.end);
  if (rest < text.length) return { problem: unexpectedCharacter(text, rest, 'after top-level value') };
  return decodeJson(read.root);
}

/**
 * The value of a tree read from JSON. A number without a dot is an integer if it fits int64, else a double
 * (sigs.k8s.io/json `convertNumber`); one that no double can hold is an error.
 */
export function decodeJson(root: Node): ParsedJson {
  const duplicates: DuplicateJsonKey[] = [];
  const frames: {
    readonly node: SequenceNode | MappingNode;
    readonly out: JsonValue[] | Map<string, JsonValue>;
    next: number;
  }[] = [];
  let node: Node = root;
  let depth = 0;
  for (;;) {
    let value: JsonValue;
    if (node.kind === 'scalar') {
      const scalar = scalarValue(node);
      if (scalar === undefined) {
        const message = `json: cannot unmarshal number ${node.value} into Go value of type float64`;
        return { problem: { message, start: node.start } };
      }
      value = scalar.value;
    } else if (node.kind === 'alias') {
      return { problem: { message: 'alias in JSON', start: node.start } };
    } else {
      const children = node.kind === 'sequence' ? node.items : node.values;
      value = node.kind === 'sequence' ? [] : new Map();
      depth = Math.max(depth, frames.length + 1);
      if (children.length > 0) {
        frames.push({ node, out: value as JsonValue[] | Map<string, JsonValue>, next: 0 });
        node = children[0] as Node;
        continue;
      }
    }
    for (;;) {
      const frame = frames.at(-1);
      if (frame === undefined) return { value, duplicates, depth };
      const index = frame.next++;
      if (Array.isArray(frame.out)) frame.out.push(value);
      else {
        const mapping = frame.node as MappingNode;
        const name = (mapping.keys[index] as ScalarNode).value;
        if (frame.out.has(name) && duplicates.length < MAX_DUPLICATES) duplicates.push({ name, mapping, index });
        frame.out.set(name, value);
      }
      const children: readonly Node[] = frame.node.kind === 'sequence' ? frame.node.items : frame.node.values;
      const following = children[frame.next];
      if (following !== undefined) {
        node = following;
        break;
      }
      frames.pop();
      value = frame.out;
    }
  }
}

function scalarValue(node: ScalarNode): { value: JsonValue } | undefined {
  const { value: text } = node;
  if (node.style === 'double') return { value: text };
  if (text === 'null') return { value: null };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  // No int64 has more than 20 characters; longer ones are not worth a bigint.
  if (text.length <= 20 && /^-?[0-9]+$/.test(text)) {
    const integer = BigInt(text);
    if (BigInt.asIntN(64, integer) === integer) return { value: integer };
  }
  const double = Number(text);
  return Number.isFinite(double) ? { value: double } : undefined;
}
