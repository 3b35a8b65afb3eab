// What a build needs from outside the repository: charts, and remote entries of its kustomizations.
import type { Kustomization } from '../../../inventory/kustomize-references.ts';
import type { Build, UnknownPart } from '../controller.ts';
import { type Reach, reaches } from '../kustomization/kustomization-graph.ts';
import type { RenderedRoot, RootFailure } from '../root/rendered-root.ts';
import { HelmCharts, type NeededCharts } from './helm-charts.ts';
import type { Remote } from './remote.ts';
import { basesBelow, basesIn } from './remote-bases.ts';
import { isOnShelf, type RemoteShelf } from './remote-shelf.ts';

export class RemoteNeeds {
  readonly #shelf: RemoteShelf;
  readonly #charts: HelmCharts;
  readonly #withBases: readonly Kustomization[];

  constructor(kustomizations: readonly Kustomization[], shelf: RemoteShelf) {
    this.#shelf = shelf;
    this.#charts = new HelmCharts(kustomizations, shelf);
    this.#withBases = shelf.isEmpty ? [] : kustomizations.filter(({ content }) => basesIn(content).length > 0);
  }

  /** True if a build may read what was fetched. */
  mayTake(build: Build, own: Reach): boolean {
    if (this.#shelf.isEmpty) return false;
    return (
      isOnShelf(build.folder) ||
      this.#charts.mayTake(build, own) ||
      this.#withBases.some(({ path }) => reaches(own, path))
    );
  }

  /** Puts fetched charts at the paths that the build expects. */
  chartsFor(build: Build, reach: Reach): NeededCharts {
    return this.#charts.neededBy(build, reach);
  }

  /** Adds what was fetched to the assumptions of a root, or what is missing to its failure. */
  explained(root: RenderedRoot, build: Build, { missing, failures }: NeededCharts): RenderedRoot {
    const { failure } = root;
    if (failure !== undefined) {
      const isAboutCharts = failure.reason === 'helm-chart' || failure.reason === 'missing-dependency';
      if (isAboutCharts) return { ...root, failure: withMissing(failure, missing, failures) };
      return failure.reason === 'remote-base' ? { ...root, failure: this.#withBasesOf(failure, build) } : root;
    }
    if (root.holes !== undefined) return this.#withBasesOfHoles(root, build);
    if (!this.#shelf.hasBases || build.request.engine !== 'kustomize') return root;
    const found = this.#bases(build).flatMap((base) => ('assumes' in base ? [base.assumes] : []));
    return found.length === 0 ? root : { ...root, assumes: [...(root.assumes ?? []), ...found] };
  }

  #withBasesOf(failure: RootFailure, build: Build): RootFailure {
    const bases = this.#bases(build);
    const unknown = bases.flatMap((base) => ('unknown' in base ? [base] : []));
    if (bases.length > 0 && unknown.length === 0) return { ...failure, ...WITH_ORIGINS };
    const missing = unknown.flatMap((each) => each.missing ?? []);
    // A base that could not be fetched explains more than one that was not tried.
    return withMissing(
      failure,
      missing,
      [...unknown].sort((one, other) => Number('missing' in one) - Number('missing' in other)),
    );
  }

  /** Each part that is elsewhere says what to fetch. */
  #withBasesOfHoles(root: RenderedRoot, build: Build): RenderedRoot {
    const unknown = this.#bases(build).flatMap((base) => ('unknown' in base ? [base] : []));
    const holes = root.holes?.map((hole) => {
      const part = unknown.find((base) => base.unknown.includes(hole.what));
      return part === undefined
        ? hole
        : { ...hole, message: part.unknown, help: part.help, ...(part.missing && { missing: part.missing }) };
    });
    return { ...root, ...(holes && { holes }) };
  }

  #bases(build: Build): readonly ({ readonly assumes: string } | UnknownPart)[] {
    const bases = basesBelow(this.#shelf.written, build.folder, build.overlay, (base) =>
      this.#shelf.folderOfBase(base),
    );
    return bases.map((base) => this.#shelf.findBase(base));
  }
}

const WITH_ORIGINS = {
  message: 'its bases were fetched, but its origin annotations would contain the addresses of the downloads',
  help: 'remove `originAnnotations` and `transformerAnnotations` from `buildMetadata`, or check the rendered manifests',
};

/** A failed build with a missing part reports why the part is missing instead of the engine's message. */
function withMissing(failure: RootFailure, missing: readonly Remote[], [unknown]: readonly UnknownPart[]): RootFailure {
  if (unknown === undefined) return failure;
  return { ...failure, message: unknown.unknown, help: unknown.help, missing };
}
