// The run-time types of objects in admission expressions: typed objects converted to JSON, or the JSON as written.
import { BOOL, DOUBLE, DYN, INT, listOf, mapOf, STRING, type Type } from '../../cel/check/type.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import { formatApiVersion } from '../api/group-version.ts';
import type { SchemaCatalog } from '../schema/schema-catalog.ts';
import type { CustomType, FieldType, Struct } from '../schema/struct.ts';
import { DeclaredTypes } from './declared-types.ts';
import type { TypedSchema } from './schema-types.ts';

/** Maximum depth of nested lists and maps. */
const MAX_NESTING = 64;

/** Gives no type to unknown content, to numbers that may be integers, and to integers that may be strings. */
export class RunTimeTypes {
  /** Names are Go's for built-in kinds, and start with apiVersion and kind for custom kinds. They are not escaped. */
  readonly types = new DeclaredTypes();
  readonly #catalog: SchemaCatalog;

  constructor(catalog: SchemaCatalog) {
    this.#catalog = catalog;
  }

  /** Undefined for kinds that are not built in. */
  builtin(kind: GroupVersionKind): Type | undefined {
    const struct = this.#catalog.structForKind(kind);
    return struct && this.#struct(struct);
  }

  custom({ group, version, kind }: GroupVersionKind, schema: TypedSchema): Type {
    if (schema.preserveUnknownFields) return DYN;
    const name = `${formatApiVersion(group, version)}.${kind}`;
    return this.types.declare(name, () => {
      const metadata = this.#catalog.struct('meta/v1.ObjectMeta');
      return new Map(this.#propertyTypes(name, schema))
        .set('apiVersion', STRING)
        .set('kind', STRING)
        .set('metadata', metadata === undefined ? DYN : this.#struct(metadata));
    });
  }

  #struct(struct: Struct): Type {
    return this.types.declare(
      struct.name,
      () => new Map([...struct.fields.values()].map((field) => [field.name, this.#fieldType(field.type)])),
    );
  }

  #fieldType(type: FieldType): Type {
    switch (type.form) {
      case 'struct':
        return this.#struct(type.struct);
      case 'list':
        return listOf(this.#fieldType(type.element));
      case 'map':
        return mapOf(STRING, this.#fieldType(type.value));
      case 'custom':
        return SCALAR_CUSTOM_TYPES.has(type.custom) ? STRING : DYN;
      case 'bool':
        return BOOL;
      case 'integer':
        return INT;
      case 'float':
        return DOUBLE;
      case 'string':
      case 'bytes':
        return STRING;
    }
  }

  #propertyTypes(name: string, schema: TypedSchema): Iterable<readonly [string, Type]> {
    return [...(schema.properties ?? [])].map(([property, own]) => [
      property,
      this.#schemaType(`${name}.${property}`, own),
    ]);
  }

  #schemaType(name: string, schema: TypedSchema, depth = 0): Type {
    if (depth > MAX_NESTING || schema.intOrString || schema.preserveUnknownFields || schema.embeddedResource)
      return DYN;
    switch (schema.type) {
      case 'string':
        return STRING;
      case 'integer':
        return INT;
      case 'boolean':
        return BOOL;
      case 'array':
        return listOf(schema.items === undefined ? DYN : this.#schemaType(`${name}[]`, schema.items, depth + 1));
      case 'object':
        return this.#objectType(name, schema, depth);
      default:
        return DYN;
    }
  }

  #objectType(name: string, schema: TypedSchema, depth: number): Type {
    const { properties, additionalProperties } = schema;
    if (typeof additionalProperties === 'object') {
      return mapOf(STRING, this.#schemaType(`${name}{}`, additionalProperties, depth + 1));
    }
    if (properties === undefined || properties.size === 0 || additionalProperties === true) return DYN;
    return this.types.declare(name, () => new Map(this.#propertyTypes(name, schema)));
  }
}

/** Types that are always text in JSON. */
const SCALAR_CUSTOM_TYPES: ReadonlySet<CustomType> = new Set<CustomType>([
  'resource.Quantity',
  'meta/v1.Time',
  'meta/v1.MicroTime',
]);
