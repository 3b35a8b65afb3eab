// The types of expressions for schemas (apiserver `pkg/cel/common/schemas.go: SchemaDeclType`).
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
import type { DeclaredTypes } from './declared-types.ts';
import { escapeFieldName } from './field-name.ts';

/** The parts of a schema that affect types. Missing texts are empty. */
export interface TypedSchema {
  readonly type: string;
  readonly values: { readonly format: string };
  readonly properties: ReadonlyMap<string, TypedSchema> | undefined;
  readonly additionalProperties: TypedSchema | boolean | undefined;
  readonly items: TypedSchema | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  /** Has no effect on declared types: expressions cannot access unknown fields. */
  readonly preserveUnknownFields: boolean;
}

/** Maximum depth of nested lists and maps. */
const MAX_NESTING = 64;

/**
 * The type of a schema. `name` is the prefix of its object types: `name.spec`, `name.labels.@elem`, `name.items.@idx`.
 * Undefined if expressions cannot access the value: the schema, or the element schema of a list or map, has no type.
 * The root of a resource always has a kind and a name in its metadata.
 */
export function declareSchema(
  types: DeclaredTypes,
  name: string,
  schema: TypedSchema,
  isResourceRoot: boolean,
): Type | undefined {
  return declareNested(types, name, schema, isResourceRoot, 0);
}

function declareNested(
  types: DeclaredTypes,
  name: string,
  schema: TypedSchema,
  isResourceRoot: boolean,
  depth: number,
): Type | undefined {
  if (schema.intOrString) return DYN;
  if (depth > MAX_NESTING) return undefined;
  const elementType = (suffix: string, element: TypedSchema): Type | undefined =>
    declareNested(types, `${name}.${suffix}`, element, element.embeddedResource, depth + 1);
  switch (schema.type) {
    case 'array': {
      const element = schema.items && elementType('@idx', schema.items);
      return element && listOf(element);
    }
    case 'object': {
      const { additionalProperties } = schema;
      if (typeof additionalProperties !== 'object') return declareObject(types, name, schema, isResourceRoot);
      const element = elementType('@elem', additionalProperties);
      return element && mapOf(STRING, element);
    }
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    case 'string':
      return STRING_FORMATS.get(schema.values.format) ?? STRING;
    default:
      return undefined;
  }
}

function declareObject(types: DeclaredTypes, name: string, schema: TypedSchema, isResourceRoot: boolean): Type {
  return types.declare(name, () => {
    const fields = new Map<string, Type>();
    const properties = schema.properties ?? new Map<string, TypedSchema>();
    for (const [property, own] of isResourceRoot ? withTypeAndObjectMeta(properties) : properties) {
      const field = escapeFieldName(property);
      if (field === undefined) continue;
      const type = declareSchema(types, `${name}.${field}`, own, own.embeddedResource);
      if (type !== undefined) fields.set(field, type);
    }
    return fields;
  });
}

const STRING_FORMATS: ReadonlyMap<string, Type> = new Map([
  ['byte', BYTES],
  ['duration', DURATION],
  ['date', TIMESTAMP],
  ['date-time', TIMESTAMP],
]);

/** True if the schema declares the kind and metadata of every resource. */
export function hasTypeAndObjectMeta(properties: ReadonlyMap<string, TypedSchema>): boolean {
  const metadata = properties.get('metadata');
  return (
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.get('name')?.type === 'string' &&
    metadata.properties.get('generateName')?.type === 'string'
  );
}

/** Replaces incomplete declarations of kind, apiVersion and metadata. */
function withTypeAndObjectMeta(properties: ReadonlyMap<string, TypedSchema>): ReadonlyMap<string, TypedSchema> {
  if (hasTypeAndObjectMeta(properties)) return properties;
  return new Map(properties).set('kind', TEXT_SCHEMA).set('apiVersion', TEXT_SCHEMA).set('metadata', METADATA);
}

export const TEXT_SCHEMA: TypedSchema = {
  type: 'string',
  values: { format: '' },
  properties: undefined,
  additionalProperties: undefined,
  items: undefined,
  embeddedResource: false,
  intOrString: false,
  preserveUnknownFields: false,
};

const METADATA: TypedSchema = {
  ...TEXT_SCHEMA,
  type: 'object',
  properties: new Map([
    ['name', TEXT_SCHEMA],
    ['generateName', TEXT_SCHEMA],
  ]),
};
