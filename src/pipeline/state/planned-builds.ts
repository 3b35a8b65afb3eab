// Finds the roots of a repository and plans their rendering. Renders one only to know what controllers apply, if nothing else shows it.

import type { Build } from '../../render/sources/controller.ts';
import type { ControllerReach } from '../../render/sources/declaration/chains.ts';
import { reaches } from '../../render/sources/kustomization/kustomization-graph.ts';
import type { PlannedRoot } from '../../render/sources/root/planned-root.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { RootBuilder, type RootFacts } from '../../render/sources/root/root-builder.ts';
import type { Configuration } from '../../settings/configuration.ts';
import { foldersAbove } from '../../source/text/repository-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { DiscoveredDocuments, RepositoryContent } from './read-repository.ts';
import { renderedSources, type StateRendering } from './rendering.ts';

/** A root that can be rendered on demand. */
interface PlannedBuild {
  /** Without objects. */
  readonly root: RenderedRoot;
  readonly build: Build;
  readonly facts: RootFacts;
}

interface PlannedState {
  readonly readFiles: readonly DiscoveredDocuments[];
  readonly paths: ReadonlySet<string>;
  readonly content: Pick<RepositoryContent, 'resources'>;
  readonly configuration: Configuration;
}

/** An object of a controller that leads to further files. A release only leads to its chart. */
const DECLARES =
  /apiVersion["']?\s*:\s*["']?(?:kustomize\.toolkit\.fluxcd\.io|fluxcd\.controlplane\.io|argoproj\.io)\//;

export class PlannedBuilds {
  /** As known without rendering. Roots that only a rendered root would declare are missing. */
  readonly roots: readonly RenderedRoot[];
  readonly #builds: readonly PlannedBuild[];
  readonly #rendering: StateRendering;
  readonly #state: PlannedState;
  /** Keeps what earlier states of the repository rendered. */
  readonly #builder: RootBuilder;
  /** As known without rendering: roots that only a rendered root declares are missing. */
  readonly #planned: ControllerReach | undefined;
  #rendered: { readonly reach: ControllerReach | undefined } | undefined;
  /** By path. */
  readonly #isBuilt = new Map<string, boolean>();
  #isLoaded = false;

  constructor(rendering: StateRendering, state: PlannedState, builder: RootBuilder) {
    const noting = new NotingBuilder();
    this.#rendering = rendering;
    this.#state = state;
    this.#builder = builder;
    const { roots, reach } = renderedSources({ ...rendering, builder: noting }, { ...state, known: [] });
    this.roots = roots;
    this.#planned = reach;
    this.#builds = roots.flatMap((root) => {
      const planned = noting.planned.get(root);
      return planned === undefined ? [] : [{ root, ...planned }];
    });
  }

  /** The roots that the file is rendered by or that it declares. */
  reaching(path: string): readonly PlannedBuild[] {
    return this.#builds.filter(
      ({ root, facts }) =>
        (reaches(facts.own, path) || facts.location().file.path === path) &&
        this.#isApplied((reach) => reach.reaches(root)),
    );
  }

  /** False if certainly no controller applies the file. */
  takes(path: string): boolean {
    const isOfChart = [path, ...foldersAbove(path)].some((folder) => this.#state.paths.has(`${folder}/Chart.yaml`));
    return isOfChart || this.#isApplied((reach) => reach.takes(path));
  }

  /** Renders the roots that declare others only if the answer is no without them. */
  #isApplied(isIn: (reach: ControllerReach) => boolean): boolean {
    const { configuration } = this.#state;
    if (configuration.unreached === 'judge' || this.#planned === undefined || isIn(this.#planned)) return true;
    this.#rendered ??= { reach: this.#reachOfRendered() };
    return this.#rendered.reach === undefined || isIn(this.#rendered.reach);
  }

  #reachOfRendered(): ControllerReach | undefined {
    const declaring = this.#state.readFiles.flatMap(({ file }) => (DECLARES.test(file.text) ? [file.path] : []));
    const isWanted = ({ reach }: PlannedRoot): boolean => declaring.some((path) => reaches(reach, path));
    const rendering = { ...this.#rendering, builder: this.#builder, isWanted };
    return renderedSources(rendering, { ...this.#state, known: [] }).reach;
  }

  /** True if a root renders the file, so that its objects are not applied as written. */
  isBuilt(path: string): boolean {
    let isBuilt = this.#isBuilt.get(path);
    if (isBuilt === undefined) {
      isBuilt = this.#builds.some(({ facts }) => reaches(facts.own, path));
      this.#isBuilt.set(path, isBuilt);
    }
    return isBuilt;
  }

  /** True if declarations take values from ConfigMaps or Secrets of the repository. */
  get takesValues(): boolean {
    return this.#builds.some(({ facts }) => (facts.takes ?? []).length > 0);
  }

  /** Loads the engine of the root. True if it was not loaded before: loading takes memory that is freed in the next pause. */
  loadEngine({ build }: PlannedBuild): boolean {
    if (this.#isLoaded || build.request.engine === 'files') return false;
    this.#rendering.engine();
    this.#isLoaded = true;
    return true;
  }

  /** `fileAt` returns the current text of a file. */
  render(
    { build, facts }: Pick<PlannedBuild, 'build' | 'facts'>,
    builder: RootBuilder,
    fileAt: (path: string) => SourceFile | undefined,
  ) {
    const { tree, engine } = this.#rendering;
    return builder.build(build, facts, { tree, engine, fileAt });
  }
}

/** Records the builds instead of running them. */
class NotingBuilder extends RootBuilder {
  readonly planned = new Map<RenderedRoot, Pick<PlannedBuild, 'build' | 'facts'>>();

  /** Does nothing, because nothing is built in advance. */
  override begin(): void {}

  override build(build: Build, facts: RootFacts): RenderedRoot {
    const root = this.unasked(build, facts);
    this.planned.set(root, { build, facts });
    return root;
  }
}
