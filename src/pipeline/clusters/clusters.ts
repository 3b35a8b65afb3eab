// Which clusters a repository is applied to, as far as its controllers say, and what belongs to which: without being told.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { OWN_CLUSTER_ADDRESS, type RenderedRoot } from '../../render/sources/rendered-root.ts';
import { baseName, folderOf } from '../../source/text/repository-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { FoundResource } from '../state/read-repository.ts';
import { clusterFolders, type Head } from './cluster-folders.ts';
import { contentOf } from './contradictions.ts';

export interface DerivedCluster {
  readonly name: string;
  /** What told of it, for people: `folder clusters/staging`, `destination https://…`. */
  readonly from: string;
}

/** More clusters are not told apart: what belongs to none of them is judged in each. */
export const MAXIMUM_CLUSTERS = 100;

/** Folders that hold one folder for each cluster, by the convention of Flux. */
const CLUSTERS_FOLDER = 'clusters';

interface ClustersInput {
  /** Every path of the repository: folders are the same however little is read of them. */
  readonly paths: ReadonlySet<string>;
  readonly resources: readonly FoundResource[];
  readonly roots: readonly RenderedRoot[];
  /** True for what decides about other objects, and so must not be known in two ways. */
  isRule(resource: Resource): boolean;
}

export function clustersOf(input: ClustersInput): Clusters {
  return new Clusters(input);
}

export class Clusters {
  /** Sorted by name. Fewer than two: nothing has to be told apart. */
  readonly all: readonly DerivedCluster[];
  /** How many there are, where they are more than are told apart. */
  readonly tooMany: number;
  readonly #byFolder: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #byDestination: ReadonlyMap<string, string>;
  readonly #names: ReadonlySet<string>;
  /** By what was asked about: a root, or a file. */
  readonly #known = new Map<RenderedRoot | SourceFile, ReadonlySet<string> | undefined>();
  /** The cluster of controllers that lie in no cluster's folder; undefined where there are such folders, as it may be any of these. */
  readonly #own: string | undefined;
  /** Folders that have subfolders named like two clusters or more, as `overlays` with `staging` and `production`. */
  readonly #environments: ReadonlySet<string>;

  constructor({ paths, resources, roots, isRule }: ClustersInput) {
    this.#byDestination = destinationNames(roots);
    const declared = declaredFolders(roots);
    const folders = tellClusters(roots) ? declared : overlayFolders(overlayHeads(resources, isRule));
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

  /** True for what is applied to the cluster, and for what nobody says where it is applied. */
  holds(name: string, found: FoundResource, isPolicy: boolean): boolean {
    return this.namesOf(found, isPolicy)?.has(name) ?? true;
  }

  /** Clusters that something is applied to; undefined if it may be any. Policies that nothing applies are for all. */
  namesOf(found: FoundResource, isPolicy: boolean): ReadonlySet<string> | undefined {
    if (this.all.length === 0 || (isPolicy && found.root === undefined)) return undefined;
    // The same for all that one root applies, and asked for every cluster.
    const whole = found.root ?? found.resource.manifest.file;
    if (this.#known.has(whole)) return this.#known.get(whole);
    const names = this.#findNames(found);
    this.#known.set(whole, names);
    return names;
  }

  /** Whether one of the paths is in the folder of an environment that it is not in for the other. */
  placesElsewhere(paths: Iterable<string>, other: Clusters): boolean {
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

/** True if controllers tell the clusters apart, so that overlays are not asked. */
export function tellClusters(roots: readonly RenderedRoot[]): boolean {
  return declaredFolders(roots).leaves.length > 0 || destinationNames(roots).size > 0;
}

function declaredFolders(roots: readonly RenderedRoot[]): ReturnType<typeof clusterFolders> {
  return clusterFolders(declaredHeads(roots), conventionalFolders(roots));
}

/**
 * Flux Kustomizations and objects of Argo CD that nothing else declares, each in its folder. Two of one name are for two clusters
 * if they are laid out alike; a bootstrap and what takes over from it may name one thing both.
 */
function declaredHeads(roots: readonly RenderedRoot[]): readonly Head[] {
  return roots.flatMap((root) => {
    if (root.entry === undefined || isRemote(root) || !isEntryPoint(root) || !isOfRepository(root)) return [];
    const steps = root.entry.split('/');
    return [{ key: [root.name, steps.length, steps.at(-1)].join('\0'), folder: folderOf(root.entry) }];
  });
}

function isEntryPoint({ name, declaredBy }: RenderedRoot): boolean {
  const isTop =
    declaredBy.length === 0 || (declaredBy.length === 1 && declaredBy[0]?.startsWith('kustomization ') === true);
  return isTop && /^(?:Flux Kustomization|Application|ApplicationSet) /.test(name);
}

/** `clusters/<name>` with what applies the folder it lies in; where nothing does, with anything that a controller acts on. */
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

/**
 * Overlays of one base that give one Namespace, param, policy or definition in different versions: kustomizations that no
 * controller names, each for a cluster of its own.
 */
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

/**
 * Folders of one last name are one environment. None if some lie in others: what is for `production` is for `production/eu` too, or
 * it is not, and a wrong guess would keep policies from what they are for.
 */
function overlayFolders(heads: readonly Head[]): ReturnType<typeof clusterFolders> {
  const folders = clusterFolders(heads, new Set(), 'together');
  const isFlat = folders.namesByFolder.size === folders.leaves.flatMap(({ paths }) => paths).length;
  return isFlat ? folders : clusterFolders([], new Set());
}

function headOf({ entry, location }: RenderedRoot): string {
  return entry ?? location.file.path;
}

/** False for what lies elsewhere: of a cluster that gets nothing from here there is nothing to judge. */
function isOfRepository({ failure }: RenderedRoot): boolean {
  return failure?.reason !== 'unknown-source';
}

function isRemote({ destination }: RenderedRoot): boolean {
  return destination !== undefined && destination !== OWN_CLUSTER_ADDRESS;
}

/** By destination: its own name, or the host of its address where no other has that. */
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

/** Folders with at least two subfolders that have the names of clusters. */
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
