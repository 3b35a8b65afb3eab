// Finds objects that a target contains more than once, without storing a string for each of a million objects.
import type { Target } from '../../engine/target/target.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';

/** Bits per object. A collision only costs a second comparison. */
const BITS = 32;

/** By identity, in the order of first occurrence. Objects without an identity never repeat. */
export function repeatedObjects(
  target: Pick<Target, 'manifests' | 'policies'>,
  identityOf: (resource: Resource) => string | undefined,
): readonly (readonly [identity: string, same: readonly Resource[]])[] {
  // Compares hashes first. Only repeated hashes need the full string.
  const count = target.manifests.length + target.policies.length;
  const [seen, again] = [new NumberSet(count), new NumberSet(count)];
  for (const resource of allOf(target)) {
    const identity = identityOf(resource);
    if (identity !== undefined && !seen.add(identity)) again.add(identity);
  }
  const found = new Map<string, Resource[]>();
  for (const resource of allOf(target)) {
    const identity = identityOf(resource);
    if (identity === undefined || !again.mayHave(identity)) continue;
    const same = found.get(identity);
    if (same === undefined) found.set(identity, [resource]);
    else same.push(resource);
  }
  return [...found].filter(([, same]) => same.length > 1);
}

function* allOf({ manifests, policies }: Pick<Target, 'manifests' | 'policies'>): Generator<Resource> {
  const others = new Set(policies);
  for (const resource of manifests) {
    others.delete(resource);
    yield resource;
  }
  yield* others;
}

/** A Bloom-like set of strings with one hash each. */
class NumberSet {
  readonly #bits: Uint8Array;
  /** The number of bits minus one; the number is a power of two. */
  readonly #mask: number;

  constructor(count: number) {
    const bits = 2 ** Math.min(31, Math.ceil(Math.log2(BITS * Math.max(1, count))));
    this.#bits = new Uint8Array(bits / 8);
    this.#mask = bits - 1;
  }

  /** False if the hash of the text is in the set already. */
  add(text: string): boolean {
    const number = this.#numberOf(text);
    const [byte, bit] = [this.#bits[number >>> 3] as number, 1 << (number & 7)];
    this.#bits[number >>> 3] = byte | bit;
    return (byte & bit) === 0;
  }

  /** False only if the text was not added. */
  mayHave(text: string): boolean {
    const number = this.#numberOf(text);
    return ((this.#bits[number >>> 3] as number) & (1 << (number & 7))) !== 0;
  }

  #numberOf(text: string): number {
    let hash = 0;
    for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 0x01000193) ^ text.charCodeAt(index)) | 0;
    return (hash ^ (hash >>> 15)) & this.#mask;
  }
}
