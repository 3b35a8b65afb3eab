// Derives the clusters that a repository is applied to, and which resources belong to which, without configuration.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { OWN_CLUSTER_ADDRESS, type RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { baseName, folderOf } from '../../source/text/repository-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { contentOf } from '../state/object-content.ts';
import type { FoundResource } from '../state/read-repository.ts';
import { clusterFolders, type Head } from './cluster-folders.ts';

export interface DerivedCluster {
  readonly name: string;
  /** Where the cluster was found, for people: `folder clusters/staging`, `destination https://…`. */
  readonly from: string;
}

/** With more clusters, all resources are treated as one cluster's. */
export const MAXIMUM_CLUSTERS = 100;

/** By the convention of Flux, contains one folder for each cluster. */
const CLUSTERS_FOLDER = 'clusters';

interface ClustersInput {
  /** Every path of the repository, so that the folders do not depend on which files are read. */
  readonly paths: ReadonlySet<string>;
  readonly resources: readonly FoundResource[];
  readonly roots: readonly RenderedRoot[];
  /** True if the resource decides about other objects, so that two versions of it contradict each other. */
  isRule(resource: Resource): boolean;
}

export function clustersOf(input: ClustersInput): Clusters {
  return new Clusters(input);
}

export class Clusters {
  /** Sorted by name. With fewer than two clusters, every resource belongs to the one target. */
  readonly all: readonly DerivedCluster[];
  /** Number of clusters if it exceeds the maximum, else 0. */
  readonly tooMany: number;
  readonly #byFolder: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #byDestination: ReadonlyMap<string, string>;
  readonly #names: ReadonlySet<string>;
  /** By root, or by file for a resource that is not rendered. */
  readonly #known = new Map<RenderedRoot | SourceFile, ReadonlySet<string> | undefined>();
  /**
   * The cluster of controllers outside all folders of clusters. Undefined if such folders exist, because it may be any of their clusters.
   */
  readonly #own: string | undefined;
  /** Folders with subfolders named like two or more clusters, such as `overlays` with `staging` and `production`. */
  readonly #environments: ReadonlySet<string>;

  constructor({ paths, resources, roots, isRule }: ClustersInput) {
    this.#byDestination = destinationNames(roots);
    const declared = declaredFolders(roots);
    const folders = haveDeclaredClusters(roots) ? declared : overlayFolders(overlayHeads(resources, isRule));
    const clusters = new Map<string, DerivedCluster>();
    for (const { name, paths } of folders.leaves) {
      clusters.set(name, { name, from: `${paths.length === 1 ? 'folder' : 'folders'} ${listed(paths)}` });
    }
    for (const [destination, name] of this.#byDestination) {
      if (!clusters.has(name)) clusters.set(name, { name, from: `destination ${destination}` });
    }
    const hasOwn =
      folders.leaves.length === 0 &&
      roots.some((root) => root.entry !== undefined && !isRemote(root) && isOfRepository(root));
    this.#own = hasOwn && clusters.size > 0 ? 'in-cluster' : undefined;
    if (this.#own !== undefined)
      clusters.set(this.#own, { name: this.#own, from: `destination ${OWN_CLUSTER_ADDRESS}` });
    this.tooMany = clusters.size > MAXIMUM_CLUSTERS ? clusters.size : 0;
    this.all = this.tooMany > 0 ? [] : [...clusters.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    this.#names = new Set(this.all.map(({ name }) => name));
    this.#byFolder = folders.namesByFolder;
    this.#environments = environmentFolders(paths, this.#names);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** True also for a resource whose cluster is unknown. */
  holds(name: string, found: FoundResource, isPolicy: boolean): boolean {
    return this.namesOf(found, isPolicy)?.has(name) ?? true;
  }

  /** The clusters that the resource is applied to; undefined if it may be any. A policy that no root applies belongs to all clusters. */
  namesOf(found: FoundResource, isPolicy: boolean): ReadonlySet<string> | undefined {
    if (this.all.length === 0 || (isPolicy && found.root === undefined)) return undefined;
    // Cached, because all resources of a root have the same clusters, and every cluster asks.
    const whole = found.root ?? found.resource.manifest.file;
    if (this.#known.has(whole)) return this.#known.get(whole);
    const names = this.#findNames(found);
    this.#known.set(whole, names);
    return names;
  }

  /** The clusters of the folders that a path is in; undefined if no folder is a cluster's. */
  namesAbove(path: string): ReadonlySet<string> | undefined {
    const environment = this.#environmentOf(path);
    return this.#namesAt(path) ?? (environment === undefined ? undefined : new Set([environment]));
  }

  /** True if one of the paths belongs to different environments in the two. */
  movesAny(paths: Iterable<string>, other: Clusters): boolean {
    const [one, another] = [this.#environments, other.#environments];
    if (one.size === another.size && [...one].every((folder) => another.has(folder))) return false;
    for (const path of paths) if (this.#environmentOf(path) !== other.#environmentOf(path)) return true;
    return false;
  }

  #findNames({ root, resource }: FoundResource): ReadonlySet<string> | undefined {
    if (root !== undefined && isRemote(root)) {
      const name = this.#byDestination.get(root.destination ?? '');
      if (name !== undefined) return new Set([name]);
    }
    const path = root === undefined ? resource.manifest.file.path : headOf(root);
    const inFolder = this.#namesAt(path);
    if (inFolder !== undefined) return inFolder;
    if (root?.entry !== undefined && this.#own !== undefined) return new Set([this.#own]);
    const environment = this.#environmentOf(path);
    return environment === undefined ? undefined : new Set([environment]);
  }

  #namesAt(path: string): ReadonlySet<string> | undefined {
    for (let folder = path; folder !== '.' && folder !== '/'; folder = folderOf(folder)) {
      const names = this.#byFolder.get(folder);
      if (names !== undefined) return names;
    }
    return this.#byFolder.get('.');
  }

  #environmentOf(path: string): string | undefined {
    for (let folder = path; folder !== '.' && folder !== '/'; folder = folderOf(folder)) {
      if (this.#names.has(baseName(folder)) && this.#environments.has(folderOf(folder))) return baseName(folder);
    }
    return undefined;
  }
}

/** True if controllers distinguish the clusters, so that overlays are not considered. */
export function haveDeclaredClusters(roots: readonly RenderedRoot[]): boolean {
  return declaredFolders(roots).leaves.length > 0 || destinationNames(roots).size > 0;
}

function declaredFolders(roots: readonly RenderedRoot[]): ReturnType<typeof clusterFolders> {
  return clusterFolders(declaredHeads(roots), conventionalFolders(roots));
}

/**
 * FluxInstances, Flux Kustomizations and Argo CD objects that no other root declares, each with its folder. Two with the same name are two clusters if
 * their paths are alike. A bootstrap root and the root that replaces it may both declare the same name.
 */
function declaredHeads(roots: readonly RenderedRoot[]): readonly Head[] {
  return roots.flatMap((root) => {
    if (root.entry === undefined || isRemote(root) || !isEntryPoint(root) || !isOfRepository(root)) return [];
    const steps = root.entry.split('/');
    return [{ key: [root.name, steps.length, steps.at(-1)].join('\0'), folder: folderOf(root.entry) }];
  });
}

/** A FluxInstance that its own `sync` applies again is the start of its chain. */
function isEntryPoint({ name, declaredBy }: RenderedRoot): boolean {
  const [first] = declaredBy;
  const isTop =
    first === undefined || first === name || (declaredBy.length === 1 && first.startsWith('kustomization '));
  return isTop && /^(?:FluxInstance|Flux Kustomization|Application|ApplicationSet) /.test(name);
}

/** `clusters/<name>` folders with an entry point that applies its own folder. If there is none, those with any entry point. */
function conventionalFolders(roots: readonly RenderedRoot[]): ReadonlySet<string> {
  const entered = roots.filter((root) => !isRemote(root) && isEntryPoint(root) && clusterFolder(root) !== undefined);
  const bootstraps = entered.filter(({ entry = '', inputs }) => inputs.has(entry));
  const found = (bootstraps.length > 0 ? bootstraps : entered).map((root) => clusterFolder(root) ?? '.');
  return new Set(found);
}

function clusterFolder({ entry = '' }: RenderedRoot): string | undefined {
  const steps = entry.split('/');
  const index = steps.indexOf(CLUSTERS_FOLDER);
  return index < 0 || index + 2 >= steps.length ? undefined : steps.slice(0, index + 2).join('/');
}

/** Overlays of one base with different versions of a rule, which no controller refers to. Each is a cluster of its own. */
function overlayHeads(resources: readonly FoundResource[], isRule: (resource: Resource) => boolean): readonly Head[] {
  const byIdentity = new Map<string, Map<RenderedRoot, Resource>>();
  for (const { root, resource } of resources) {
    if (root === undefined || root.entry !== undefined || resource.name === '' || !isRule(resource)) continue;
    const { gvk, namespace, name } = resource;
    const identity = [gvk.group, gvk.kind, namespace, name].join('\0');
    const same = byIdentity.get(identity);
    if (same === undefined) byIdentity.set(identity, new Map([[root, resource]]));
    else same.set(root, resource);
  }
  return [...byIdentity].flatMap(([key, found]) => {
    if (found.size < 2) return [];
    const counts = new Map<string, number>();
    for (const { reach } of found.keys()) {
      for (const file of reach.files) counts.set(file, (counts.get(file) ?? 0) + 1);
    }
    const overlays = [...found.keys()].filter(({ reach }) =>
      [...reach.files].some((file) => (counts.get(file) ?? 0) > 1),
    );
    if (overlays.length < 2) return [];
    const texts = new Set(overlays.map((root) => contentOf(found.get(root) as Resource)));
    return texts.size < 2 ? [] : overlays.map((root) => ({ key, folder: headOf(root) }));
  });
}

/** Folders with the same last name are one environment. None if folders are nested, because a wrong guess would skip policies. */
function overlayFolders(heads: readonly Head[]): ReturnType<typeof clusterFolders> {
  const folders = clusterFolders(heads, new Set(), 'together');
  const isFlat = folders.namesByFolder.size === folders.leaves.flatMap(({ paths }) => paths).length;
  return isFlat ? folders : clusterFolders([], new Set());
}

function headOf({ entry, location }: RenderedRoot): string {
  return entry ?? location.file.path;
}

/** False for a root whose source is in another repository: there is nothing to evaluate. */
function isOfRepository({ failure }: RenderedRoot): boolean {
  return failure?.reason !== 'unknown-source' && failure?.reason !== 'other-revision';
}

function isRemote({ destination }: RenderedRoot): boolean {
  return destination !== undefined && destination !== OWN_CLUSTER_ADDRESS;
}

/** The name of each destination, or the host of its address if no other destination has that host. */
function destinationNames(roots: readonly RenderedRoot[]): ReadonlyMap<string, string> {
  const known = roots.filter((root) => isRemote(root) && isOfRepository(root));
  const destinations = new Set(known.map(({ destination = '' }) => destination));
  const names = new Map([...destinations].map((destination) => [destination, shortName(destination)]));
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    [...names].map(([destination, name]) => [
      destination,
      (counts.get(name) ?? 0) > 1 ? destination.replace(/[^A-Za-z0-9._-]+/g, '-') : name,
    ]),
  );
}

function shortName(destination: string): string {
  const [, host] = /^[a-z]+:\/\/([^/:]+)/i.exec(destination) ?? [];
  return (host ?? destination.slice(destination.lastIndexOf('/') + 1)).replace(/[^A-Za-z0-9._-]+/g, '-');
}

function environmentFolders(paths: Iterable<string>, names: ReadonlySet<string>): ReadonlySet<string> {
  if (names.size === 0) return new Set();
  const found = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const path of paths) {
    for (
      let folder = folderOf(path);
      folder !== '.' && folder !== '/' && !seen.has(folder);
      folder = folderOf(folder)
    ) {
      seen.add(folder);
      const name = baseName(folder);
      if (!names.has(name)) continue;
      const above = folderOf(folder);
      const known = found.get(above);
      if (known === undefined) found.set(above, new Set([name]));
      else known.add(name);
    }
  }
  return new Set([...found].flatMap(([folder, inside]) => (inside.size > 1 ? [folder] : [])));
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}
