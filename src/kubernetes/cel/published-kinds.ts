// The kinds of a cluster with the types that its published schemas declare, which is what the API server type-checks with.
import { DYN, type Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import { publishedSchema } from '../schema/struct-schema.ts';
import { DeclaredTypes } from './declared-types.ts';
import type { KnownKinds } from './known-kinds.ts';
import { declareSchema, TEXT_SCHEMA, type TypedSchema } from './schema-types.ts';

export interface TypedKinds {
  /** Those a RESTMapper finds for a resource, plural or singular; in every group and version if none is given. */
  kindsFor(resource: GroupVersionResource): readonly GroupVersionKind[];
  /**
   * A new type with every call. Its name is the kind's with a number, where the server has the nanoseconds of its clock.
   * Undefined if there is no schema for the kind, `dyn` if the schema has no type.
   */
  declare(kind: GroupVersionKind): Type | undefined;
  /** Knows the types that were declared. */
  readonly types: TypeProvider;
}

/** As of a server that serves what it does by default. */
export class PublishedKinds implements TypedKinds {
  readonly types = new DeclaredTypes();
  readonly #kinds: KnownKinds;
  #declared = 0;

  constructor(kinds: KnownKinds) {
    this.#kinds = kinds;
  }

  kindsFor({ group, version, resource }: GroupVersionResource): readonly GroupVersionKind[] {
    const name = resource.toLowerCase();
    return this.#kinds.all.filter(
      (known) =>
        known.servedByDefault &&
        (group === '' || known.group === group) &&
        (version === '' || known.version === version) &&
        (known.resource === name || known.kind.toLowerCase() === name),
    );
  }

  declare(kind: GroupVersionKind): Type | undefined {
    const schema = this.#schemaOf(kind);
    this.#declared += 1;
    return schema && (declareSchema(this.types, `${kind.kind}${this.#declared}`, schema, true) ?? DYN);
  }

  #schemaOf(kind: GroupVersionKind): TypedSchema | undefined {
    const { catalog } = this.#kinds;
    const custom = this.#kinds.customSchema(kind);
    const metadata = catalog.struct('meta/v1.ObjectMeta');
    if (custom !== undefined && metadata !== undefined) return withMetadata(custom, publishedSchema(metadata));
    const struct = catalog.structForKind(kind);
    return struct && publishedSchema(struct);
  }
}

/** Custom resources are published with what all objects have (apiextensions `pkg/controller/openapi/builder`). */
function withMetadata(schema: TypedSchema, metadata: TypedSchema): TypedSchema {
  const { type, values, intOrString, preserveUnknownFields, embeddedResource, items, additionalProperties } = schema;
  const properties = new Map(schema.properties)
    .set('apiVersion', TEXT_SCHEMA)
    .set('kind', TEXT_SCHEMA)
    .set('metadata', metadata);
  return {
    type,
    values,
    intOrString,
    preserveUnknownFields,
    embeddedResource,
    items,
    additionalProperties,
    properties,
  };
}
