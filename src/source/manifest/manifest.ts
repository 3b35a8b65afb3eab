// A document that is applied to a cluster: its value, and the place of every field of it that a person can edit.

import type { JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';
import type { SourceFile, SourceLocation, SourceRange } from '../text/source-file.ts';

/** Key alone, value alone, or both with what is between: for items of a list the `-` counts as key. */
export type LocatedPart = 'key' | 'value' | 'entry';

/** A key that is written more than once in one mapping. */
export interface DuplicateField {
  readonly path: FieldPath;
  /**
   * `repeated`: strict decoding refuses it, otherwise the last value counts. `colliding`: keys that differ in YAML and
   * become the same string (1 and "1"); which value counts is left to chance.
   */
  readonly kind: 'repeated' | 'colliding';
  /**
   * What strict decoding says: of YAML `line 2: key "a" already set in map`, of JSON `duplicate field "spec.a"`; empty for
   * colliding keys. Lines count from the beginning of the document.
   */
  readonly message: string;
  /** The later key. */
  readonly range: SourceRange;
  /** The first key; absent if it came in through a merge key. */
  readonly firstRange: SourceRange | undefined;
  /** A merge key brought one of the two, which is how merge keys are used. */
  readonly isMerged: boolean;
}

/** Written in a file (`WrittenManifest`), or rendered from several. Nobody who reads one has to know which. */
export interface Manifest {
  /** The file that stands for the document: the one it is written in, or the nearest that it is made from. */
  readonly file: SourceFile;
  readonly value: JsonValue;
  /** In the order of the file. */
  readonly duplicateFields: readonly DuplicateField[];
  /** What rendered it, in words that name root and way; absent for what is applied as it is written. */
  readonly root?: string;
  /** Fields whose value only the cluster can tell, though something is written there: a variable that nothing here defines. */
  openFields?(): readonly FieldPath[];
  /** Of the open fields those that are made up anew by every rendering, so that a difference there is no change. */
  readonly madeUpFields?: readonly FieldPath[];
  /** Where what rendered it is declared; known without asking where a field comes from, which may take long. */
  readonly declaredAt?: SourceLocation;
  /** Namespace of a namespaced object that names none, where what renders it says so. */
  readonly defaultNamespace?: string | undefined;
  /** The longest beginning of the path that the document has. */
  deepestPath(path: FieldPath): FieldPath;
  /** Where a person would change the field; if the document does not have it, the key of the deepest field on the way. */
  place(path: FieldPath, part: LocatedPart): SourceLocation;
  /** Where a part of a string is written: `start` and `end` are offsets in code points into the decoded string. */
  placeText(path: FieldPath, start: number, end: number): SourceLocation;
  /** Further places that had a say in the field, nearest first, each with what it is. */
  alsoFrom?(path: FieldPath): readonly { readonly message: string; readonly location: SourceLocation }[];
}
