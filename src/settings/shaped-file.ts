// Reads one of Preadmit's own files (one YAML document of a known shape), or reports all its problems.
import type { Code } from '../diagnostic/code-table.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { LocatedPart } from '../source/manifest/manifest.ts';
import { readManifests } from '../source/manifest/read-manifests.ts';
import type { FieldPath } from '../source/node/field-path.ts';
import type { SourceFile, SourceLocation, SourceRange } from '../source/text/source-file.ts';
import { Problems, type Shape } from './shape.ts';

const MAXIMUM_DIAGNOSTICS = 100;

export interface ShapedFileOptions {
  /** Name of the file in messages, e.g. `the configuration`. */
  readonly subject: string;
  /** In UTF-16 units; must be a multiple of 1,024. */
  readonly maximumLength: number;
}

export type ShapedFile<T> =
  | {
      /** Undefined: the file is empty. */
      readonly value: T | undefined;
      readonly locate: (path: FieldPath, part: LocatedPart) => SourceLocation;
    }
  /** At least one. No value is returned, because a partial one could change the verdict. */
  | { readonly diagnostics: readonly Diagnostic[] };

export function readShapedFile<T>(
  file: SourceFile,
  shape: Shape<T>,
  { subject, maximumLength }: ShapedFileOptions,
): ShapedFile<T> {
  if (file.text.length > maximumLength) {
    const message = `${subject} is longer than ${maximumLength / 1024} KiB`;
    return wrong([problemAt('configuration-too-large', message, file, FILE_START)]);
  }
  const { manifests, problems } = readManifests(file);
  const unread: Diagnostic[] = problems.map(({ message, range, related }) => ({
    ...problemAt('configuration-does-not-parse', message, file, range),
    related: related.map((other) => ({ message: other.message, location: { file, range: other.range } })),
  }));
  const [document, second] = manifests;
  if (second !== undefined) {
    const message = `${subject} must be a single document, but here a second one starts`;
    unread.push(problemAt('configuration-does-not-parse', message, file, second.locate([], 'key')));
  }
  if (unread.length > 0) return wrong(unread);
  if (document === undefined) return { value: undefined, locate: () => ({ file, range: FILE_START }) };
  const locate = (path: FieldPath, part: LocatedPart) => ({ file, range: document.locate(path, part) });
  const found = new Problems(locate, subject);
  for (const { path, range, firstRange, isMerged } of document.duplicateFields) {
    if (!isMerged) found.repeated(path, { file, range }, firstRange && { file, range: firstRange });
  }
  const value = shape.read(document.value, [], found);
  return value === undefined || found.diagnostics.length > 0 ? wrong(found.diagnostics) : { value, locate };
}

const FILE_START: SourceRange = { start: 0, end: 0 };

function problemAt(code: Code, message: string, file: SourceFile, range: SourceRange): Diagnostic {
  return { code, severity: 'error', message, primary: { file, range }, related: [] };
}

function wrong(diagnostics: readonly Diagnostic[]): { readonly diagnostics: readonly Diagnostic[] } {
  const first = diagnostics.slice(0, MAXIMUM_DIAGNOSTICS);
  const next = diagnostics[MAXIMUM_DIAGNOSTICS];
  if (next === undefined) return { diagnostics };
  const more = `and ${diagnostics.length - MAXIMUM_DIAGNOSTICS} more problems`;
  return { diagnostics: [...first, { ...next, message: more, related: [] }] };
}
