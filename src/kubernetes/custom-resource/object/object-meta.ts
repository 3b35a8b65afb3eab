// Decodes the metadata of custom resources and of resources embedded in them (apiextensions `schema/objectmeta`).

import { compareUtf8, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { decodeTyped, strictPath } from '../../schema/decode.ts';
import type { DecodeError } from '../../schema/decode-failures.ts';
import { jsonKind } from '../../schema/json-word.ts';
import type { SchemaCatalog } from '../../schema/schema-catalog.ts';
import type { Struct } from '../../schema/struct.ts';
import type { MutableObject } from '../../schema/typed-field.ts';
import { additionalSchema, asResource, type Schema } from '../schema/schema.ts';
import type { ServerErrors } from '../server-error.ts';
import { ServerPath } from '../server-path.ts';
import { mutableArray, mutableObject } from './mutable-json.ts';

/** An unknown field, with its path in the server's notation. */
export interface UnknownField {
  readonly path: FieldPath;
  readonly text: string;
}

export type CoercedObject = { readonly unknown: readonly UnknownField[] } | { readonly error: DecodeError };

type DecodedMeta =
  | { readonly metadata: MutableObject; readonly unknown: readonly FieldPath[] }
  | { readonly error: DecodeError };

/** Decodes `metadata` for one release. */
export class ObjectMetaDecoder {
  readonly #struct: Struct;

  constructor(catalog: SchemaCatalog) {
    this.#struct = catalog.struct('meta/v1.ObjectMeta') as Struct;
  }

  /** The decoded metadata and its unknown fields; paths are relative to the metadata. */
  decode(metadata: JsonValue): DecodedMeta {
    if (metadata !== null && !isJsonObject(metadata)) {
      const message = `json: cannot unmarshal ${jsonKind(metadata)} into Go value of type v1.ObjectMeta`;
      return { error: { message, path: [] } };
    }
    const decoded = decodeTyped(metadata ?? new Map(), this.#struct);
    if ('error' in decoded) return decoded;
    return { metadata: decoded.object, unknown: decoded.strictErrors.map(({ path }) => path) };
  }

  /** Metadata without the fields that fail to decode. */
  decodeLeniently(metadata: JsonObject): MutableObject {
    const sound = [...metadata].filter(([name, value]) => 'metadata' in this.decode(new Map([[name, value]])));
    const decoded = this.decode(new Map(sound));
    return 'metadata' in decoded ? decoded.metadata : new Map();
  }
}

/** `refuse`: malformed fields are an error; `drop`: they are removed. */
export type MalformedFields = 'refuse' | 'drop';

/**
 * Decodes the metadata of the resources embedded in a value, and checks the types of their apiVersion and kind. `base`
 * is the path of the value.
 */
export function coerceMetadata(
  value: JsonValue,
  schema: Schema,
  isResourceRoot: boolean,
  malformed: MalformedFields,
  decoder: ObjectMetaDecoder,
  errors: ServerErrors,
  base: ServerPath = ServerPath.root,
): CoercedObject {
  const coercion = new Coercion(malformed, decoder, errors);
  coercion.visit(value, isResourceRoot ? asResource(schema) : schema, base);
  if (coercion.error !== undefined) return { error: coercion.error };
  return { unknown: coercion.unknown.sort((a, b) => compareUtf8(a.text, b.text)) };
}

class Coercion {
  readonly unknown: UnknownField[] = [];
  /** The first error, which stops the traversal. */
  error: DecodeError | undefined;
  readonly #malformed: MalformedFields;
  readonly #decoder: ObjectMetaDecoder;
  readonly #errors: ServerErrors;

  constructor(malformed: MalformedFields, decoder: ObjectMetaDecoder, errors: ServerErrors) {
    this.#malformed = malformed;
    this.#decoder = decoder;
    this.#errors = errors;
  }

  visit(value: JsonValue, schema: Schema | undefined, path: ServerPath): void {
    if (schema === undefined || this.error !== undefined) return;
    const object = mutableObject(value);
    for (const [key, item] of object ?? []) {
      if (schema.embeddedResource && object !== undefined) this.#metaField(object, key, item, path);
      const property = schema.properties?.get(key);
      if (property !== undefined) this.visit(item, property, path.child(key));
      else this.visit(item, additionalSchema(schema), path.key(key));
    }
    for (const [index, item] of (mutableArray(value) ?? []).entries()) {
      this.visit(item, schema.items, path.index(index));
    }
  }

  #metaField(object: MutableObject, key: string, value: JsonValue, path: ServerPath): void {
    if (key === 'metadata') this.#metadata(object, value, path.child('metadata'));
    if ((key !== 'apiVersion' && key !== 'kind') || typeof value === 'string') return;
    if (this.#malformed === 'drop') object.delete(key);
    else this.#refuse(path.child(key), value, 'must be a string');
  }

  #metadata(object: MutableObject, value: JsonValue, path: ServerPath): void {
    const decoded = this.#decoder.decode(value);
    if ('error' in decoded) {
      if (this.#malformed === 'refuse') this.#refuse(path, value, decoded.error.message, decoded.error.path);
      else if (isJsonObject(value)) setMetadata(object, this.#decoder.decodeLeniently(value));
      return;
    }
    setMetadata(object, decoded.metadata);
    for (const unknown of decoded.unknown) {
      this.unknown.push({ path: [...path.steps, ...unknown], text: `${path}.${strictPath(unknown)}` });
    }
  }

  #refuse(place: ServerPath, value: JsonValue, detail: string, inside: FieldPath = []): void {
    const { message } = this.#errors.invalid(place, value, detail);
    this.error ??= { message, path: [...place.steps, ...inside] };
  }
}

function setMetadata(object: MutableObject, metadata: MutableObject): void {
  if ((metadata.get('creationTimestamp') ?? null) === null) metadata.delete('creationTimestamp');
  object.set('metadata', metadata);
}
