// The result of searching a repository: the files that were read, and the names of the others.
import type { SourceFile } from '../source/text/source-file.ts';
import type { SkipReason } from './skip-reason.ts';

export interface DiscoveredFile {
  readonly file: SourceFile;
  /** False for files that are read only as context: kustomizations and policies outside the selection. */
  readonly selected: boolean;
}

export interface NotRead {
  readonly path: string;
  readonly reason: SkipReason;
}
