// What one state of a repository holds, with the policies that its configuration takes from elsewhere.
import type { StageObserver } from '../engine/stages.ts';
import { PolicySourceReader, type PolicySourceState } from './policy-sources.ts';
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
  const { left, inputs, roots, written, missingCharts } = repository;
  return {
    left,
    inputs,
    roots,
    written,
    missingCharts,
    resources: [...repository.resources, ...given.resources],
    diagnostics: [...repository.diagnostics, ...given.diagnostics],
    skipped: [...repository.skipped, ...given.skipped],
  };
}
