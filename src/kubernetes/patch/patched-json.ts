// Converts the `value` of a JSONPatch operation to JSON (cel-go `ConvertToNative(structpb.Value)`, apiserver `mutating/patch/json_patch.go`).
import { formatDuration } from '../../cel/value/duration.ts';
import { isMap } from '../../cel/value/equality.ts';
import { JoinedList } from '../../cel/value/joined-list.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../cel/value/scalar.ts';
import { formatTimestamp } from '../../cel/value/timestamp.ts';
import { OpaqueValue, Optional, StructValue, TypeValue, type Value } from '../../cel/value/value.ts';
import { encodeBase64 } from '../../go/encoding/base64.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../source/json/json.ts';
import { configurationOf, type IsHost } from './applied-configuration.ts';
import { isPatchArray, isPatchObject, type PatchValue, UnpatchableValue } from './patch-value.ts';

export type PatchedJson =
  | { readonly json: JsonValue }
  | { readonly error: string }
  /** kube-apiserver panics. */
  | { readonly panic: string };

const MAX_SAFE = 2n ** 53n - 1n;
const TARGET = "'*structpb.Value'";

/** Numbers are converted to doubles; integers that a double cannot represent become strings. */
export function patchedJson(value: Value, isHost: IsHost): PatchedJson {
  try {
    return { json: value instanceof StructValue ? structJson(value, isHost) : convert(value) };
  } catch (problem) {
    if (problem instanceof Unconvertible) return problem.result;
    throw problem;
  }
}

class Unconvertible extends Error {
  readonly result: { readonly error: string } | { readonly panic: string };
  constructor(result: { readonly error: string } | { readonly panic: string }) {
    super();
    this.result = result;
  }
}

function convert(value: Value): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return integerJson(value);
  if (typeof value === 'number') return doubleJson(value);
  if (value instanceof Uint) return integerJson(value.value);
  if (value instanceof Bytes) return encodeBase64(value.data.length, (index) => value.data[index] as number);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Optional) {
    if (value.value === undefined) throw new Unconvertible({ error: 'optional.none() dereference' });
    return convert(value.value);
  }
  if (Array.isArray(value)) return listJson(value);
  if (isMap(value)) {
    const object = new Map<string, JsonValue>();
    for (const [key, item] of value.entries()) {
      if (typeof key !== 'string')
        throw new Unconvertible({ error: `unsupported type conversion from '${typeNameOf(key)}' to string` });
      object.set(key, memberJson(item, 'SetMapIndex'));
    }
    return object;
  }
  throw new Unconvertible({ error: `type conversion error from '${typeNameOf(value)}' to ${TARGET}` });
}

function listJson(list: readonly Value[]): JsonArray {
  if (list instanceof JoinedList) return list.map(adaptedJson);
  return list.map((item) => memberJson(item, 'Set'));
}

/** Objects in lists joined by `+` are already Go maps, which upstream adapts to CEL maps again. */
function adaptedJson(value: Value): JsonValue {
  if (value instanceof Optional) return value.value === undefined ? null : adaptedJson(value.value);
  if (value instanceof StructValue) {
    return new Map([...value.fields].map(([name, item]): [string, JsonValue] => [name, adaptedJson(item)]));
  }
  return Array.isArray(value) ? value.map(adaptedJson) : convert(value);
}

/** Before 1.37, kube-apiserver panics if a list or map contains an object. */
function memberJson(value: Value, method: string): JsonValue {
  if (!(value instanceof StructValue)) return convert(value);
  throw new Unconvertible({
    panic: `reflect.${method}: value of type *structpb.Struct is not assignable to type *structpb.Value`,
  });
}

/** `structpb.NewStruct` of the value as an applied configuration. */
function structJson(value: StructValue, isHost: IsHost): JsonObject {
  const configuration = configurationOf(value, isHost);
  if ('error' in configuration) throw new Unconvertible({ error: configuration.error });
  return nativeJson(configuration.fields) as JsonObject;
}

function nativeJson(value: PatchValue): JsonValue {
  if (value instanceof UnpatchableValue) throw new Unconvertible({ error: `proto: invalid type: ${value.type}` });
  if (isPatchArray(value)) return value.map(nativeJson);
  if (isPatchObject(value))
    return new Map([...value].map(([key, item]): [string, JsonValue] => [key, nativeJson(item)]));
  return typeof value === 'bigint' ? doubleJson(Number(value)) : typeof value === 'number' ? doubleJson(value) : value;
}

function integerJson(value: bigint): JsonValue {
  return value >= -MAX_SAFE && value <= MAX_SAFE ? value : String(value);
}

/** As decoded from JSON text: a double without fraction or exponent becomes an integer. */
export function doubleJson(value: number): JsonValue {
  if (!Number.isFinite(value))
    throw new Unconvertible({ error: `google.protobuf.Value cannot have ${nonFinite(value)}` });
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  const integer = BigInt(value);
  return BigInt.asIntN(64, integer) === integer ? integer : value;
}

function nonFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function typeNameOf(value: Value): string {
  if (value instanceof OpaqueValue) return OPAQUE_NAMES.get(value.type.name) ?? value.type.name;
  if (value instanceof TypeValue) return 'type';
  return typeof value === 'bigint' ? 'int' : typeof value;
}

const OPAQUE_NAMES: ReadonlyMap<string, string> = new Map([
  ['kubernetes.Quantity', 'Quantity'],
  ['kubernetes.URL', 'URL'],
  ['net.IP', 'IP'],
  ['net.CIDR', 'CIDR'],
  ['kubernetes.Semver', 'Semver'],
  ['kubernetes.NamedFormat', 'Format'],
]);
