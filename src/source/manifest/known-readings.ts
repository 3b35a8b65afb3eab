// What reading a text gave, as plain data: what another run read need not be read again.

import type { JsonValue } from '../json/json.ts';
import type { SourceFile } from '../text/source-file.ts';
import type { HeldValues } from './held-values.ts';
import { WrittenFile, WrittenManifest } from './written-manifest.ts';

/** Of a text without anything to be said of it: no problem, and no field twice. */
export interface Reading {
  readonly documentCount: number;
  readonly emptyCount: number;
  readonly documents: readonly ReadDocument[];
}

interface ReadDocument {
  readonly index: number;
  readonly format: 'yaml' | 'json';
  /** Offsets: the document's start and end, then those of its value. */
  readonly places: readonly [number, number, number, number];
  readonly value: JsonValue;
}

/** What reading texts gave in other runs. */
export interface KnownReadings {
  /** What is given is nobody else's; undefined for a text that is not known. */
  find(file: SourceFile): Reading | undefined;
  /** What was read because it was not known. */
  add(file: SourceFile, reading: Reading): void;
}

interface ReadFile {
  readonly manifests: readonly WrittenManifest[];
  readonly problems: readonly unknown[];
  readonly documentCount: number;
  readonly emptyCount: number;
}

/** Undefined where there is more to be said than what was read. */
export function readingOf({ manifests, problems, documentCount, emptyCount }: ReadFile): Reading | undefined {
  if (problems.length > 0 || manifests.some(({ duplicateFields }) => duplicateFields.length > 0)) return undefined;
  const documents = manifests.map(({ index, format, documentRange, range, value }): ReadDocument => {
    return { index, format, places: [documentRange.start, documentRange.end, range.start, range.end], value };
  });
  return { documentCount, emptyCount, documents };
}

/** As the text would be read. */
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
