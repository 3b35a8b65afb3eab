// What the history of earlier audits adds to the report of an audit: plain JSON.

/** Absent values are unknown to the history. */
export interface AuditHistory {
  /** Day of the first audit. A finding `since` this day may be older. */
  readonly from: string;
  /** Number of audits, including this one. */
  readonly audits: number;
  /** Day of the audit that `new` and `fixed` compare with: the last one at least a week ago, or the oldest one. Absent on the first day. */
  readonly comparedWith?: string;
  /** Findings on one object in one cluster; likewise the following counts. Without accepted ones. */
  readonly new: number;
  readonly fixed: number;
  /** The same since the audit before, which began at `at` on the same day. Absent: it is the first one of the day. */
  readonly sameDay?: { readonly at: string; readonly new: number; readonly fixed: number };
  /** Newest first; the first 50, with the clusters of one rule and object joined. */
  readonly fixedFindings: readonly FixedEntry[];
  /** Findings of earlier audits that this one could not judge. They count as open. */
  readonly unjudged: number;
  readonly unjudgedFindings: readonly FixedEntry[];
  /** The last audit of each day, oldest first; at most 90. */
  readonly trend: readonly HistoryPoint[];
  /** Most open findings first; at most 200. Names are `<kind>/<name>`. */
  readonly byPolicy: readonly BurnDown[];
  /** The name of findings without an owner is empty. */
  readonly byOwner: readonly BurnDown[];
  /** Policies that every audit has evaluated without a finding. */
  readonly cleanPolicies: readonly CleanPolicy[];
  /** Problems of the history, one sentence each. */
  readonly notes: readonly string[];
}

/** A finding that this audit does not report. */
export interface FixedEntry {
  readonly policy?: { readonly kind: string; readonly name: string };
  /** Part of the policy, or the diagnostic code. */
  readonly rule: string;
  /** `Deployment shop/web`, or a file or render target. */
  readonly subject: string;
  readonly targets: readonly string[];
  readonly path?: string;
  readonly owners?: readonly string[];
  readonly since: string;
  /** Day of the first audit without it; absent: it could not be judged. */
  readonly fixed?: string;
}

/** Numbers of a day; `open` in the part of an owner, the others in the whole. */
export interface HistoryPoint {
  readonly day: string;
  readonly open?: number;
  readonly denied?: number;
  readonly warned?: number;
  readonly audited?: number;
  readonly errors?: number;
  readonly undecided?: number;
  readonly accepted?: number;
  readonly evaluated?: number;
}

/** How the open findings of a policy or owner change. */
export interface BurnDown {
  readonly name: string;
  /** Open and undecided findings. */
  readonly open: number;
  /** The same at `comparedWith`. */
  readonly before?: number;
  readonly new: number;
  readonly fixed: number;
  /** First day of its oldest open finding. */
  readonly since?: string;
}

/** Accepted findings count as findings here, because the cluster would deny the objects. */
export interface CleanPolicy {
  readonly policy: { readonly kind: string; readonly name: string };
  readonly since: string;
  readonly days: number;
  /** Audits in a row without findings. */
  readonly audits: number;
  /** False if some audit of the row could not judge everything. */
  readonly isComplete: boolean;
  /**
   * Present if the policy only warns or audits, and every audit since this day judged everything and found nothing, for at least 14 days
   * with three days of audits.
   * The history does not know whether the policy itself changed meanwhile.
   */
  readonly canBeEnforced?: { readonly since: string; readonly days: number };
}
