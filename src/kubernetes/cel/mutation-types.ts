// The types of patches in mutating policies: `Object{…}`, `Object.spec{…}`, `JSONPatch{…}` (apiserver `pkg/cel/mutation`).
import { DYN, STRING, struct, type Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import { equalsOrError, isMap } from '../../cel/value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../cel/value/scalar.ts';
import { ErrorValue, OpaqueValue, StructValue, type Value } from '../../cel/value/value.ts';

export const OBJECT_TYPE: Type = struct('Object');
export const JSON_PATCH_TYPE: Type = struct('JSONPatch');

/** Upstream accepts any field of JSONPatch, but unknown fields have no type. */
const NO_TYPE: Type = struct('');

const JSON_PATCH_FIELDS: ReadonlyMap<string, Type> = new Map([
  ['op', STRING],
  ['from', STRING],
  ['path', STRING],
  ['value', DYN],
]);

/** One operation; missing texts are empty. */
export class JsonPatchValue extends OpaqueValue {
  readonly type = JSON_PATCH_TYPE;
  readonly op: string;
  readonly from: string;
  readonly path: string;
  /** Undefined if the expression does not set it. */
  readonly value: Value | undefined;

  constructor(op: string, from: string, path: string, value: Value | undefined) {
    super();
    this.op = op;
    this.from = from;
    this.path = path;
    this.value = value;
  }

  override get goType(): string {
    return '*mutation.JSONPatchVal';
  }

  override equals(other: Value): boolean | ErrorValue {
    if (!(other instanceof JsonPatchValue)) return false;
    if (this.op !== other.op || this.from !== other.from || this.path !== other.path) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equalsOrError(this.value, other.value);
  }

  override get(field: string): Value {
    if (field === 'op') return this.op;
    if (field === 'from') return this.from;
    if (field === 'path') return this.path;
    return field === 'value' ? (this.value ?? null) : new ErrorValue(`unsupported indexer: ${field}`);
  }

  override has(field: string): boolean {
    if (field === 'value') return this.value !== undefined;
    return (field === 'op' || field === 'from' || field === 'path') && this[field] !== '';
  }
}

/** Objects have any field, each of type dyn; their values are StructValues. */
export const MUTATION_TYPES: TypeProvider = {
  findStruct: (name) => {
    if (name === JSON_PATCH_TYPE.name) return JSON_PATCH_TYPE;
    return name === OBJECT_TYPE.name || name.startsWith('Object.') ? struct(name) : undefined;
  },
  findField: (type, field) => (type.name === JSON_PATCH_TYPE.name ? (JSON_PATCH_FIELDS.get(field) ?? NO_TYPE) : DYN),
  fieldNames: (type) => (type.name === JSON_PATCH_TYPE.name ? [...JSON_PATCH_FIELDS.keys()] : undefined),
  newStruct: (type, fields) =>
    type.name === JSON_PATCH_TYPE.name ? newJsonPatch(fields) : new StructValue(type, fields),
};

function newJsonPatch(fields: ReadonlyMap<string, Value>): Value {
  const texts = new Map<string, string>();
  for (const [name, value] of fields) {
    if (name === 'value') continue;
    if (typeof value !== 'string') {
      return new ErrorValue(`unexpected type ${nativeTypeName(value)} for JSONPatchType '${name}' field`);
    }
    texts.set(name, value);
  }
  return new JsonPatchValue(
    texts.get('op') ?? '',
    texts.get('from') ?? '',
    texts.get('path') ?? '',
    fields.get('value'),
  );
}

/** Go's `%T` of the inner value, for the types that a dyn expression can produce here. */
function nativeTypeName(value: Value): string {
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'structpb.NullValue';
  if (value instanceof Uint) return 'uint64';
  if (value instanceof Bytes) return '[]uint8';
  if (value instanceof Timestamp) return 'time.Time';
  if (value instanceof Duration) return 'time.Duration';
  if (Array.isArray(value)) return '[]ref.Val';
  return isMap(value) ? 'map[ref.Val]ref.Val' : 'types.Val';
}
