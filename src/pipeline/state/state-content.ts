// What one state of a repository holds, with the policies that its configuration takes from elsewhere.
import type { StageObserver } from '../../engine/stages.ts';
import { PolicySourceReader, type PolicySourceState, type SourceResources } from './policy-sources.ts';
import { type DocumentReader, type ReadOptions, type RepositoryContent, readRepository } from './read-repository.ts';

export interface StateOptions extends ReadOptions {
  /** What the configuration names, read. */
  readonly policySources?: readonly PolicySourceState[];
  /** Remembers what it read, for one who asks about many states that share files. */
  readonly reader?: DocumentReader;
}

export function stateContent(
  { policySources = [], reader, ...options }: StateOptions,
  stages: StageObserver,
): RepositoryContent {
  const repository = readRepository(options, stages, reader);
  const given = new PolicySourceReader(options.configuration, options.rendering?.engine, stages).read(policySources);
  return withGiven(repository, given, 'everything');
}

/** `resources`: what is told of the sources themselves is left to somebody else. */
export function withGiven(
  { paths, left, inputs, roots, written, missingCharts, ...own }: RepositoryContent,
  given: SourceResources,
  taking: 'resources' | 'everything',
): RepositoryContent {
  const isWhole = taking === 'everything';
  return {
    paths,
    left,
    inputs,
    roots,
    written,
    missingCharts,
    resources: [...own.resources, ...given.resources],
    diagnostics: isWhole ? [...own.diagnostics, ...given.diagnostics] : own.diagnostics,
    skipped: isWhole ? [...own.skipped, ...given.skipped] : own.skipped,
  };
}
