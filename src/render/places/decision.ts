// What a place finder learns of one source of a field: whether it decided the field, and where it is written.

import type { JsonValue } from '../../source/json/json.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import type { Written } from './written.ts';

/** A field of a rendered document that somebody asks about. */
export interface AskedField {
  readonly path: FieldPath;
  /** undefined: the document does not have it. */
  readonly value: JsonValue | undefined;
  readonly object: JsonValue;
  /** What the document the object was written in has there; undefined: nothing, or there is no such document. */
  readonly before: JsonValue | undefined;
  /** Names that the object has had, the one it was written with first. */
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
}

export interface FieldDecision {
  /** How it had a say, for people, as `image set by`. */
  readonly message: string;
  /** True if this alone gives the value that the field has. */
  readonly isExact: boolean;
  /** Steps of the path that this source has. */
  readonly depth: number;
  place(part: LocatedPart): SourceLocation;
  /** Of a part of a string, in code points; absent where the text is not written as it is. */
  placeText?(start: number, end: number): SourceLocation;
}

/** The field is what is written at a path of a document. */
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

/** The field follows from a setting that is not the field itself, but decides it. */
export function setBy(message: string, document: Written, path: FieldPath, depth: number): FieldDecision {
  return { message, isExact: true, depth, place: () => document.place(path, 'value') };
}
