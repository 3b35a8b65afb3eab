// Locations and names of objects, as the report writes them.

/** A location in the repository. Lines and columns count from 1, columns in code points; `end` is exclusive in columns. */
export interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Source lines around the location, long lines truncated, so that code frames do not need the repository. */
  readonly excerpt?: Excerpt;
  /** `primaryLocationLineHash` of code scanning for the start line; see `line-hash.ts`. */
  readonly lineHash?: string;
}

/** Lines of a source text, without line ends, values of Secrets as `…`. */
export interface Excerpt {
  /** Line number of the first entry. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** A further location that explains a finding or a diagnostic: the rule, the binding, the param, an earlier definition. */
export interface RelatedPlace {
  readonly message: string;
  /** Part of the deciding policy at this location; absent for other locations. */
  readonly role?: 'rule' | 'binding' | 'param';
  readonly place: Place;
}

/** Name of an object. `namespace` is absent if none is written; `name` is empty if the server generates it. */
export interface ResourceName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Replacement of whole lines; with an empty `before`, `after` is inserted before line `line`. Texts have no line ends. */
export interface LineFix {
  readonly path: string;
  /** Counts from 1. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Adjacent lines, for tools that can replace but not insert; absent at the start or end of the file, or if the line is hidden. */
  readonly above?: string;
  readonly below?: string;
}
