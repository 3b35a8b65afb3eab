// Findings that were known before, held against the baseline: which of them are accepted, and which entries have had their day.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { SourceLocation } from '../source/source-file.ts';
import { isExpired } from './excuse.ts';
import { placeOf } from './place.ts';
import type { Finding } from './report.ts';
import { resourceLabel, ruleName } from './wording.ts';

/** An absent field accepts any value of it. */
export interface BaselineEntry {
  readonly policy: string;
  readonly rule?: string;
  readonly binding?: string;
  readonly param?: string;
  readonly resource: string;
  readonly field?: string;
  readonly target?: string;
  readonly owner: string;
  readonly reason: string;
  /** Last day, as `2027-03-31`. */
  readonly expires: string;
  readonly location: SourceLocation;
  readonly expiresLocation: SourceLocation;
}

export interface AppliedBaseline<Entry> {
  /** The same findings in the same order, some of them excused. */
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
  /** Entries that at least one finding answers to, expired ones too. */
  readonly used: ReadonlySet<Entry>;
}

/** An expired entry accepts nothing. `today` as `2026-11-21`. */
export function applyBaseline<Entry extends BaselineEntry>(
  findings: readonly Finding[],
  baseline: readonly Entry[],
  today: string,
): AppliedBaseline<Entry> {
  const byResource = new Map<string, Entry[]>();
  for (const entry of baseline) {
    const key = keyOf(entry.policy, entry.resource);
    byResource.set(key, [...(byResource.get(key) ?? []), entry]);
  }
  const used = new Set<Entry>();
  const excused = findings.map((finding): Finding => {
    const candidates = byResource.get(keyOf(finding.policy.name, resourceLabel(finding.resource))) ?? [];
    const matching = candidates.filter((entry) => accepts(entry, finding));
    for (const entry of matching) used.add(entry);
    const valid = matching.find(({ expires }) => !isExpired(expires, today));
    if (valid === undefined || finding.excuse !== undefined) return finding;
    const { owner, reason, expires, location } = valid;
    return { ...finding, excuse: { by: 'baseline', reason, owner, expires, place: placeOf(location) } };
  });
  const diagnostics = baseline.flatMap((entry): Diagnostic[] => {
    if (!used.has(entry)) return [unused(entry)];
    return isExpired(entry.expires, today) ? [expired(entry)] : [];
  });
  return { findings: excused, diagnostics, used };
}

/** What an entry says of a finding, with everything that tells it apart from others. */
export function baselineKey(
  finding: Finding,
  targetMatters: boolean,
): Omit<BaselineEntry, 'owner' | 'reason' | 'expires' | 'location' | 'expiresLocation'> {
  const { policy, binding, param, resource, fieldPath, target } = finding;
  return {
    policy: policy.name,
    rule: ruleName(finding),
    ...(binding !== undefined && { binding }),
    ...(param !== undefined && { param: resourceLabel(param) }),
    resource: resourceLabel(resource),
    ...(fieldPath !== '' && { field: fieldPath }),
    ...(targetMatters && { target }),
  };
}

function keyOf(policy: string, resource: string): string {
  return `${policy}\0${resource}`;
}

/** Whether an entry is about a finding, whatever the day. */
export function accepts(entry: BaselineEntry, finding: Finding): boolean {
  const said = baselineKey(finding, true);
  return (['policy', 'resource', 'rule', 'binding', 'param', 'field', 'target'] as const).every(
    (name) => entry[name] === undefined || entry[name] === said[name],
  );
}

function expired({ policy, resource, expires, owner, expiresLocation }: BaselineEntry): Diagnostic {
  return {
    code: 'expired-baseline-entry',
    severity: 'error',
    message: `the baseline accepted \`${policy}\` for \`${resource}\` until ${expires}`,
    primary: expiresLocation,
    related: [],
    help: `fix it, or agree on another day with its owner, ${owner}`,
  };
}

function unused({ policy, resource, location }: BaselineEntry): Diagnostic {
  return {
    code: UNUSED_ENTRY,
    severity: 'warning',
    message: `no finding of \`${policy}\` for \`${resource}\` is left for this entry of the baseline`,
    primary: location,
    related: [],
    help: 'remove it with `preadmit baseline --prune`',
  };
}

/** Of shards it is true only if all of them say so. */
export const UNUSED_ENTRY = 'unused-baseline-entry';
