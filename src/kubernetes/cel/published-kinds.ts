// The kinds of a cluster with the types of its published schemas, as the API server's type checker uses them.
import { DYN, type Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import { publishedSchema } from '../schema/struct-schema.ts';
import { DeclaredTypes } from './declared-types.ts';
import type { KnownKinds } from './known-kinds.ts';
import { declareSchema, TEXT_SCHEMA, type TypedSchema } from './schema-types.ts';

export interface TypedKinds {
  /** The kinds that a RESTMapper returns for a resource name, plural or singular; in all groups and versions if none is given. */
  kindsFor(resource: GroupVersionResource): readonly GroupVersionKind[];
  /**
   * Returns a new type on every call, named after the kind and a number; upstream uses nanoseconds of the clock
   * instead. Undefined if the kind has no schema, `dyn` if the schema has no type.
   */
  declare(kind: GroupVersionKind): Type | undefined;
  /** Provides the declared types. */
  readonly types: TypeProvider;
}

/** For a server with the default API versions. */
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

/** Published schemas of custom resources include the metadata of all objects (apiextensions `pkg/controller/openapi/builder`). */
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
