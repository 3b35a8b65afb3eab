// Two states of a repository, read and rendered as far as the change between them can reach.
import { type StageObserver, UNOBSERVED } from '../../engine/stages.ts';
import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import { builtinResources } from '../../kubernetes/schema/resources.ts';
import { RootBuilder } from '../../render/sources/root/root-builder.ts';
import { TextAnswers } from '../../source/text/text-answers.ts';
import { stateClusters } from '../clusters/planned-targets.ts';
import { type ReadingScope, type RepositoryState, readingScope } from '../scope/reading-scope.ts';
import { languagesOfTargets } from '../state/languages.ts';
import { PolicySourceReader, type SourceResources } from '../state/policy-sources.ts';
import { DocumentReader, type RepositoryContent, readRepository } from '../state/read-repository.ts';
import { type StateRendering, type StateRevisions, stateRevisions } from '../state/rendering.ts';
import { withGiven } from '../state/state-content.ts';
import { targetVersion } from '../state/target-version.ts';
import { allUnreached, type ChooseLeftOut, unreachedInHead } from '../state/unreached.ts';
import { type ComparedClusters, comparedClusters } from './compared-clusters.ts';
import type { ComparisonInput } from './comparison-input.ts';

export interface ReadStates {
  readonly scope: ReadingScope;
  /** Contents of the policy sources. Their resources are in `base` and `head` too, but not their diagnostics. */
  readonly given: { readonly base: SourceResources; readonly head: SourceResources };
  readonly base: RepositoryContent;
  readonly head: RepositoryContent;
  readonly clusters: ComparedClusters;
}

/** Rendering may show that more is needed: definitions, then Namespaces, then the values of their fields. */
const MAXIMUM_PASSES = 6;

export function readStates(input: ComparisonInput): ReadStates {
  return new StateReader(input).read();
}

class StateReader {
  readonly #input: ComparisonInput;
  readonly #stages: StageObserver;
  readonly #reader: DocumentReader;
  readonly #answers: TextAnswers;
  readonly #builder: RootBuilder;
  readonly #given: ReadStates['given'];

  constructor(input: ComparisonInput) {
    this.#input = input;
    this.#stages = input.stages ?? UNOBSERVED;
    this.#stages.enter('read');
    this.#builder = input.builder ?? new RootBuilder();
    this.#reader = new DocumentReader(this.#builder.documents);
    this.#answers = input.answers ?? new TextAnswers();
    const sources = new PolicySourceReader(input.configuration, input.engine, this.#stages);
    this.#given = {
      base: sources.read(input.base.policySources ?? []),
      head: sources.read(input.head.policySources ?? []),
    };
  }

  read(): ReadStates {
    let scope = this.#scope(this.#input.only === 'all' || this.#input.extent === 'repository');
    for (let pass = 1; ; pass++) {
      const states = this.#statesOf(scope);
      if (scope.extent === 'repository') return states;
      const wider = scope.widened(states.base, states.head);
      if (wider === undefined) {
        const { clusters } = states;
        // If the clusters differ, unchanged resources may also belong to a new cluster, so everything is read.
        const isMoved = clusters.differ || clusters.moveAny(this.#pathsOfBoth());
        return isMoved ? this.#statesOf(this.#scope(true)) : states;
      }
      scope = pass < MAXIMUM_PASSES ? wider : this.#scope(true);
    }
  }

  #pathsOfBoth(): readonly string[] {
    const { base, head } = this.#input;
    return [...base.paths].filter((path) => head.paths.has(path));
  }

  #scope(everything: boolean): ReadingScope {
    const { base, head, configuration, touched } = this.#input;
    const versions = new Set(configuration.targets.map((target) => targetVersion(target).minor));
    const builtin = [...versions].map((minor) => builtinResources(minor));
    const given = this.#given;
    return readingScope({
      base,
      head,
      given: {
        base: given.base.resources.map(({ resource }) => resource),
        head: given.head.resources.map(({ resource }) => resource),
      },
      configuration,
      languages: languagesOfTargets(configuration.targets),
      reader: this.#reader,
      answers: this.#answers,
      everything,
      ...(touched && { touched }),
      isBuiltin: (gvk: GroupVersionKind) => builtin.every((resources) => resources.resourceForKind(gvk) !== undefined),
    });
  }

  #statesOf(scope: ReadingScope): ReadStates {
    const { configuration } = this.#input;
    const { base, head } = this.#contents(scope);
    let clusters: ComparedClusters | undefined;
    return {
      scope,
      base,
      head,
      /** Computed on demand, because only the last pass needs it. */
      get clusters() {
        clusters ??= comparedClusters(stateClusters(configuration, base), stateClusters(configuration, head), base);
        return clusters;
      },
      given: this.#given,
    };
  }

  /** A file is left out only if both states have controllers' roots, so that a new root does not hide what base judges. */
  #contents(scope: ReadingScope): { readonly base: RepositoryContent; readonly head: RepositoryContent } {
    const isSkipping = this.#input.configuration.unreached === 'skip';
    const revisions = this.#revisions();
    const base = this.#contentOf('base', scope, revisions.base, isSkipping ? allUnreached : undefined);
    const { reach } = base;
    const changed = [...scope.changed, ...(this.#input.touched ?? [])];
    const leaves = isSkipping && reach !== undefined ? unreachedInHead(reach, changed) : undefined;
    const head = this.#contentOf('head', scope, revisions.head, leaves);
    if (reach === undefined || head.reach !== undefined) return { base, head };
    return { base: this.#contentOf('base', scope, revisions.base), head };
  }

  #revisions(): { readonly base: StateRevisions; readonly head: StateRevisions } {
    const base = stateRevisions(this.#input.configuration);
    return { base, head: stateRevisions(this.#input.configuration, base) };
  }

  #contentOf(
    state: 'base' | 'head',
    scope: ReadingScope,
    revisions: StateRevisions,
    leaves?: ChooseLeftOut,
  ): RepositoryContent {
    const { configuration } = this.#input;
    const classifier = scope.classifiers?.[state];
    const rendering = this.#renderingOf(state, scope);
    const content = readRepository(
      {
        ...this.#input[state],
        files: scope[state],
        configuration,
        ...(classifier && { classifier }),
        ...(rendering && { rendering: { ...rendering, revisions } }),
        ...(leaves && { leaves }),
      },
      this.#stages,
      this.#reader,
    );
    return withGiven(content, this.#given[state], 'resources');
  }

  #renderingOf(state: 'base' | 'head', scope: ReadingScope): StateRendering | undefined {
    const { engine, remotes, repositoryUrl } = this.#input;
    const { tree } = this.#input[state];
    if (tree === undefined || engine === undefined) return undefined;
    return {
      tree,
      engine,
      builder: this.#builder,
      ...(remotes && { remotes }),
      ...(repositoryUrl !== undefined && { repositoryUrl }),
      selected: selectedPaths(this.#input[state]),
      ...(scope.extent === 'changes' && { kustomizations: scope.kustomizationsOf(state) }),
      ...(scope.rendering && { known: scope.rendering.known(state), isWanted: scope.rendering.isWanted }),
    };
  }
}

function selectedPaths({ files }: RepositoryState): ReadonlySet<string> {
  return new Set(files.flatMap(({ file, selected }) => (selected ? [file.path] : [])));
}
