// What one state of a repository holds, with the policies that its configuration takes from elsewhere.
import type { StageObserver } from '../engine/stages.ts';
import { PolicySourceReader, type PolicySourceState } from './policy-sources.ts';
import { type ReadOptions, type RepositoryContent, readRepository } from './read-repository.ts';

export interface StateOptions extends ReadOptions {
  /** What the configuration names, read. */
  readonly policySources?: readonly PolicySourceState[];
}

export function stateContent(
  { policySources = [], ...options }: StateOptions,
  stages: StageObserver,
): RepositoryContent {
  const repository = readRepository(options, stages);
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
