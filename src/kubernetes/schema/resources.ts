// The kinds and resources that kube-apiserver itself serves, per release: plural, scope, subresources, equivalents.
import {
  formatApiVersion,
  formatGroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  kindKey,
  parseApiVersion,
  sameResource,
} from '../api/group-version.ts';
import { isServed } from './minor-range.ts';
import table from './resources.generated.json' with { type: 'json' };

export interface BuiltinResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural. */
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** False for alpha and beta versions, which a cluster serves only with `--runtime-config`. */
  readonly servedByDefault: boolean;
  /** Kind of the request body of each subresource: `scale` of deployments takes autoscaling/v1 Scale. */
  readonly subresources: ReadonlyMap<string, GroupVersionKind>;
}

/** Beta versions that are still on by default: `legacyBetaEnabledByDefaultResources` of pkg/controlplane/instance.go. */
const LEGACY_BETAS: ReadonlyMap<string, { readonly lastMinor: number }> = new Map([
  ['flowcontrol.apiserver.k8s.io/v1beta2', { lastMinor: 28 }],
  ['flowcontrol.apiserver.k8s.io/v1beta3', { lastMinor: 31 }],
]);

/**
 * Resources of different groups that share their storage, in the order of the server's installation (`AddCohabitatingResources` in
 * pkg/kubeapiserver/default_storage_factory_builder.go; `extensions` is no longer served).
 */
const COHABITING: readonly (readonly string[])[] = [['/events', 'events.k8s.io/events']];

const RELEASES = new Map<number, BuiltinResources>();

/** The names of a resource in any release, lower-case: plural, singular, short names. Empty for other kinds. */
export function builtinNames(group: string, kind: string): readonly string[] {
  for (const line of table.resources) {
    const [apiVersion = '', resource = '', served = ''] = line.split(' ');
    if (served !== kind || parseApiVersion(apiVersion)?.group !== group) continue;
    const start = `${formatGroupResource(group, resource)} `;
    const short = table.shortNames.find((each) => each.startsWith(start))?.slice(start.length);
    return [resource, kind.toLowerCase(), ...(short?.split(' ') ?? [])];
  }
  return [];
}

/** The built-in resources of a release. Parses its table of about 150 lines once. */
export function builtinResources(minor: number): BuiltinResources {
  let known = RELEASES.get(minor);
  if (known === undefined) {
    known = new BuiltinResources(minor);
    RELEASES.set(minor, known);
  }
  return known;
}

export class BuiltinResources {
  readonly #byKind = new Map<string, BuiltinResource>();
  readonly #byResource = new Map<string, BuiltinResource>();
  /** Versions of a resource in the server's order of preference, by `group/resource`. */
  readonly #byStorage = new Map<string, BuiltinResource[]>();
  readonly #groups = new Set<string>();

  constructor(minor: number) {
    for (const line of table.resources) {
      const entry = parseLine(line, minor);
      if (entry !== undefined) this.#add(entry);
    }
  }

  /** Every resource of the release; core first, then by group, preferred version and name. */
  all(): Iterable<BuiltinResource> {
    return this.#byKind.values();
  }

  /** True for groups that the server itself serves; kinds of other groups are custom or aggregated. */
  isBuiltinGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  resourceForKind(kind: GroupVersionKind): BuiltinResource | undefined {
    return this.#byKind.get(kindKey(kind));
  }

  resource(resource: GroupVersionResource): BuiltinResource | undefined {
    return this.#byResource.get(resourceKey(resource));
  }

  /** Kind of the request body for the resource or one of its subresources (`KindFor` of the server's equivalence registry). */
  kindForResource(resource: GroupVersionResource, subresource = ''): GroupVersionKind | undefined {
    const entry = this.resource(resource);
    if (entry === undefined || subresource === '') return entry && kindOf(entry);
    return entry.subresources.get(subresource);
  }

  /**
   * The versions in which a default server serves the same stored object, including this one, in registration order.
   * With a subresource, only versions that have it (`EquivalentResourcesFor` of apimachinery/pkg/runtime/mapper.go).
   */
  equivalents(resource: GroupVersionResource, subresource = ''): readonly BuiltinResource[] {
    const name = `${resource.group}/${resource.resource}`;
    const storage = COHABITING.find((names) => names.includes(name)) ?? [name];
    return storage
      .flatMap((key) => this.#byStorage.get(key) ?? [])
      .filter((entry) => entry.servedByDefault || sameResource(entry, resource))
      .filter((entry) => subresource === '' || entry.subresources.has(subresource));
  }

  #add(entry: BuiltinResource): void {
    this.#byKind.set(kindKey(entry), entry);
    this.#byResource.set(resourceKey(entry), entry);
    this.#groups.add(entry.group);
    const name = `${entry.group}/${entry.resource}`;
    const versions = this.#byStorage.get(name);
    if (versions === undefined) this.#byStorage.set(name, [entry]);
    else versions.push(entry);
  }
}

function resourceKey({ group, version, resource }: GroupVersionResource): string {
  return `${formatApiVersion(group, version)} ${resource}`;
}

function kindOf({ group, version, kind }: BuiltinResource): GroupVersionKind {
  return { group, version, kind };
}

/** Parses one line of the table; undefined if the release does not serve it. The table itself names its columns. */
function parseLine(line: string, minor: number): BuiltinResource | undefined {
  const [apiVersion = '', resource = '', kind = '', scope, minors = '', ...rest] = line.split(' ');
  const groupVersion = parseApiVersion(apiVersion);
  if (groupVersion === undefined || !isServed(minors, minor)) return undefined;
  return {
    group: groupVersion.group,
    version: groupVersion.version,
    kind,
    resource,
    singular: kind.toLowerCase(),
    namespaced: scope === 'n',
    servedByDefault: isServedByDefault(apiVersion, groupVersion.version, minor),
    subresources: parseSubresources(rest, groupVersion, minor),
  };
}

function parseSubresources(
  columns: readonly string[],
  parent: { readonly group: string; readonly version: string },
  minor: number,
): Map<string, GroupVersionKind> {
  const subresources = new Map<string, GroupVersionKind>();
  for (const column of columns) {
    const [description = '', minors] = column.split('@');
    if (minors !== undefined && !isServed(minors, minor)) continue;
    const [subresource = '', taken = ''] = description.split('=');
    const [kind = '', apiVersion] = taken.split(':');
    const groupVersion = apiVersion === undefined ? parent : (parseApiVersion(apiVersion) ?? parent);
    subresources.set(subresource, { group: groupVersion.group, version: groupVersion.version, kind });
  }
  return subresources;
}

function isServedByDefault(apiVersion: string, version: string, minor: number): boolean {
  return /^v\d+$/.test(version) || minor <= (LEGACY_BETAS.get(apiVersion)?.lastMinor ?? 0);
}
