// A document that is applied to a cluster: its value, and the editable location of each of its fields.

import type { JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';
import type { SourceFile, SourceLocation, SourceRange } from '../text/source-file.ts';

/** Only the key, only the value, or both with the text between. The key of a list item is its `-`. */
export type LocatedPart = 'key' | 'value' | 'entry';

/** A key that is written more than once in one mapping. */
export interface DuplicateField {
  readonly path: FieldPath;
  /**
   * `repeated`: strict decoding rejects it; otherwise the last value wins. `colliding`: keys that differ in YAML but
   * become the same string (1 and "1"); the winner is undefined.
   */
  readonly kind: 'repeated' | 'colliding';
  /**
   * Message of strict decoding: `line 2: key "a" already set in map` for YAML, `duplicate field "spec.a"` for JSON,
   * empty for colliding keys. Lines are relative to the document.
   */
  readonly message: string;
  readonly range: SourceRange;
  /** The first key; undefined if it came from a merge key. */
  readonly firstRange: SourceRange | undefined;
  /** One of the two came from a merge key. Overriding merged keys is normal use. */
  readonly isMerged: boolean;
}

/** What applies a rendered document. */
export interface Applier {
  /** The tools whose annotations it obeys. */
  readonly obeys: readonly ('argo-cd' | 'flux' | 'helm')[];
  /** The setting that makes it leave objects in the cluster after their removal from Git. Absent: it deletes them. */
  readonly keepsRemoved?: string;
  /** True if it deletes and creates an object whose update the server refuses. */
  readonly recreatesRefused?: true;
  /** True for server-side apply; otherwise a three-way merge patch. */
  readonly isServerSide?: true;
}

/** Why the applier of a root never applies one of its documents. */
export interface NeverApplied {
  /** The metadata of the document, e.g. `kustomize.toolkit.fluxcd.io/ssa: Ignore`. */
  readonly because: string;
  /** True if the applier leaves the object in the cluster if it exists; otherwise the applier may delete it. */
  readonly staysIfExisting: boolean;
}

/** Written in a file (`WrittenManifest`) or rendered from several. Users of this interface need not distinguish the two. */
export interface Manifest {
  /** The file the document is reported under: the file it is written in, or the closest source of a rendered document. */
  readonly file: SourceFile;
  readonly value: JsonValue;
  readonly duplicateFields: readonly DuplicateField[];
  /** Name of the entry point that rendered the document and of the tool; absent for a document that is applied as written. */
  readonly root?: string;
  /** Absent if the repository does not say what applies the document. */
  readonly applier?: Applier;
  /** Absent if the document is applied. */
  readonly neverApplied?: NeverApplied;
  /** Fields whose value is known only in the cluster although the file has a text for it, e.g. an undefined variable. */
  openFields?(): readonly FieldPath[];
  /** Where the cluster takes an open variable from: `from ConfigMap flux-system/settings, which is not in Git`. */
  variableSource?(name: string): string | undefined;
  /** What an open field depends on, to complete "depends on …". Undefined if only the path says it. */
  whyOpen?(path: FieldPath): string | undefined;
  /** What decides whether the object exists as it is here, to complete "depends on …". A rule that fails for it is then undecided. */
  readonly dependsOn?: string;
  /** The open fields that every rendering generates again, so that a difference there is not a change. */
  readonly madeUpFields?: readonly FieldPath[];
  /** The values that open fields have under other circumstances, as one text for comparisons. */
  readonly otherValues?: string;
  /** Values of Secrets that a controller put into the document; no output shows them. */
  readonly secrets?: ReadonlySet<string>;
  /** Where the entry point that rendered the document is declared. Cheap, unlike `place`. */
  readonly declaredAt?: SourceLocation;
  /** Namespace that the renderer sets on a namespaced object without one. */
  readonly defaultNamespace?: string | undefined;
  /** The longest prefix of the path that exists in the document. */
  deepestPath(path: FieldPath): FieldPath;
  /** Where a person would change the field. If the field does not exist: the key of its deepest existing ancestor. */
  place(path: FieldPath, part: LocatedPart): SourceLocation;
  /** Location of a part of a string: `start` and `end` are offsets in code points of the decoded string. */
  placeText(path: FieldPath, start: number, end: number): SourceLocation;
  /** Further locations that affect the field, nearest first, each with an explanation. */
  alsoFrom?(path: FieldPath): readonly { readonly message: string; readonly location: SourceLocation }[];
}
