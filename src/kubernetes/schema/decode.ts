// Decodes a manifest into a built-in kind and encodes it again, like the API server's typed decoding: kept fields, dropped fields and errors.
import { canonicalBase64, encodeBase64 } from '../../go/encoding/base64.ts';
import { goQuoteBytes } from '../../go/strconv/quote.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { decodeCustom, type EnclosingDecoder } from './decode-custom.ts';
import { compareFieldPaths, type DecodeError, DecodeFailures } from './decode-failures.ts';
import { jsonKind, numberText } from './json-word.ts';
import type { Field, FieldType, Struct } from './struct.ts';
import { placeForField } from './struct-places.ts';
import { itemBefore } from './typed-field.ts';
import { zeroField, zeroValue } from './zero-value.ts';

export type DecodeResult =
  /** `strictErrors` are refused with `fieldValidation: Strict`; other modes drop the fields. */
  | { readonly object: Map<string, JsonValue>; readonly strictErrors: readonly DecodeError[] }
  | { readonly error: DecodeError };

/** The limit of `saveStrictError` in sigs.k8s.io/json. */
const MAX_STRICT_ERRORS = 100;

/**
 * Decodes an object leniently and encodes it again (`UnmarshalCaseSensitivePreserveInts` of sigs.k8s.io/json, then `ToUnstructured` of
 * apimachinery/pkg/runtime/converter.go). Assumes sorted keys, as kubectl sends them, because the order decides which error the server
 * reports. Sets no defaults. `readManifests` limits the nesting of the value. `decoded` is an earlier result for the same kind: parts
 * that the value shares with it, at the same path, are reused without copying.
 */
export function decodeTyped(value: JsonObject, struct: Struct, decoded?: JsonObject): DecodeResult {
  const decoder = new Decoder(struct);
  const object = decoder.struct(struct, value, decoded);
  const error = decoder.failures.decisive();
  if (error !== undefined) return { error };
  return { object: object as Map<string, JsonValue>, strictErrors: decoder.strictErrors() };
}

/** The API server's message for strict errors (`strictDecodingError`). */
export function strictDecodingMessage(errors: readonly { readonly message: string }[]): string {
  return `strict decoding error: ${errors.map((error) => error.message).join(', ')}`;
}

/** One decoding; every method returns the encoded value. */
class Decoder implements EnclosingDecoder {
  readonly failures: DecodeFailures;
  readonly #path: (string | number)[] = [];
  readonly #unknown: { readonly path: FieldPath; readonly known: Struct['fields'] }[] = [];
  /** Set inside types that are encoded through JSON text, where a double without a fraction becomes an integer. */
  #viaJson = false;

  readonly #root: Struct;

  constructor(root: Struct) {
    this.#root = root;
    this.failures = new DecodeFailures(root);
  }

  strictErrors(): readonly DecodeError[] {
    return this.#unknown
      .toSorted((one, other) => compareFieldPaths(one.path, other.path))
      .slice(0, MAX_STRICT_ERRORS)
      .map(({ path, known }) => {
        const elsewhere = placeForField(this.#root, path);
        const message = `unknown field ${goQuoteBytes(strictPath(path))}`;
        return { message, path, known, ...(elsewhere !== undefined && { elsewhere }) };
      });
  }

  struct(struct: Struct, value: JsonValue, decoded?: JsonValue): JsonValue {
    if (!isJsonObject(value)) return this.#mismatch(value, goNameOf(struct));
    const object = new Map<string, JsonValue>();
    const known = isJsonObject(decoded) ? decoded : undefined;
    for (const key of value.keys()) {
      const field = struct.fields.get(key);
      if (field === undefined) this.#unknown.push({ path: [...this.#path, key], known: struct.fields });
      else this.#field(field, value.get(key) as JsonValue, object, known?.get(key));
    }
    for (const field of struct.alwaysWritten) {
      if (!object.has(field.name)) object.set(field.name, zeroField(field));
    }
    return object;
  }

  #field(field: Field, value: JsonValue, object: Map<string, JsonValue>, known: JsonValue | undefined): void {
    if (value === null) return;
    let decoded: JsonValue = value;
    if (value !== known) {
      this.#path.push(field.name);
      decoded = this.value(field.type, value, known);
      this.#path.pop();
    }
    if (field.omit === 'never' || field.isPointer || !isOmitted(field, decoded)) object.set(field.name, decoded);
  }

  value(type: FieldType, value: JsonValue, decoded?: JsonValue): JsonValue {
    if (value === null) return zeroValue(type);
    if (value === decoded) return value;
    switch (type.form) {
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(value, type.goName);
      case 'bool':
        return typeof value === 'boolean' ? value : this.#mismatch(value, type.goName);
      case 'integer':
        return this.integer(value, type.goName, type.bits);
      case 'float':
        return this.#float(value, type.goName);
      case 'bytes':
        return this.#bytes(value, type);
      case 'list':
        return isJsonArray(value) ? this.#list(value, type.element, decoded) : this.#mismatch(value, type.goName);
      case 'map':
        return isJsonObject(value) ? this.#map(value, type.value, decoded) : this.#mismatch(value, type.goName);
      case 'struct':
        return this.struct(type.struct, value, decoded);
      case 'custom':
        return decodeCustom(this, type, value);
    }
  }

  integer(value: JsonValue, goName: string, bits: number): JsonValue {
    const fits = bits === 8 ? BigInt.asUintN : BigInt.asIntN;
    if (typeof value === 'bigint' && fits(bits, value) === value) return value;
    if (typeof value !== 'bigint' && typeof value !== 'number') return this.#mismatch(value, goName);
    const text = numberText(value);
    const integer = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    const inRange = integer !== undefined && integer === fits(bits, integer);
    return inRange ? integer : this.#mismatch(value, goName, `number ${text}`);
  }

  nested(decode: () => JsonValue): JsonValue {
    const unknown = this.#unknown.length;
    const viaJson = this.#viaJson;
    this.#viaJson = true;
    const value = this.failures.nested(decode);
    this.#viaJson = viaJson;
    this.#unknown.length = unknown;
    return value;
  }

  listOf(struct: Struct, values: JsonArray): JsonValue {
    return this.#list(values, { form: 'struct', goName: goNameOf(struct), struct });
  }

  fatal(message: string): null {
    this.failures.addFatal(this.#path, message);
    return null;
  }

  fatalMismatch(value: JsonValue, goName: string, valueText = jsonKind(value)): null {
    this.failures.addMismatch(this.#path, valueText, goName, true);
    return null;
  }

  #mismatch(value: JsonValue, goName: string, valueText = jsonKind(value)): null {
    this.failures.addMismatch(this.#path, valueText, goName, false);
    return null;
  }

  #float(value: JsonValue, goName: string): JsonValue {
    if (typeof value !== 'bigint' && typeof value !== 'number') return this.#mismatch(value, goName);
    const double = Number(value);
    return this.#viaJson && Number.isInteger(double) ? BigInt(double) : double;
  }

  #bytes(value: JsonValue, type: FieldType): JsonValue {
    if (typeof value === 'string') {
      const data = canonicalBase64(value);
      if (typeof data === 'string') return data;
      this.failures.addPlain(this.#path, data.error);
      return null;
    }
    if (!isJsonArray(value)) return this.#mismatch(value, type.goName);
    const bytes = this.#list(value, { form: 'integer', goName: 'uint8', bits: 8 });
    return encodeBase64(bytes.length, (index) => Number(bytes[index]));
  }

  #list(values: JsonArray, element: FieldType, decoded?: JsonValue): JsonArray {
    const list: JsonValue[] = [];
    const known = isJsonArray(decoded) ? decoded : undefined;
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as JsonValue;
      const before = itemBefore(values, index, known);
      if (value === before && value !== null) {
        list.push(value);
        continue;
      }
      this.#path.push(index);
      list.push(this.value(element, value, before));
      this.#path.pop();
    }
    return list;
  }

  #map(values: JsonObject, type: FieldType, decoded?: JsonValue): JsonObject {
    const map = new Map<string, JsonValue>();
    const known = isJsonObject(decoded) ? decoded : undefined;
    for (const [key, value] of values) {
      const before = known?.get(key);
      if (value === before && value !== null) {
        map.set(key, value);
        continue;
      }
      this.#path.push(key);
      map.set(key, this.value(type, value, before));
      this.#path.pop();
    }
    return map;
  }
}

/** Go's `isEmpty` for `omitempty`; structs are never empty. The only `omitzero` field is a time. */
export function isOmitted(field: Field, value: JsonValue): boolean {
  const { form } = field.type;
  if (form === 'struct' || form === 'custom') return field.omit === 'zero' && value === null;
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && value.size === 0;
}

/** `spec.containers[0].image`; keys are never quoted here. */
export function strictPath(path: FieldPath): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}

function goNameOf(struct: Struct): string {
  return struct.name.slice(struct.name.lastIndexOf('/') + 1);
}
