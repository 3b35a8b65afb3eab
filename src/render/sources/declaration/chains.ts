// Chains of declarations: which of them start at a controller's root, and which files they take.
import { isSetAside } from '../../../inventory/aside.ts';
import { folderOf } from '../../../source/text/repository-path.ts';
import type { Build, UnknownPart } from '../controller.ts';
import { type KustomizationGraph, type Reach, reaches } from '../kustomization/kustomization-graph.ts';
import type { RenderedRoot } from '../root/rendered-root.ts';
import { FLUX_HELM_RELEASE, FLUX_KUSTOMIZATION } from './declared-kinds.ts';
import { PossiblePaths } from './possible-paths.ts';

/** What controllers apply, if a controller's root in the repository certainly applies files of it. */
export interface ControllerReach {
  /** False for a root that no controller's root leads to, nor may lead to. */
  reaches(root: RenderedRoot): boolean;
  /** True for a file that controllers apply or may apply, and for files beside a written controller's root. */
  takes(path: string): boolean;
  /** False for a file or root that is only a possible part of something unknown. */
  isCertain(of: RenderedRoot | string): boolean;
  /**
   * Name of the only declaration that may apply the root, if it applies at most one root for each cluster. No cluster has two roots with
   * one name. Overlays of one declaration count as one.
   */
  alternativeOf(root: RenderedRoot): string | undefined;
  /** Files that some of the roots read, or would read. False: none of these roots could be rendered. */
  inputsOf(isKept: (root: RenderedRoot) => boolean): ReadonlyMap<string, boolean>;
  /** Files with controllers' roots. */
  readonly starts: ReadonlySet<string>;
  /** The same if these files, as far as they exist, contain controllers' roots. */
  keeping(starts: ReadonlySet<string>): ControllerReach;
}

interface ChainsInput {
  readonly roots: readonly RenderedRoot[];
  /** Files that each root takes, without its declaration. */
  readonly reachOf: (root: RenderedRoot) => Reach | undefined;
  readonly graph: KustomizationGraph;
  readonly paths: ReadonlySet<string>;
  readonly inputsOf: ControllerReach['inputsOf'];
}

/** Everything that follows from one file. */
interface Chain {
  /** True if it contains a declaration that leads to further files, and not only to a release. */
  leads: boolean;
  /** True if a build certainly uses files of this repository. */
  isOfRepository: boolean;
  /** True if a declaration applies its own file, as after `flux bootstrap`. */
  isOwn: boolean;
  /** True if the chain starts at an object in a file. */
  isWritten: boolean;
  /** True if that object is of Flux, whose folders include all folders below. */
  isFlux: boolean;
  readonly possible: PossibleFolders[];
}

/** `of`: the declaration, if it builds at most one of the folders for each cluster. */
interface PossibleFolders {
  readonly paths: readonly string[];
  readonly of?: string;
}

export interface ChainDeclaration {
  /** Label for users. */
  readonly name: string;
  /** Kind as `group/Kind`. */
  readonly kind: string;
  /** The file with the declaration; absent for a rendered one. */
  readonly path?: string;
  /** Builds of this repository, without those of fetched charts. */
  readonly builds: readonly Build[];
  readonly unknown: readonly UnknownPart[];
}

export class Chains {
  readonly #chains = new Map<string, Chain>();

  /** `start`: the file that the chain starts at. */
  declare(start: string, { name, kind, path, builds, unknown }: ChainDeclaration): void {
    const chain = this.#at(start);
    chain.leads ||= kind !== FLUX_HELM_RELEASE;
    chain.isWritten ||= path === start;
    chain.isFlux ||= path === start && kind === FLUX_KUSTOMIZATION;
    chain.isOfRepository ||= kind !== FLUX_HELM_RELEASE && builds.some(({ isGuess }) => isGuess !== true);
    chain.isOwn ||= path === start && builds.some(({ folder }) => isBelow(folderOf(path), folder));
    for (const { mayBuild = [], isOnePerCluster } of unknown) {
      chain.possible.push({ paths: mayBuild, ...(isOnePerCluster === true && { of: name }) });
    }
  }

  /** Adds folders that the chain may build, as paths with unknown parts. */
  mayBuild(start: string, paths: readonly string[]): void {
    this.#at(start).possible.push({ paths });
  }

  leads(start: string): boolean {
    return this.#chains.get(start)?.leads === true;
  }

  /** `kept`: files whose chains start at a controller's root in any case. */
  reach(input: ChainsInput, kept: ReadonlySet<string> = new Set()): ControllerReach | undefined {
    const { graph, paths, inputsOf } = input;
    const reaching = new ReachingChains(this.#chains, input, kept);
    const starts = [...this.#chains.keys()].filter((start) => reaching.has(start));
    if (!starts.some((start) => this.#chains.get(start)?.isOfRepository === true)) return undefined;
    const files = new Set(starts);
    const folders = new Set<string>();
    const beside = new Set<string>();
    const possible = new PossiblePaths();
    const alternatives = new Alternatives();
    for (const start of starts) {
      for (const reach of reaching.reachesOf(start)) {
        for (const file of reach.files) files.add(file);
        for (const folder of reach.folders) folders.add(folder);
      }
      const chain = this.#chains.get(start);
      for (const { paths, of } of chain?.possible ?? []) {
        possible.add(paths);
        alternatives.add(paths, of);
      }
      // Something outside the repository applies the object, and probably what lies beside it. A kustomization lists what is below.
      if (chain?.isWritten === true && !chain.isOwn) {
        const folder = folderOf(start);
        if (chain.isFlux && folder !== '.' && graph.fileIn(folder) === undefined) folders.add(folder);
        beside.add(folder);
      }
    }
    const isCertain = (path: string): boolean => reaches({ files, folders }, path) || beside.has(folderOf(path));
    const takes = (path: string): boolean => isCertain(path) || mayTake(path, possible, graph, paths);
    const reach: ControllerReach = {
      takes,
      isCertain: (of) => {
        const start = typeof of === 'string' ? of : startOf(of);
        return reaching.has(start) || isCertain(start);
      },
      reaches: (root) => reaching.has(startOf(root)) || takes(startOf(root)),
      alternativeOf: (root) =>
        reaching.has(startOf(root)) || isCertain(startOf(root))
          ? undefined
          : alternatives.only((found) => mayTake(startOf(root), found, graph, paths)),
      inputsOf,
      starts: new Set(starts),
      keeping: (others) => this.reach(input, others) ?? reach,
    };
    return reach;
  }

  #at(start: string): Chain {
    const known = this.#chains.get(start);
    if (known !== undefined) return known;
    const made = { leads: false, isOfRepository: false, isOwn: false, isWritten: false, isFlux: false, possible: [] };
    this.#chains.set(start, made);
    return made;
  }
}

/** Folders that declarations may build, by declaration. Copies of one declaration in several namespaces, for several controllers, are one. */
class Alternatives {
  readonly #possible = new Map<string | undefined, PossiblePaths>();
  /** The first copy by the name without namespace. */
  readonly #copies = new Map<string, string>();

  add(paths: readonly string[], of: string | undefined): void {
    const first = of === undefined ? undefined : this.#firstCopy(of);
    const known = this.#possible.get(first) ?? new PossiblePaths();
    known.add(paths);
    this.#possible.set(first, known);
  }

  #firstCopy(of: string): string {
    const name = of.replace(/ [^ ]*\//, ' ');
    const first = this.#copies.get(name) ?? of;
    this.#copies.set(name, first);
    return first;
  }

  /** The declaration of the only folders that match. */
  only(matches: (possible: PossiblePaths) => boolean): string | undefined {
    const [first, ...more] = [...this.#possible].filter(([, possible]) => matches(possible));
    return more.length > 0 ? undefined : first?.[0];
  }
}

/** The file that the chain of the root starts at. */
function startOf({ entry, location }: RenderedRoot): string {
  return entry ?? location.file.path;
}

/** Decides which chains start at a controller's root. */
class ReachingChains {
  readonly #chains: ReadonlyMap<string, Chain>;
  readonly #graph: KustomizationGraph;
  readonly #kept: ReadonlySet<string>;
  readonly #reaches = new Map<string, Reach[]>();
  readonly #known = new Map<string, boolean>();
  readonly #possible = new Map<string, PossiblePaths>();
  readonly #paths: ReadonlySet<string>;

  constructor(
    chains: ReadonlyMap<string, Chain>,
    { roots, reachOf, graph, paths }: ChainsInput,
    kept: ReadonlySet<string>,
  ) {
    this.#chains = chains;
    this.#graph = graph;
    this.#kept = kept;
    this.#paths = paths;
    for (const root of roots) {
      const reach = reachOf(root);
      if (reach === undefined) continue;
      const start = startOf(root);
      const same = this.#reaches.get(start);
      if (same === undefined) this.#reaches.set(start, [reach]);
      else same.push(reach);
    }
  }

  reachesOf(start: string): readonly Reach[] {
    return this.#reaches.get(start) ?? [];
  }

  has(start: string): boolean {
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    // Chains that exclude each other are all kept.
    this.#known.set(start, true);
    const chain = this.#chains.get(start);
    const is =
      chain?.leads === true &&
      (chain.isOwn ||
        this.#kept.has(start) ||
        !(isSetAside(start) || (this.#isUnlisted(start) && !this.#mayBeBuilt(start))));
    this.#known.set(start, is);
    return is;
  }

  /**
   * True if a controller builds the nearest kustomization above the file, and that kustomization does not list it: a disabled part. A file
   * beside the start of the other chain is a further root of a bootstrap folder.
   */
  #isUnlisted(start: string): boolean {
    const own = folderOf(start);
    const isKustomization = this.#graph.fileIn(own) === start;
    for (let folder = isKustomization ? folderOf(own) : own; ; folder = folderOf(folder)) {
      const file = this.#graph.fileIn(folder);
      if (file !== undefined && file !== start) return this.#isTakenByOther(file, start);
      if (folder === '.' || folder === '/') return false;
    }
  }

  /** True if an unknown part of another chain may apply the file, e.g. a Kustomization whose source is unknown. */
  #mayBeBuilt(start: string): boolean {
    return [...this.#chains].some(
      ([other, { possible }]) =>
        other !== start &&
        possible.length > 0 &&
        mayTake(start, this.#possibleOf(other), this.#graph, this.#paths) &&
        this.has(other),
    );
  }

  #possibleOf(start: string): PossiblePaths {
    const known = this.#possible.get(start) ?? new PossiblePaths();
    if (!this.#possible.has(start)) {
      for (const { paths } of this.#chains.get(start)?.possible ?? []) known.add(paths);
      this.#possible.set(start, known);
    }
    return known;
  }

  #isTakenByOther(file: string, start: string): boolean {
    return [...this.#reaches].some(
      ([other, found]) =>
        other !== start &&
        (folderOf(other) !== folderOf(start) || this.#chains.get(other)?.isOwn === true) &&
        found.some((reach) => reaches(reach, file)) &&
        this.has(other),
    );
  }
}

/** A possible folder with a kustomization applies only what the kustomization lists. */
function mayTake(
  path: string,
  possible: PossiblePaths,
  graph: KustomizationGraph,
  paths: ReadonlySet<string>,
): boolean {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (possible.has(folder)) {
      const isKustomization = graph.fileIn(folder) !== undefined && !paths.has(inFolder(folder, 'Chart.yaml'));
      if (!isKustomization || reaches(graph.reachOf(folder), path)) return true;
    }
    if (folder === '.' || folder === '/') return false;
  }
}

function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

/** True for the folder `top` itself too. */
export function isBelow(folder: string, top: string): boolean {
  return top === '.' || folder === top || folder.startsWith(`${top}/`);
}
