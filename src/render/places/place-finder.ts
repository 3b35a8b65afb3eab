// What finds where a person would change a field of a rendered document.

import type { JsonValue } from '../../source/json/json.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';

export interface PlaceFinder {
  /** `value`: what the field is in the rendered document; undefined if it does not have the field. */
  place(path: FieldPath, part: LocatedPart, value: JsonValue | undefined): SourceLocation;
  /** Of a part of a string, in code points; absent: the place of the whole. */
  placeText?(path: FieldPath, start: number, end: number): SourceLocation;
  /** Further places that had a say, nearest first, each with what it is. */
  alsoFrom(path: FieldPath): readonly { readonly message: string; readonly location: SourceLocation }[];
}
