// Parse results as plain data, so that a later run does not parse the same text again.

import type { JsonValue } from '../json/json.ts';
import type { SourceFile } from '../text/source-file.ts';
import type { HeldValues } from './held-values.ts';
import { WrittenFile, WrittenManifest } from './written-manifest.ts';

/** The result for a text without problems and without duplicate fields. */
export interface Reading {
  readonly documentCount: number;
  readonly emptyCount: number;
  readonly documents: readonly ReadDocument[];
}

interface ReadDocument {
  readonly index: number;
  readonly format: 'yaml' | 'json';
  /** Offsets: start and end of the document, then start and end of its value. */
  readonly places: readonly [number, number, number, number];
  readonly value: JsonValue;
}

/** Parse results of earlier runs. */
export interface KnownReadings {
  /** The caller owns the result. Undefined for an unknown text. */
  find(file: SourceFile): Reading | undefined;
  /** Stores the result for a text that `find` did not know. */
  add(file: SourceFile, reading: Reading): void;
}

interface ReadFile {
  readonly manifests: readonly WrittenManifest[];
  readonly problems: readonly unknown[];
  readonly documentCount: number;
  readonly emptyCount: number;
}

/** Undefined if the file has problems or duplicate fields, which a `Reading` cannot hold. */
export function readingOf({ manifests, problems, documentCount, emptyCount }: ReadFile): Reading | undefined {
  if (problems.length > 0 || manifests.some(({ duplicateFields }) => duplicateFields.length > 0)) return undefined;
  const documents = manifests.map(({ index, format, documentRange, range, value }): ReadDocument => {
    return { index, format, places: [documentRange.start, documentRange.end, range.start, range.end], value };
  });
  return { documentCount, emptyCount, documents };
}

/** Builds the same result as parsing the text. */
export function manifestsOf(
  file: SourceFile,
  reading: Reading,
  held: HeldValues,
): ReadFile & { readonly problems: readonly never[] } {
  const written = new WrittenFile(file, held);
  const manifests = reading.documents.map(({ index, format, places, value }) => {
    const [start, end, from, to] = places;
    const [documentRange, range] = [
      { start, end },
      { start: from, end: to },
    ];
    return new WrittenManifest({ written, index, format, documentRange, range, value, duplicateFields: [] });
  });
  written.settle(manifests);
  return {
    manifests: written.manifests,
    problems: [],
    documentCount: reading.documentCount,
    emptyCount: reading.emptyCount,
  };
}
