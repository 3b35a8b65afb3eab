// Converts the value of an ApplyConfiguration's expression to the object that is merged (apiserver `cel/mutation/dynamic/objects.go`).
import { isMap } from '../../cel/value/equality.ts';
import { goText } from '../../cel/value/go-text.ts';
import { JoinedList } from '../../cel/value/joined-list.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../cel/value/scalar.ts';
import { goTypeOf } from '../../cel/value/type-of.ts';
import {
  ErrorValue,
  type ListValue,
  type MapValue,
  Optional,
  StructValue,
  TypeValue,
  type Value,
} from '../../cel/value/value.ts';
import { formatDouble } from '../../go/strconv/float-text.ts';
import { goQuote } from '../../go/strconv/quote.ts';
import { copyFields } from '../../source/json/copy-json.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { type PatchObject, type PatchValue, UnpatchableValue } from './patch-value.ts';

/**
 * Undefined if the type name of every `Object.a.b{…}` matches its position below the outermost one; lists and maps add
 * nothing to the name. Like the server, ignores the contents of lists joined by `+`.
 */
export function typeNameMismatch(value: StructValue): string | undefined {
  const errors: string[] = [];
  collectMismatches(value, { field: value.type.name }, errors);
  return errors.length === 0 ? undefined : `type mismatch: ${errors.join('\n')}`;
}

/** The expected type name of a position; the full text is built only for a mismatch. */
interface TypePath {
  readonly outer?: string;
  readonly field: string;
}

function collectMismatches(value: Value, path: TypePath, errors: string[]): void {
  if (value instanceof Optional) {
    if (value.value !== undefined) collectMismatches(value.value, path, errors);
  } else if (value instanceof StructValue) {
    const { name } = value.type;
    const expected = isNamed(name, path) ? name : typeNameAt(path);
    if (name !== expected) {
      const what = `unexpected type name ${goQuote(name)}, expected ${goQuote(expected)}`;
      errors.push(`${what}, which matches field name path from root Object type`);
    }
    for (const field of value.fields.keys()) {
      const item = value.fields.get(field) as Value;
      if (typeof item === 'object' && item !== null) collectMismatches(item, { outer: expected, field }, errors);
    }
  } else if (Array.isArray(value)) {
    if (value instanceof JoinedList) return;
    for (const item of value) collectMismatches(item, path, errors);
  } else if (isMap(value)) {
    for (const [, item] of value.entries()) collectMismatches(item, path, errors);
  }
}

function isNamed(name: string, { outer, field }: TypePath): boolean {
  return outer === undefined ? name === field : isNamedWithin(name, outer, field);
}

/** `Object.spec.containers` in `Object.spec`, as the field `containers`. */
export function isNamedWithin(name: string, outer: string, field: string): boolean {
  const { length } = outer;
  return name.length === length + 1 + field.length && name.startsWith(outer) && name.endsWith(`.${field}`);
}

function typeNameAt({ outer, field }: TypePath): string {
  return outer === undefined ? field : `${outer}.${field}`;
}

/** True for lists and maps from the request or the params, false for those that the expression creates. */
export type IsHost = (container: ListValue | MapValue) => boolean;

/**
 * The expression's value as Go holds it. Of list and map literals, only the outermost level becomes a Go list or map.
 * An inner one stays a CEL value, which no schema accepts.
 */
export function configurationOf(value: StructValue, isHost: IsHost): AppliedConfiguration {
  const object = new NativeValues(isHost).object(value);
  return 'error' in object ? { error: 'invalid return type: *dynamic.ObjectVal' } : object;
}

export type AppliedConfiguration = { readonly fields: PatchObject } | { readonly error: string };

class NativeValues {
  readonly #isHost: IsHost;

  constructor(isHost: IsHost) {
    this.#isHost = isHost;
  }

  /** `ObjectVal.ConvertToNative`. */
  object(value: StructValue): AppliedConfiguration {
    const fields = new Map<string, PatchValue>();
    for (const [name, item] of value.fields) {
      const field = this.#field(item);
      if (field instanceof ErrorValue) return { error: `fail to convert field ${goQuote(name)}: ${field.message}` };
      fields.set(name, field);
    }
    return { fields };
  }

  /** `convertField`. */
  #field(written: Value): PatchValue | ErrorValue {
    const value = written instanceof Optional && written.value !== undefined ? written.value : written;
    // Lists and maps of scalars convert in the same way, whether the host or the expression created them.
    if (Array.isArray(value) && value.every(isScalar)) return [...value];
    if (value instanceof Map && isScalarMap(value)) return copyFields(value);
    if (Array.isArray(value) && (value.some(isStruct) || !this.#isHost(value)))
      return value.map((item: Value) => this.#value(item));
    if (isMap(value) && (holdsStruct(value) || !this.#isHost(value))) {
      const map = new Map<string, PatchValue>();
      for (const [key, item] of value.entries()) {
        if (typeof key !== 'string') {
          return new ErrorValue(`map key ${goQuote(goText(key))} is of type ${goTypeOf(key)}, not string`);
        }
        map.set(key, this.#value(item));
      }
      return map;
    }
    return this.#value(value);
  }

  /** `ref.Val.Value`. */
  #value(value: Value): PatchValue {
    if (value === null) return new UnpatchableValue('structpb.NullValue', 'NULL_VALUE', '0');
    if (typeof value !== 'object') return value;
    if (value instanceof Optional) return value.value === undefined ? null : this.#value(value.value);
    if (value instanceof StructValue) {
      const object = this.object(value);
      return 'error' in object ? new UnpatchableValue('*types.Err', object.error) : object.fields;
    }
    if (value instanceof JoinedList) return value.map((item) => this.#value(item));
    if (Array.isArray(value))
      return this.#isHost(value) ? hostJson(value) : new UnpatchableValue('[]ref.Val', listText(value));
    if (isMap(value))
      return this.#isHost(value) ? hostJson(value) : new UnpatchableValue('map[ref.Val]ref.Val', mapText(value));
    return new UnpatchableValue(
      GO_TYPES.find(([type]) => value instanceof type)?.[1] ?? goTypeOf(value),
      goText(value),
    );
  }
}

type Scalar = string | number | bigint | boolean;

function isScalar(value: unknown): value is Scalar {
  return typeof value !== 'object';
}

/** Values of the host never contain a struct. */
function isStruct(value: Value): boolean {
  return value instanceof StructValue;
}

function holdsStruct(map: MapValue): boolean {
  for (const [, item] of map.entries()) if (isStruct(item)) return true;
  return false;
}

function isScalarMap(map: ReadonlyMap<unknown, unknown>): map is ReadonlyMap<string, Scalar> {
  for (const [key, item] of map) if (typeof key !== 'string' || !isScalar(item)) return false;
  return true;
}

/** Containers of the host hold only JSON. */
function hostJson(value: ListValue | MapValue): JsonValue & PatchValue {
  return value as unknown as JsonValue & PatchValue;
}

function listText(list: ListValue): string {
  return `[${list.map(elementText).join(' ')}]`;
}

function mapText(map: MapValue): string {
  const entries = [...map.entries()].map(([key, item]): [string, string] => [goText(key), elementText(item)]);
  return `map[${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, text]) => `${key}:${text}`)
    .join(' ')}]`;
}

function elementText(value: Value): string {
  return typeof value === 'number' ? formatDouble(value) : goText(value);
}

const GO_TYPES: readonly (readonly [abstract new (...args: never[]) => unknown, string])[] = [
  [Uint, 'uint64'],
  [Bytes, '[]uint8'],
  [Timestamp, 'time.Time'],
  [Duration, 'time.Duration'],
  [TypeValue, 'string'],
];
