// The checks of a level in a version, in evaluation order.
import { compareUtf8 } from '../../source/json/json.ts';
import type { PodSecurityCheck, VersionedCheck } from './check.ts';
import { POD_SECURITY_CHECKS } from './check-table.ts';

export interface SelectedCheck {
  readonly check: PodSecurityCheck;
  readonly versioned: VersionedCheck;
}

export function checksOf(level: 'baseline' | 'restricted', minor: number): readonly SelectedCheck[] {
  const selected: SelectedCheck[] = [];
  for (const check of ORDERED_CHECKS) {
    if (level === 'baseline' && check.level === 'restricted') continue;
    const versioned = checkAtVersion(check, minor);
    if (versioned !== undefined) selected.push({ check, versioned });
  }
  const overridden = new Set(selected.flatMap(({ versioned }) => versioned.overrides ?? []));
  return selected.filter(({ check }) => !overridden.has(check.id));
}

/** The revision of a check in a version of the policy; undefined if that version lacks the check. */
export function checkAtVersion(check: PodSecurityCheck, minor: number): VersionedCheck | undefined {
  return check.versions.findLast(({ minimumMinor }) => minimumMinor <= minor);
}

const ORDERED_CHECKS = [...POD_SECURITY_CHECKS].sort(
  (one, other) => compareUtf8(one.level, other.level) || compareUtf8(one.id, other.id),
);
