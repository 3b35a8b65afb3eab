// Turns a YAML node tree into the JSON value that Kubernetes reads (go-yaml `decode.go`, then sigs.k8s.io/yaml).
import type { JsonValue } from '../json/json.ts';
import type { AliasNode, ContentNode, MappingNode, Node, ScalarNode, SequenceNode } from '../node/node.ts';
import { goSyntax, scalarGoSyntax } from './go-syntax.ts';
import { isMergeKey, isSupportedKey, jsonKey } from './key.ts';
import { BINARY_TAG, type GoScalar, resolveScalar } from './resolve.ts';

/** A key that its mapping already contains. */
export interface DuplicateKey {
  /**
   * `repeated`: strict decoding rejects it; otherwise the last value wins. `colliding`: two keys that differ in YAML
   * become the same string (1 and "1"); the winner is undefined.
   */
  readonly kind: 'repeated' | 'colliding';
  /** The key as a JSON string. */
  readonly name: string;
  /** go-yaml's `line 2: key "a" already set in map`; empty for colliding keys. */
  readonly message: string;
  readonly mapping: MappingNode;
  /** Index of the later key in the mapping. */
  readonly index: number;
  /** The key, or the one it repeats, came from `<<`. Overriding merged keys is normal use. */
  readonly isMerged: boolean;
}

export type Decoded =
  | {
      readonly value: JsonValue;
      /** At most 1000. */
      readonly duplicates: readonly DuplicateKey[];
      /** The document contains a key or number that JSON may not hold; the caller must search the final value for it. */
      readonly isSuspicious: boolean;
      /** Nesting depth of collections, including aliased ones; 0 for a scalar. */
      readonly depth: number;
      /** A `!!binary` scalar holds bytes that are not UTF-8. */
      readonly hasBadBytes: boolean;
    }
  | { readonly problem: string; readonly node: Node };

/** Aliases may produce 99 % of a small document and 10 % of a large one (`allowedAliasRatio`). */
const ALIAS_RANGE_LOW = 400000;
const ALIAS_RANGE_HIGH = 4000000;

/** Duplicates beyond this number are not recorded. */
const MAX_DUPLICATES = 1000;

const TWO_TO_63 = 2n ** 63n;

/**
 * With `asWritten`, numbers are those that sigs.k8s.io/yaml writes into JSON text. Otherwise they are those that
 * Kubernetes reads from that text: 1.0 is written `1` and read as an integer, uint64 becomes a double, -0 becomes 0.
 */
export function decodeYaml(root: Node | undefined, asWritten: boolean): Decoded {
  return new Decoder(asWritten).decode(root);
}

/** A collection that is being decoded; `alias` is the alias that led to it. */
type Frame = SequenceFrame | MappingFrame | MergeFrame;

interface SequenceFrame {
  readonly kind: 'sequence';
  readonly node: SequenceNode;
  readonly out: JsonValue[];
  readonly alias: AliasNode | undefined;
  next: number;
}

interface MappingFrame {
  readonly kind: 'mapping';
  readonly node: MappingNode;
  readonly out: Map<string, JsonValue>;
  readonly alias: AliasNode | undefined;
  /** The pairs are added to the mapping that contains the `<<`. */
  readonly isMerge: boolean;
  next: number;
  /** The key whose value is being decoded; undefined while the key itself is decoded. */
  key: GoScalar | undefined;
}

/** The list of mappings after a `<<`, read from the end because earlier ones take precedence. */
interface MergeFrame {
  readonly kind: 'merge';
  readonly node: SequenceNode;
  readonly out: Map<string, JsonValue>;
  readonly alias: undefined;
  next: number;
}

/** Returned while a collection is not yet filled. */
const PENDING = Symbol('pending');

class Decoder {
  readonly #frames: Frame[] = [];
  readonly #activeAliases = new Set<AliasNode>();
  readonly #duplicates: DuplicateKey[] = [];
  /** By mapping and JSON key: the keys as Go compares them, if one of them is not a string. 1, 1.0 and "1" are three keys. */
  readonly #typedKeys = new Map<ReadonlyMap<string, JsonValue>, Map<string, GoScalar[]>>();
  /** Mappings with keys from `<<`. */
  readonly #merged = new Set<ReadonlyMap<string, JsonValue>>();
  #decodeCount = 0;
  #aliasCount = 0;
  #isSuspicious = false;
  #hasBadBytes = false;
  #depth = 0;
  readonly #asWritten: boolean;
  #problem: { problem: string; node: Node } | undefined;

  constructor(asWritten: boolean) {
    this.#asWritten = asWritten;
  }

  decode(root: Node | undefined): Decoded {
    // go-yaml counts the document node first.
    this.#decodeCount = 1;
    let value: JsonValue = null;
    if (root !== undefined) {
      const begun = this.#begin(root, undefined);
      value = begun === PENDING ? this.#run() : this.#toJson(begun);
    }
    if (this.#problem !== undefined) return this.#problem;
    return {
      value,
      duplicates: this.#duplicates,
      isSuspicious: this.#isSuspicious,
      hasBadBytes: this.#hasBadBytes,
      depth: this.#depth,
    };
  }

  /** Runs until the outermost collection is filled. */
  #run(): JsonValue {
    for (;;) {
      const frame = this.#frames[this.#frames.length - 1] as Frame;
      const isDone = this.#step(frame);
      if (this.#problem !== undefined) return null;
      if (!isDone) continue;
      this.#frames.pop();
      if (frame.alias !== undefined) this.#activeAliases.delete(frame.alias);
      const parent = this.#frames[this.#frames.length - 1];
      if (parent === undefined) return frame.out;
      if (frame.kind === 'merge' || (frame.kind === 'mapping' && frame.isMerge)) continue;
      if (parent.kind === 'sequence') parent.out.push(frame.out);
      else if (parent.kind === 'mapping') this.#set(parent, frame.out);
    }
  }

  /** Decodes children until one is a collection (returns false) or none is left (returns true). */
  #step(frame: Frame): boolean {
    if (frame.kind === 'sequence') return this.#stepSequence(frame);
    if (frame.kind === 'mapping') return this.#stepMapping(frame);
    return this.#stepMerge(frame);
  }

  #stepSequence(frame: SequenceFrame): boolean {
    const { items } = frame.node;
    while (frame.next < items.length) {
      const value = this.#begin(items[frame.next++] as Node, undefined);
      if (value === PENDING || this.#problem !== undefined) return false;
      frame.out.push(this.#toJson(value));
    }
    return true;
  }

  #stepMapping(frame: MappingFrame): boolean {
    const { keys, values } = frame.node;
    while (frame.next < keys.length) {
      const keyNode = keys[frame.next] as Node;
      const valueNode = values[frame.next] as Node;
      frame.next++;
      frame.key = undefined;
      if (isMergeKey(keyNode)) {
        this.#beginMerge(valueNode, frame.out);
        return false;
      }
      const key = this.#begin(keyNode, undefined);
      if (key === PENDING || this.#problem !== undefined) return false;
      frame.key = key;
      const value = this.#begin(valueNode, undefined);
      if (value === PENDING || this.#problem !== undefined) return false;
      this.#set(frame, this.#toJson(value));
      if (this.#problem !== undefined) return false;
    }
    return true;
  }

  #stepMerge(frame: MergeFrame): boolean {
    if (frame.next === 0) return true;
    frame.next--;
    this.#mergeFrom(frame.node.items[frame.next] as Node, frame.out);
    return false;
  }

  #beginMerge(node: Node, out: Map<string, JsonValue>): void {
    this.#merged.add(out);
    if (node.kind !== 'sequence') this.#mergeFrom(node, out);
    else this.#frames.push({ kind: 'merge', node, out, alias: undefined, next: node.items.length });
  }

  #mergeFrom(node: Node, out: Map<string, JsonValue>): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind === 'mapping') this.#begin(node, out);
    else this.#fail('map merge requires map or sequence of maps as the value', node);
  }

  /** Returns a scalar's value, or PENDING after opening a frame. `into` is the target of a merge. */
  #begin(node: Node, into: Map<string, JsonValue> | undefined): GoScalar | typeof PENDING {
    this.#count(node);
    if (node.kind !== 'alias') return this.#open(node, into, undefined);
    if (this.#activeAliases.has(node)) this.#fail(`anchor '${node.name}' value contains itself`, node);
    if (this.#problem !== undefined) return null;
    this.#activeAliases.add(node);
    this.#count(node);
    const value = this.#open(node.target, into, node);
    if (value !== PENDING) this.#activeAliases.delete(node);
    return value;
  }

  #open(
    node: ContentNode,
    into: Map<string, JsonValue> | undefined,
    alias: AliasNode | undefined,
  ): GoScalar | typeof PENDING {
    if (node.kind === 'scalar') return this.#scalar(node);
    if (node.kind === 'sequence') this.#frames.push({ kind: 'sequence', node, out: [], alias, next: 0 });
    else {
      const isMerge = into !== undefined;
      this.#frames.push({ kind: 'mapping', node, out: into ?? new Map(), alias, isMerge, next: 0, key: undefined });
    }
    if (this.#frames.length > this.#depth) this.#depth = this.#frames.length;
    return PENDING;
  }

  #count(node: Node): void {
    this.#decodeCount++;
    if (this.#activeAliases.size > 0) this.#aliasCount++;
    if (this.#aliasCount <= 100 || this.#decodeCount <= 1000) return;
    if (this.#aliasCount / this.#decodeCount > allowedAliasRatio(this.#decodeCount)) {
      this.#fail('document contains excessive aliasing', node);
    }
  }

  #scalar(node: ScalarNode): GoScalar {
    const resolved = resolveScalar(node);
    if ('problem' in resolved) {
      this.#fail(resolved.problem, node);
      return null;
    }
    const { value } = resolved;
    if (node.tag === BINARY_TAG && /\p{Surrogate}/u.test(String(value))) this.#hasBadBytes = true;
    return value;
  }

  #set(frame: MappingFrame, value: JsonValue): void {
    const { node, out, key } = frame;
    if (key === undefined) {
      const keyNode = node.keys[frame.next - 1] as Node;
      this.#fail(`invalid map key: ${goSyntax(keyNode)}`, keyNode);
      return;
    }
    const name = jsonKey(key);
    if (out.has(name)) this.#noteDuplicate(frame, name, key);
    else if (typeof key !== 'string') this.#noteTypedKeys(out, name, [key]);
    out.set(name, value);
  }

  #noteDuplicate(frame: MappingFrame, name: string, key: GoScalar): void {
    const { node, out, next } = frame;
    const index = next - 1;
    const isMerged = this.#merged.has(out);
    const earlier = this.#typedKeys.get(out)?.get(name) ?? [name];
    // NaN does not equal itself in Go.
    if (earlier.includes(key) && !Number.isNaN(key)) {
      if (this.#duplicates.length === MAX_DUPLICATES) return;
      const line = (node.values[index] as Node).line + 1;
      const message = `line ${line}: key ${scalarGoSyntax(key)} already set in map`;
      this.#duplicates.push({ kind: 'repeated', name, message, mapping: node, index, isMerged });
    } else {
      this.#noteTypedKeys(out, name, [...earlier, key]);
      if (this.#duplicates.length === MAX_DUPLICATES) return;
      this.#duplicates.push({ kind: 'colliding', name, message: '', mapping: node, index, isMerged });
    }
  }

  #noteTypedKeys(out: ReadonlyMap<string, JsonValue>, name: string, keys: GoScalar[]): void {
    if (!keys.every(isSupportedKey)) this.#isSuspicious = true;
    const typed = this.#typedKeys.get(out) ?? new Map<string, GoScalar[]>();
    typed.set(name, keys);
    this.#typedKeys.set(out, typed);
  }

  #toJson(value: GoScalar): JsonValue {
    if (typeof value === 'number' && !Number.isFinite(value)) this.#isSuspicious = true;
    return this.#asWritten ? value : kubernetesScalar(value);
  }

  #fail(problem: string, node: Node): void {
    this.#problem ??= { problem, node };
  }
}

/** Converts a scalar as Kubernetes reads it from JSON text. */
export function kubernetesScalar(value: GoScalar): JsonValue {
  if (typeof value === 'bigint') return value < TWO_TO_63 ? value : Number(value);
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  // Not BigInt(value): from 2^53 on, the shortest digits differ from the exact ones.
  const written = BigInt(String(value));
  return written >= -TWO_TO_63 && written < TWO_TO_63 ? written : value;
}

/** Maximum share of nodes that may come from aliases, by the number of nodes. */
function allowedAliasRatio(decodeCount: number): number {
  if (decodeCount <= ALIAS_RANGE_LOW) return 0.99;
  if (decodeCount >= ALIAS_RANGE_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decodeCount - ALIAS_RANGE_LOW) / (ALIAS_RANGE_HIGH - ALIAS_RANGE_LOW));
}
