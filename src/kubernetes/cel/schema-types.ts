// The types expressions see where a schema declares them: OpenAPI and structural schemas (apiserver `pkg/cel/common/schemas.go`).
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
} from '../../cel/check/type.ts';
import { isJsonArray, type JsonObject } from '../../source/json.ts';
import { objectField, objectItems, objectOrEmpty, optionalTextField, textField } from '../../source/json-field.ts';
import type { DeclaredTypes } from './declared-types.ts';
import { escapeFieldName } from './field-name.ts';

/** Lists of lists and maps of maps are followed this deep. */
const MAX_NESTING = 64;

const STRING_SCHEMA: JsonObject = new Map([['type', 'string']]);
const OBJECT_SCHEMA: JsonObject = new Map([['type', 'object']]);
const METADATA_SCHEMA: JsonObject = new Map<string, string | JsonObject>([
  ['type', 'object'],
  [
    'properties',
    new Map([
      ['name', STRING_SCHEMA],
      ['generateName', STRING_SCHEMA],
    ]),
  ],
]);

/** A schema without reference, and the references that led to it. */
interface Resolved {
  readonly schema: JsonObject;
  readonly refs: readonly string[];
}

export class SchemaTypes {
  readonly #types: DeclaredTypes;
  readonly #findSchema: (ref: string) => JsonObject | undefined;

  /** `findSchema` follows a `$ref`; structural schemas have none. */
  constructor(types: DeclaredTypes, findSchema: (ref: string) => JsonObject | undefined = () => undefined) {
    this.#types = types;
    this.#findSchema = findSchema;
  }

  /**
   * The type of a schema under the name its object types start with: `name.spec`, `name.labels.@elem`, `name.items.@idx`.
   * Undefined if expressions see nothing of it: it has no type, or is a list or map of such. The root of a resource has a
   * kind and the name in its metadata whatever the schema says.
   */
  declare(name: string, schema: JsonObject, isResourceRoot: boolean): Type | undefined {
    return this.#typeOf(name, this.#resolve(schema, []), isResourceRoot, 0);
  }

  #typeOf(name: string, resolved: Resolved, isResourceRoot: boolean, depth: number): Type | undefined {
    const { schema, refs } = resolved;
    if (isIntOrString(schema)) return DYN;
    if (depth > MAX_NESTING) return undefined;
    switch (typeName(schema)) {
      case 'array': {
        const element = this.#elementType(`${name}.@idx`, objectField(schema, 'items'), refs, depth);
        return element && listOf(element);
      }
      case 'object': {
        const additional = objectField(schema, 'additionalProperties');
        if (additional === undefined) return this.#objectType(name, resolved, isResourceRoot);
        const element = this.#elementType(`${name}.@elem`, additional, refs, depth);
        return element && mapOf(STRING, element);
      }
      default:
        return scalarType(schema);
    }
  }

  #elementType(name: string, schema: JsonObject | undefined, refs: readonly string[], depth: number): Type | undefined {
    if (schema === undefined) return undefined;
    const resolved = this.#resolve(schema, refs);
    return this.#typeOf(name, resolved, isEmbeddedResource(resolved.schema), depth + 1);
  }

  #objectType(name: string, resolved: Resolved, isResourceRoot: boolean): Type {
    return this.#types.declare(name, () => {
      const { schema, refs } = isResourceRoot ? this.#withTypeAndObjectMeta(resolved) : resolved;
      const fields = new Map<string, Type>();
      for (const [property, value] of objectOrEmpty(schema.get('properties'))) {
        const escaped = escapeFieldName(property);
        if (escaped === undefined) continue;
        const own = this.#resolve(objectOrEmpty(value), refs);
        const type = this.#typeOf(`${name}.${escaped}`, own, isEmbeddedResource(own.schema), 0);
        if (type !== undefined) fields.set(escaped, type);
      }
      return fields;
    });
  }

  #withTypeAndObjectMeta({ schema, refs }: Resolved): Resolved {
    const typeAt = (from: JsonObject, property: string): Resolved =>
      this.#resolve(objectOrEmpty(objectOrEmpty(from.get('properties')).get(property)), refs);
    const isString = (from: JsonObject, property: string): boolean =>
      typeName(typeAt(from, property).schema) === 'string';
    const metadata = typeAt(schema, 'metadata').schema;
    const isComplete =
      isString(schema, 'kind') &&
      isString(schema, 'apiVersion') &&
      typeName(metadata) === 'object' &&
      isString(metadata, 'name') &&
      isString(metadata, 'generateName');
    if (isComplete) return { schema, refs };
    const properties = new Map(objectOrEmpty(schema.get('properties')))
      .set('kind', STRING_SCHEMA)
      .set('apiVersion', STRING_SCHEMA)
      .set('metadata', METADATA_SCHEMA);
    return { schema: new Map(schema).set('properties', properties), refs };
  }

  /** A reference back to what is being described becomes an object without fields (`resolver.PopulateRefs`). */
  #resolve(schema: JsonObject, refs: readonly string[]): Resolved {
    const ref = refOf(schema);
    if (ref === undefined) return { schema, refs };
    if (refs.includes(ref)) return { schema: OBJECT_SCHEMA, refs };
    return { schema: objectOrEmpty(this.#findSchema(ref)), refs: [...refs, ref] };
  }
}

/** Its own, or one wrapped in `allOf` to keep a description or default beside it. */
function refOf(schema: JsonObject): string | undefined {
  const own = optionalTextField(schema, '$ref');
  if (own !== undefined) return own;
  for (const wrapped of objectItems(schema.get('allOf'))) {
    const ref = optionalTextField(wrapped, '$ref');
    if (ref !== undefined) return ref;
  }
  return undefined;
}

/** OpenAPI allows several types; the first counts. */
function typeName(schema: JsonObject): string {
  const type = schema.get('type');
  const first = isJsonArray(type) ? type[0] : type;
  return typeof first === 'string' ? first : '';
}

/** Built-in kinds say so by a format, custom ones by an extension. */
function isIntOrString(schema: JsonObject): boolean {
  return schema.get('x-kubernetes-int-or-string') === true || textField(schema, 'format') === 'int-or-string';
}

function isEmbeddedResource(schema: JsonObject): boolean {
  return schema.get('x-kubernetes-embedded-resource') === true;
}

function scalarType(schema: JsonObject): Type | undefined {
  switch (typeName(schema)) {
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    case 'string':
      return STRING_FORMATS.get(textField(schema, 'format')) ?? STRING;
    default:
      return undefined;
  }
}

const STRING_FORMATS: ReadonlyMap<string, Type> = new Map([
  ['byte', BYTES],
  ['duration', DURATION],
  ['date', TIMESTAMP],
  ['date-time', TIMESTAMP],
]);
