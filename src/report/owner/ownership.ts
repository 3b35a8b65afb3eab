// Where the owners of a report come from.

/** Sources of the owners, and the parts of them that were not used. */
export interface Ownership {
  /** Keys of the label and the annotation of objects that name owners, from the configuration. */
  readonly label?: string;
  readonly annotation?: string;
  /** The CODEOWNERS file, and the host whose rules apply. Absent: there is none. */
  readonly path?: string;
  readonly syntax?: 'GitHub' | 'GitLab';
  /** Why owners of files are unknown or incomplete. */
  readonly problem?: string;
  /** The first lines that the host ignores, with the reason. */
  readonly ignored?: readonly { readonly line: number; readonly reason: string }[];
  /** Number of all ignored lines. Absent: none. */
  readonly ignoredLines?: number;
}

/** Only with `--owner`: the findings and diagnostics of the report are those of one owner. The verdict is that of all. */
export interface ListedPart {
  readonly owner: string;
  readonly findings: number;
  readonly diagnostics: number;
  /** Number of findings and diagnostics of other owners. */
  readonly leftOut: number;
}
