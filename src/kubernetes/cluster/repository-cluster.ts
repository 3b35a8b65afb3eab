// The cluster that a set of files describes: the built-in kinds of a release and the contents of the files.
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { AccessRule } from '../access/access.ts';
import {
  formatApiVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  kindKey,
  sameKind,
} from '../api/group-version.ts';
import type { Resource } from '../api/resource.ts';
import type { KubernetesVersion } from '../api/version.ts';
import { RunBudget } from '../request/run-budget.ts';
import { isRenamed } from '../schema/renamed-versions.ts';
import type { BuiltinResources } from '../schema/resources.ts';
import { convertVersion } from '../schema/version-conversion.ts';
import { type LabelSelector, labelsOf, selectorMatches } from '../selector/label-selector.ts';
import { METADATA_NAME_LABEL } from '../selector/open-labels.ts';
import {
  type Cluster,
  type CompleteObjects,
  type CustomKind,
  isCompleteKind,
  type NamespaceFact,
  type ResourceMapping,
  type StoredObject,
} from './cluster.ts';
import { type CustomResource, hasSubResource, readCustomResources } from './custom-resources.ts';

const NAMESPACE: GroupVersionKind = { group: '', version: 'v1', kind: 'Namespace' };
/** The kind of the `scale` subresource of every custom kind and version. */
const SCALE: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

export interface RepositoryClusterOptions {
  readonly version: KubernetesVersion;
  readonly builtin: BuiltinResources;
  /** All resources in the files, in repository order. Of two objects with the same identity, the first one wins. */
  readonly resources: readonly Resource[];
  /** The object as the API server stores it. */
  readonly stored: (resource: Resource, mapping: ResourceMapping) => JsonObject;
  /** Fields whose values the repository does not contain. Default: none. */
  readonly openPaths?: (resource: Resource, mapping: ResourceMapping) => readonly FieldPath[];
  /** Namespace of namespaced objects without one. */
  readonly defaultNamespace: string;
  /** True if the cluster has no other objects. */
  readonly isComplete: boolean;
  /** If `isComplete` is false: the kinds of which the files contain all objects. */
  readonly complete?: readonly CompleteObjects[];
  /** Names of Namespaces that only the judged change defines. */
  readonly claimedNamespaces?: ReadonlySet<string>;
  readonly accessRules?: readonly AccessRule[];
  readonly featureGates?: ReadonlyMap<string, boolean>;
  /** Converts an object to another version as the server does; absent or undefined: unknown. */
  readonly convert?: (object: JsonObject, to: GroupVersionKind) => JsonObject | undefined;
  /** Absent: a budget of its own with the default limit of a run. */
  readonly work?: RunBudget;
}

export class RepositoryCluster implements Cluster {
  readonly work: RunBudget;
  readonly version: KubernetesVersion;
  readonly isComplete: boolean;
  readonly accessRules: readonly AccessRule[];
  readonly featureGates: ReadonlyMap<string, boolean>;
  readonly #builtin: BuiltinResources;
  readonly #options: RepositoryClusterOptions;
  readonly #customByKind = new Map<string, CustomResource>();
  readonly #customByStorage = new Map<string, CustomResource>();
  readonly #byKind = new Map<string, Resource[]>();
  /** Kinds with at least one object that sets a namespace. */
  readonly #namespacedKinds = new Set<string>();
  readonly #namespaces = new Map<string, NamespaceFact>();
  #namespaceResources: ReadonlyMap<string, Resource> | undefined;
  readonly #stored = new Map<string, readonly StoredObject[]>();
  /** Stored objects by name. */
  readonly #storedByName = new Map<string, ReadonlyMap<string, StoredObject>>();
  /** Objects of a kind, in any version, by namespace. */
  readonly #grouped = new Map<string, { get(namespace: string): readonly Resource[] | undefined }>();
  /** Keyed by the selector's source object. */
  readonly #selected = new Map<JsonObject, Map<string, readonly StoredObject[]>>();
  readonly #equivalents = new Map<string, readonly GroupVersionResource[]>();

  constructor(options: RepositoryClusterOptions) {
    this.work = options.work ?? new RunBudget();
    this.version = options.version;
    this.isComplete = options.isComplete;
    this.accessRules = options.accessRules ?? [];
    this.featureGates = options.featureGates ?? new Map();
    this.#builtin = options.builtin;
    this.#options = options;
    for (const resource of options.resources) {
      const key = kindKey(resource.gvk);
      const sameKind = this.#byKind.get(key);
      if (sameKind === undefined) this.#byKind.set(key, [resource]);
      else sameKind.push(resource);
      if (resource.namespace !== '') this.#namespacedKinds.add(key);
      for (const custom of readCustomResources(resource)) this.#addCustomResource(custom);
    }
  }

  holdsAll(gvk: GroupVersionKind, namespace: string): boolean {
    return this.isComplete || isCompleteKind(this.#options.complete ?? [], gvk, namespace);
  }

  namespace(name: string): NamespaceFact {
    let fact = this.#namespaces.get(name);
    if (fact === undefined) {
      fact = this.#findNamespace(name);
      this.#namespaces.set(name, fact);
    }
    return fact;
  }

  mappingFor(gvk: GroupVersionKind): ResourceMapping {
    const builtin = this.#builtin.resourceForKind(gvk);
    if (builtin !== undefined)
      return { resource: resourceOf(builtin), namespaced: builtin.namespaced, origin: 'builtin' };
    const custom = this.#customByKind.get(kindKey(gvk));
    if (custom !== undefined) {
      return { resource: resourceOf(custom), namespaced: custom.namespaced, origin: 'custom-resource-definition' };
    }
    const { group, version, kind } = gvk;
    const resource = { group, version, resource: conventionalPlural(kind) };
    const namesNamespace = this.#namespacedKinds.has(kindKey(gvk));
    return { resource, namespaced: namesNamespace || !kind.startsWith('Cluster'), origin: 'conventional' };
  }

  /** Only the server itself serves kinds in its own groups; custom and aggregated kinds use other groups. */
  isAllKnownOf(group: string): boolean {
    return this.isComplete || this.#builtin.isBuiltinGroup(group);
  }

  equivalentResources(resource: GroupVersionResource, subResource: string): readonly GroupVersionResource[] {
    const key = `${resource.group}/${resource.version}/${resource.resource}/${subResource}`;
    let equivalents = this.#equivalents.get(key);
    if (equivalents === undefined) {
      const custom = this.#customByStorage.get(storageKey(resource));
      equivalents =
        custom === undefined
          ? this.#builtin.equivalents(resource, subResource).map(resourceOf)
          : equivalentVersions(custom, subResource);
      this.#equivalents.set(key, equivalents);
    }
    return equivalents;
  }

  kindFor(resource: GroupVersionResource, subResource: string): GroupVersionKind | undefined {
    const custom = this.#customByStorage.get(storageKey(resource));
    if (custom === undefined) return this.#builtin.kindForResource(resource, subResource);
    const isDefined = equivalentVersions(custom, subResource).some(({ version }) => version === resource.version);
    if (!isDefined) return undefined;
    return subResource === 'scale' ? SCALE : { group: custom.group, version: resource.version, kind: custom.kind };
  }

  convert(object: JsonObject, from: GroupVersionKind, to: GroupVersionKind): JsonObject | undefined {
    if (sameKind(from, to)) return object;
    if (!isRenamed(from, to) && !this.#isRenamedCustomResource(from, to)) {
      return convertVersion(object, from, to) ?? this.#options.convert?.(object, to);
    }
    return new Map(object).set('apiVersion', formatApiVersion(to.group, to.version));
  }

  customKinds(): Iterable<CustomKind> {
    return this.#customByKind.values();
  }

  objects(gvk: GroupVersionKind, namespace: string): readonly StoredObject[] {
    const key = `${kindKey(gvk)} ${namespace}`;
    let objects = this.#stored.get(key);
    if (objects === undefined) {
      const names = new Set<string>();
      objects = (this.#byNamespace(gvk).get(namespace) ?? [])
        .filter(({ name }) => !names.has(name) && names.add(name))
        .flatMap((resource) => {
          const mapping = this.mappingFor(resource.gvk);
          const object = this.convert(this.#options.stored(resource, mapping), resource.gvk, gvk);
          const isOpen = this.#openPaths(resource, mapping).length > 0;
          return object === undefined ? [] : [{ object, resource, isOpen }];
        });
      this.#stored.set(key, objects);
    }
    return objects;
  }

  namespacesWith(gvk: GroupVersionKind): readonly string[] {
    return [...new Set(this.#inAnyVersion(gvk).map((resource) => this.#namespaceOf(resource)))];
  }

  /** For cluster-scoped kinds, every namespace returns all objects. */
  #byNamespace(gvk: GroupVersionKind): { get(namespace: string): readonly Resource[] | undefined } {
    const key = kindKey(gvk);
    let grouped = this.#grouped.get(key);
    if (grouped === undefined) {
      const all = this.#inAnyVersion(gvk);
      const isNamespaced = all.map((resource) => this.mappingFor(resource.gvk).namespaced);
      if (isNamespaced.includes(false)) {
        const of = (namespace: string): readonly Resource[] =>
          all.filter((resource, index) => !isNamespaced[index] || this.#namespaceOf(resource) === namespace);
        grouped = { get: of };
      } else {
        const byNamespace = new Map<string, Resource[]>();
        for (const resource of all) {
          const namespace = this.#namespaceOf(resource);
          const others = byNamespace.get(namespace);
          if (others === undefined) byNamespace.set(namespace, [resource]);
          else others.push(resource);
        }
        grouped = byNamespace;
      }
      this.#grouped.set(key, grouped);
    }
    return grouped;
  }

  selectedObjects(
    gvk: GroupVersionKind,
    namespace: string,
    written: JsonObject,
    selector: LabelSelector,
  ): readonly StoredObject[] {
    const ofSelector = this.#selected.get(written) ?? new Map<string, readonly StoredObject[]>();
    this.#selected.set(written, ofSelector);
    const key = `${kindKey(gvk)} ${namespace}`;
    let selected = ofSelector.get(key);
    if (selected === undefined) {
      selected = this.objects(gvk, namespace).filter(({ object }) => selectorMatches(selector, labelsOf(object)));
      ofSelector.set(key, selected);
    }
    return selected;
  }

  object(gvk: GroupVersionKind, namespace: string, name: string): StoredObject | undefined {
    const key = `${kindKey(gvk)} ${namespace}`;
    let byName = this.#storedByName.get(key);
    if (byName === undefined) {
      byName = new Map(this.objects(gvk, namespace).map((stored) => [stored.resource.name, stored]));
      this.#storedByName.set(key, byName);
    }
    return byName.get(name);
  }

  /** The API can read an object in every version of its kind, not only in the version of the manifest. */
  #inAnyVersion(gvk: GroupVersionKind): readonly Resource[] {
    const { resource } = this.mappingFor(gvk);
    const others = this.equivalentResources(resource, '').flatMap((equivalent) => {
      const kind = this.kindFor(equivalent, '');
      if (kind === undefined || sameKind(kind, gvk) || this.mappingFor(kind).origin === 'conventional') return [];
      return this.#byKind.get(kindKey(kind)) ?? [];
    });
    return [...(this.#byKind.get(kindKey(gvk)) ?? []), ...others];
  }

  #isRenamedCustomResource(from: GroupVersionKind, to: GroupVersionKind): boolean {
    const source = this.#customByKind.get(kindKey(from));
    if (source?.conversion !== 'None' || source.group !== to.group || source.kind !== to.kind) return false;
    return source.versions.some(({ version }) => version === to.version);
  }

  #namespaceOf(resource: Resource): string {
    if (resource.namespace !== '') return resource.namespace;
    return resource.manifest.defaultNamespace ?? this.#options.defaultNamespace;
  }

  /** By name; of several, the first one wins. */
  #writtenNamespaces(): ReadonlyMap<string, Resource> {
    if (this.#namespaceResources === undefined) {
      const all = this.#byKind.get(kindKey(NAMESPACE)) ?? [];
      this.#namespaceResources = new Map(all.toReversed().map((resource) => [resource.name, resource]));
    }
    return this.#namespaceResources;
  }

  #findNamespace(name: string): NamespaceFact {
    const found = this.#writtenNamespaces().get(name);
    const object =
      found === undefined
        ? new Map<string, JsonValue>([
            ['apiVersion', 'v1'],
            ['kind', 'Namespace'],
            ['metadata', new Map([['name', name]])],
          ])
        : this.#options.stored(found, this.mappingFor(NAMESPACE));
    const labelled = withNameLabel(object, name);
    const isClaimed = found !== undefined && this.#options.claimedNamespaces?.has(name) === true;
    const openPaths = found === undefined ? [] : this.#openPaths(found, this.mappingFor(NAMESPACE));
    return { object: labelled, labels: labelsOf(labelled), resource: found, isClaimed, openPaths };
  }

  #openPaths(resource: Resource, mapping: ResourceMapping): readonly FieldPath[] {
    return this.#options.openPaths?.(resource, mapping) ?? [];
  }

  #addCustomResource(custom: CustomResource): void {
    if (!this.#customByKind.has(kindKey(custom))) this.#customByKind.set(kindKey(custom), custom);
    const key = storageKey(custom);
    if (!this.#customByStorage.has(key)) this.#customByStorage.set(key, custom);
  }
}

/** The server labels every Namespace with its name (`pkg/apis/core/v1/defaults.go: SetDefaults_Namespace`). */
function withNameLabel(object: JsonObject, name: string): JsonObject {
  const metadata = object.get('metadata');
  const fields = new Map(isJsonObject(metadata) ? metadata : []);
  const labels = fields.get('labels');
  fields.set('labels', new Map(isJsonObject(labels) ? labels : []).set(METADATA_NAME_LABEL, name));
  return new Map(object).set('metadata', fields);
}

function resourceOf({ group, version, resource }: GroupVersionResource): GroupVersionResource {
  return { group, version, resource };
}

/** With a subresource, only the versions that have it. */
function equivalentVersions(
  { group, resource, versions }: CustomResource,
  subResource: string,
): readonly GroupVersionResource[] {
  return versions
    .filter((version) => subResource === '' || hasSubResource(version, subResource))
    .map(({ version }) => ({ group, version, resource }));
}

function storageKey({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return `${group}/${resource}`;
}

/** apimachinery `meta.UnsafeGuessKindToResource`. */
export function conventionalPlural(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith('s')) return `${lower}es`;
  if (lower.endsWith('y')) return `${lower.slice(0, -1)}ies`;
  return `${lower}s`;
}
