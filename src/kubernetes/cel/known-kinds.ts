// The kinds of a cluster with a known schema, and the run-time types of their objects.
import type { Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import { type GroupVersionKind, type GroupVersionResource, kindKey } from '../api/group-version.ts';
import type { Cluster, CustomKind } from '../cluster/cluster.ts';
import { builtinResources } from '../schema/resources.ts';
import { SchemaCatalog } from '../schema/schema-catalog.ts';
import { OpenApiSchema } from './openapi-schema.ts';
import { RunTimeTypes } from './run-time-types.ts';
import type { TypedSchema } from './schema-types.ts';

export interface KnownKind extends GroupVersionKind, GroupVersionResource {
  readonly namespaced: boolean;
  /** False for versions that a cluster serves only if they are enabled. */
  readonly servedByDefault: boolean;
  /** True for the preferred version of the resource. */
  readonly isPreferred: boolean;
  /** Kind of the request body of each subresource. */
  readonly subresources: ReadonlyMap<string, GroupVersionKind>;
}

/** Keep it for one run. */
export class KnownKinds {
  readonly catalog: SchemaCatalog;
  readonly #customKinds: ReadonlyMap<string, CustomKind>;
  readonly #runTimeTypes: RunTimeTypes;
  readonly #types = new Map<string, Type | undefined>();
  /** Built-in kinds first. */
  readonly all: readonly KnownKind[];

  constructor(cluster: Cluster) {
    const { minor } = cluster.version;
    const custom = [...cluster.customKinds()];
    this.catalog = new SchemaCatalog(minor);
    this.#customKinds = new Map(custom.map((kind) => [kindKey(kind), kind]));
    this.#runTimeTypes = new RunTimeTypes(this.catalog);
    this.all = withPreference([
      ...builtinResources(minor).all(),
      ...custom.map((kind) => ({ ...kind, servedByDefault: true, subresources: new Map() })),
    ]);
  }

  /** Provides the types of objects. */
  get types(): TypeProvider {
    return this.#runTimeTypes.types;
  }

  /** Undefined for kinds without a schema. */
  objectType(kind: GroupVersionKind): Type | undefined {
    const key = kindKey(kind);
    if (!this.#types.has(key)) {
      const schema = this.customSchema(kind);
      const type = schema === undefined ? this.#runTimeTypes.builtin(kind) : this.#runTimeTypes.custom(kind, schema);
      this.#types.set(key, type);
    }
    return this.#types.get(key);
  }

  /** True for fields that the conversion to JSON always writes. */
  isAlwaysThere(object: Type, field: string): boolean {
    return this.catalog.struct(object.name)?.alwaysWritten.some(({ name }) => name === field) ?? false;
  }

  /** Undefined for built-in kinds and for kinds without a schema. */
  customSchema(kind: GroupVersionKind): TypedSchema | undefined {
    const schema = this.#customKinds.get(kindKey(kind))?.schema;
    return schema && new OpenApiSchema(new Map(), schema);
  }
}

/** The preferred version is the first one of a resource that is served by default. */
function withPreference(kinds: readonly Omit<KnownKind, 'isPreferred'>[]): readonly KnownKind[] {
  const seen = new Set<string>();
  return kinds.map((kind) => {
    const name = `${kind.group}/${kind.resource}`;
    const isPreferred = kind.servedByDefault && !seen.has(name);
    if (isPreferred) seen.add(name);
    return { ...kind, isPreferred };
  });
}
