// What one source contributed to a field: whether it decided the value, and where.

import type { JsonValue } from '../../source/json/json.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import type { Written } from './written.ts';

/** The field of a rendered document to locate. */
export interface AskedField {
  readonly path: FieldPath;
  /** Undefined if the document does not have the field. */
  readonly value: JsonValue | undefined;
  readonly object: JsonValue;
  /** The value in the source document; undefined if that document or field does not exist. */
  readonly before: JsonValue | undefined;
  /** All names of the object, the original first. */
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
}

export interface FieldDecision {
  /** Label for the user, e.g. `image set by`. */
  readonly message: string;
  /** True if this source alone gives the field its value. */
  readonly isExact: boolean;
  /** Number of leading path steps that this source has. */
  readonly depth: number;
  place(part: LocatedPart): SourceLocation;
  /** Location of a part of a string, in code points. Absent if the text is not written literally. */
  placeText?(start: number, end: number): SourceLocation;
}

/** The field is copied from a path of a document. */
export function writtenAs(
  message: string,
  document: Written,
  path: FieldPath,
  { isExact, depth }: { readonly isExact: boolean; readonly depth: number },
): FieldDecision {
  return {
    message,
    isExact,
    depth,
    place: (part) => document.place(path, isExact ? part : 'key'),
    ...(isExact && { placeText: (start: number, end: number) => document.placeText(path, start, end) }),
  };
}

/** A setting that decides the field without containing its value literally. */
export function setBy(message: string, document: Written, path: FieldPath, depth: number): FieldDecision {
  return { message, isExact: true, depth, place: () => document.place(path, 'value') };
}
