// Finds where a user would change a field of a rendered document.

import type { JsonValue } from '../../source/json/json.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';

export interface PlaceFinder {
  /** `value`: the field's value in the rendered document; undefined if it is missing. */
  place(path: FieldPath, part: LocatedPart, value: JsonValue | undefined): SourceLocation;
  /** Location of a part of a string, in code points. Absent: use the location of the whole string. */
  placeText?(path: FieldPath, start: number, end: number): SourceLocation;
  /** Other locations that contributed, nearest first, each with a label. */
  alsoFrom(path: FieldPath): readonly { readonly message: string; readonly location: SourceLocation }[];
}
