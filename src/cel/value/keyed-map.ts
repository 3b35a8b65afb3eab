// Maps with keys other than strings, and maps under construction.
import { Panic } from './panic.ts';
import { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import { type KeyedMapValue, type MapValue, OpaqueValue, TypeValue, type Value } from './value.ts';

/**
 * A map with keys of any type except bytes. As in cel-go (`refValMapAccessor`), `1`, `1u` and `1.0` are three keys; a
 * lookup tries the key itself and then the same number as int and uint.
 */
export class KeyedMap implements KeyedMapValue {
  readonly kind = 'keyed-map' as const;
  readonly #entries = new Map<unknown, readonly [Value, Value]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const exact = this.#entries.get(identityOf(key));
    if (exact !== undefined) return exact[1];
    for (const other of sameNumber(key)) {
      const entry = this.#entries.get(identityOf(other));
      if (entry !== undefined) return entry[1];
    }
    return undefined;
  }

  has(key: Value): boolean {
    return this.get(key) !== undefined;
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  entries(): Iterable<readonly [Value, Value]> {
    return this.#entries.values();
  }

  /** Replaces the value of an equal key, which keeps its position. Call only while building the map. */
  set(key: Value, value: Value): void {
    this.#entries.set(identityOf(key), [key, value]);
  }

  delete(key: Value): void {
    this.#entries.delete(identityOf(key));
  }

  /** The map for expressions: a JavaScript Map if all keys are strings. */
  toMapValue(): MapValue {
    const strings = new Map<string, Value>();
    for (const [key, value] of this.#entries.values()) {
      if (typeof key !== 'string') return this;
      strings.set(key, value);
    }
    return strings;
  }
}

/** Go's hash key: the content of scalars, the identity of other values. Go cannot hash byte slices. */
export function identityOf(value: Value): unknown {
  if (value instanceof Bytes) throw unhashable('types.Bytes');
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number') return Number.isNaN(value) ? {} : value;
  if (value instanceof Uint) return `u${value.value}`;
  if (value instanceof Timestamp) return `t${value.seconds}.${value.nanos}`;
  if (value instanceof Duration) return `d${value.nanoseconds}`;
  if (value instanceof TypeValue) return `y${value.type}`;
  if (value instanceof OpaqueValue) return value.identity;
  return value;
}

/** `goType` is a slice, or a struct with slices. */
export function unhashable(goType: string): Panic {
  return new Panic(`runtime error: hash of unhashable type ${goType}`);
}

function sameNumber(key: Value): readonly Value[] {
  if (typeof key === 'bigint') return key >= 0n ? [new Uint(key)] : [];
  if (key instanceof Uint) return key.value <= 0x7fff_ffff_ffff_ffffn ? [key.value] : [];
  if (typeof key !== 'number' || !Number.isInteger(key)) return [];
  const integer = BigInt(key);
  const found: Value[] = [];
  if (integer > -0x8000_0000_0000_0000n && integer < 0x8000_0000_0000_0000n) found.push(integer);
  if (integer >= 0n && integer < 0x1_0000_0000_0000_0000n) found.push(new Uint(integer));
  return found;
}
