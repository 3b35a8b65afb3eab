// Finds the roots of a repository and plans their rendering, without rendering one.
import type { Build } from '../../render/sources/controller.ts';
import { reaches } from '../../render/sources/kustomization-graph.ts';
import type { RenderedRoot } from '../../render/sources/rendered-root.ts';
import { RootBuilder, type RootFacts } from '../../render/sources/root-builder.ts';
import type { Configuration } from '../../settings/configuration.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { DiscoveredDocuments, RepositoryContent } from './read-repository.ts';
import { renderedSources, type StateRendering } from './rendering.ts';

/** A root that can be rendered on demand. */
interface PlannedBuild {
  readonly build: Build;
  readonly facts: RootFacts;
}

interface PlannedState {
  readonly readFiles: readonly DiscoveredDocuments[];
  readonly paths: ReadonlySet<string>;
  readonly content: Pick<RepositoryContent, 'resources'>;
  readonly configuration: Configuration;
}

export class PlannedBuilds {
  /** As known without rendering. Roots that only a rendered root would declare are missing. */
  readonly roots: readonly RenderedRoot[];
  readonly #builds: readonly PlannedBuild[];
  readonly #rendering: StateRendering;
  /** By path. */
  readonly #isBuilt = new Map<string, boolean>();
  #isLoaded = false;

  constructor(rendering: StateRendering, state: PlannedState) {
    const noting = new NotingBuilder();
    this.#rendering = rendering;
    this.roots = renderedSources({ ...rendering, builder: noting }, { ...state, known: [] }).roots;
    this.#builds = this.roots.flatMap((root) => noting.planned.get(root) ?? []);
  }

  /** The roots that the file is rendered by or that it declares. */
  reaching(path: string): readonly PlannedBuild[] {
    return this.#builds.filter(({ facts }) => reaches(facts.own, path) || facts.location().file.path === path);
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
  render({ build, facts }: PlannedBuild, builder: RootBuilder, fileAt: (path: string) => SourceFile | undefined) {
    const { tree, engine } = this.#rendering;
    return builder.build(build, facts, { tree, engine, fileAt });
  }
}

/** Records the builds instead of running them. */
class NotingBuilder extends RootBuilder {
  readonly planned = new Map<RenderedRoot, PlannedBuild>();

  /** Does nothing, because nothing is built in advance. */
  override begin(): void {}

  override build(build: Build, facts: RootFacts): RenderedRoot {
    const root = this.unasked(build, facts);
    this.planned.set(root, { build, facts });
    return root;
  }
}
