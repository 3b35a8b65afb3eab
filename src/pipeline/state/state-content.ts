// The content of one state of a repository, with the policy sources of its configuration.
import type { StageObserver } from '../../engine/stages.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import { PolicySourceReader, type PolicySourceState, type SourceResources } from './policy-sources.ts';
import { type DocumentReader, type ReadOptions, type RepositoryContent, readRepository } from './read-repository.ts';
import { allUnreached } from './unreached.ts';

export interface StateOptions extends ReadOptions {
  /** The policy sources of the configuration, as read. */
  readonly policySources?: readonly PolicySourceState[];
  /** The server's own validation of built-in kinds. Absent: only their metadata is validated. */
  readonly serverValidation?: ServerValidation;
  /** Caches documents, for callers that read many states with shared files. */
  readonly reader?: DocumentReader;
}

/** Leaves out what no controller applies, unless the configuration asks for it. */
export function stateContent(
  { policySources = [], reader, ...options }: StateOptions,
  stages: StageObserver,
): RepositoryContent {
  const leaves = options.configuration.unreached === 'skip' ? { leaves: allUnreached } : {};
  const repository = readRepository({ ...options, ...leaves }, stages, reader);
  const given = new PolicySourceReader(options.configuration, options.rendering?.engine, stages).read(policySources);
  return withGiven(repository, given, 'everything');
}

/** `resources`: leaves out the sources' diagnostics and skipped files, which the caller reports. */
export function withGiven(
  {
    paths,
    left,
    servers,
    inputs,
    roots,
    written,
    missing,
    unrendered,
    reach,
    unreached,
    neverApplied,
    ...own
  }: RepositoryContent,
  given: SourceResources,
  taking: 'resources' | 'everything',
): RepositoryContent {
  const isWhole = taking === 'everything';
  return {
    paths,
    left,
    servers,
    inputs,
    roots,
    written,
    missing,
    unrendered,
    unreached,
    neverApplied,
    ...(reach && { reach }),
    resources: [...own.resources, ...given.resources],
    diagnostics: isWhole ? [...own.diagnostics, ...given.diagnostics] : own.diagnostics,
    skipped: isWhole ? [...own.skipped, ...given.skipped] : own.skipped,
  };
}
