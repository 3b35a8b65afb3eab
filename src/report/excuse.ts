// Why a finding does not count against the gate: what both kinds of excuse have in common.
import type { Excuse, Finding } from './report.ts';

/** The findings that count: neither in the baseline nor suppressed. */
export function openFindings<F extends Finding>(findings: readonly F[]): readonly F[] {
  return findings.filter(({ excuse }) => excuse === undefined);
}

/** `today` and `lastDay` as `2026-11-21`; the last day still counts. */
export function isExpired(lastDay: string, today: string): boolean {
  return lastDay < today;
}

/** What was accepted, and by whom: `accepted until 2027-03-31 by team-shop: larger nodes are ordered`. */
export function acceptance({ owner, expires, reason }: Excuse): string {
  const until = expires === undefined ? 'accepted' : `accepted until ${expires}`;
  return `${until}${owner === undefined ? '' : ` by ${owner}`}: ${reason}`;
}
