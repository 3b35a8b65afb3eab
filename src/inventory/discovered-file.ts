// What a sweep of a repository found: the files it read and, by name, those it did not.
import type { SourceFile } from '../source/text/source-file.ts';
import type { SkipReason } from './skip-reason.ts';

export interface DiscoveredFile {
  readonly file: SourceFile;
  /** False for what is read only as context: kustomizations and policies outside the sweep. */
  readonly selected: boolean;
}

export interface NotRead {
  readonly path: string;
  readonly reason: SkipReason;
}
