// Reads `.preadmit-baseline.yaml` into entries with locations, or reports all its problems.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { SourceFile, SourceLocation } from '../source/text/source-file.ts';
import { baselineShape, type WrittenEntry } from './baseline-shape.ts';
import { readShapedFile } from './shaped-file.ts';

export type LoadedBaselineEntry = WrittenEntry & {
  readonly location: SourceLocation;
  /** Location of the expiry date. */
  readonly expiresLocation: SourceLocation;
};

export interface LoadedBaseline {
  /** In file order; undefined if there are problems. */
  readonly baseline: readonly LoadedBaselineEntry[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const MAXIMUM_LENGTH = 8 * 1024 * 1024;

export function loadBaseline(file: SourceFile): LoadedBaseline {
  const read = readShapedFile(file, baselineShape(), { subject: 'the baseline', maximumLength: MAXIMUM_LENGTH });
  if ('diagnostics' in read) return { baseline: undefined, diagnostics: read.diagnostics };
  const baseline = (read.value?.entries ?? []).map((entry, index) => ({
    ...entry,
    location: read.locate(['entries', index], 'key'),
    expiresLocation: read.locate(['entries', index, 'expires'], 'value'),
  }));
  return { baseline, diagnostics: [] };
}
