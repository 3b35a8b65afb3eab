// The sections that `preadmit audit` adds to a report.

/** The sections that an audit adds to a report. */
export interface Audit {
  /** Day of the audit: `2026-11-24`. */
  readonly day: string;
}
