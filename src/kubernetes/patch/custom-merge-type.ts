// Merge types of custom kinds, from the schema as the server publishes it (apiextensions `openapi/builder`, kube-openapi `schemaconv`).
import { additionalSchema, type Schema } from '../custom-resource/schema/schema.ts';
import {
  type MergeField,
  type MergeList,
  type MergeMap,
  type MergeScalar,
  type MergeType,
  UNTYPED_ATOMIC,
  UNTYPED_DEDUCED,
} from './merge-type.ts';

/** `metadata` is the merge type of metadata. Without a schema, the type is deduced from the values. */
export function customMergeType(schema: Schema | undefined, metadata: MergeType): MergeType {
  if (schema === undefined) return { map: { isAtomic: false, field: () => undefined, element: UNTYPED_DEDUCED } };
  const types = new SchemaTypes(metadata);
  return types.of({ ...schema, embeddedResource: true }, false);
}

const TEXT: MergeField = { type: { scalar: 'string' }, default: undefined };

class SchemaTypes {
  readonly #metadata: MergeField;
  readonly #types = new Map<Schema, MergeType>();

  constructor(metadata: MergeType) {
    this.#metadata = { type: metadata, default: undefined };
  }

  /** `preserves`: an enclosing schema preserves unknown fields. */
  of(schema: Schema, preserves: boolean): MergeType {
    const known = this.#types.get(schema);
    if (known !== undefined) return known;
    const keeps = preserves || schema.preserveUnknownFields;
    const type = this.#forms(schema, keeps);
    this.#types.set(schema, type);
    return type;
  }

  #forms(schema: Schema, preserves: boolean): MergeType {
    switch (schema.type) {
      case 'object':
        return { map: this.#map(schema, preserves) };
      case 'array':
        return { list: this.#list(schema, preserves) };
      case 'integer':
      case 'number':
        return { scalar: 'numeric' };
      case 'boolean':
        return { scalar: 'boolean' };
      case 'string':
        return { scalar: stringScalar(schema.values.format) };
      default:
        return { scalar: 'untyped', list: this.#list(schema, preserves), map: this.#map(schema, preserves) };
    }
  }

  #map(schema: Schema, preserves: boolean): MergeMap {
    const { properties, embeddedResource, mapType } = schema;
    const fields = new Map<string, MergeField>();
    const hasFields = embeddedResource || (properties !== undefined && properties.size > 0);
    return {
      isAtomic: mapType === 'atomic',
      field: (name) => {
        if (embeddedResource && name === 'metadata') return this.#metadata;
        if (embeddedResource && (name === 'apiVersion' || name === 'kind')) return TEXT;
        const property = properties?.get(name);
        if (property === undefined) return undefined;
        let field = fields.get(name);
        if (field === undefined) {
          field = { type: this.of(property, preserves), default: property.default };
          fields.set(name, field);
        }
        return field;
      },
      element: this.#element(schema, preserves, hasFields),
    };
  }

  #element(schema: Schema, preserves: boolean, hasFields: boolean): MergeType | undefined {
    const { additionalProperties } = schema;
    const additional = additionalSchema(schema);
    if (additional !== undefined) return this.of(additional, preserves);
    if (additionalProperties !== undefined) return additionalProperties ? UNTYPED_DEDUCED : undefined;
    return preserves || !hasFields ? UNTYPED_DEDUCED : undefined;
  }

  #list({ listType, listMapKeys, items }: Schema, preserves: boolean): MergeList {
    const types = this;
    return {
      isAtomic: listType !== 'set' && listType !== 'map',
      keys: listType === 'map' ? listMapKeys : [],
      get element() {
        return items === undefined ? UNTYPED_ATOMIC : types.of(items, preserves);
      },
    };
  }
}

function stringScalar(format: string): MergeScalar {
  return format === '' || format === 'byte' ? 'string' : 'untyped';
}
