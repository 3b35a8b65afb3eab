// The sections that `preadmit audit` adds to a report.

import type { AuditHistory } from './audit-history.ts';
import type { Upgrades } from './upgrades.ts';
import type { WhatIf } from './what-if.ts';

/** The sections that an audit adds to a report. */
export interface Audit {
  /** Day of the audit: `2026-11-24`. */
  readonly day: string;
  /** Only for several releases. */
  readonly upgrades?: Upgrades;
  /** Only if candidate policies were given. */
  readonly whatIf?: WhatIf;
  /** What earlier audits found. Absent: the audit has no history. */
  readonly history?: AuditHistory;
}
