// Applies the baseline to findings: marks accepted findings, and reports expired and unused entries.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { isUndecided } from '../gate/undecided.ts';
import { placeOf } from '../location/place.ts';
import type { Excuse, Finding, ReportedDiagnostic } from '../report.ts';
import { resourceLabel, ruleName } from '../wording/wording.ts';
import { isExpired } from './excuse.ts';

/** An absent field matches any value. */
export interface BaselineEntry {
  /** For findings. Either this or `code`. */
  readonly policy?: string;
  /** For a problem of the object itself, for example `unknown-field`. */
  readonly code?: string;
  readonly rule?: string;
  readonly binding?: string;
  readonly param?: string;
  readonly resource: string;
  readonly field?: string;
  readonly target?: string;
  /** Keeps accepting what could not be judged when a change touches it. */
  readonly touched?: 'accept';
  readonly owner: string;
  readonly reason: string;
  /** Last day, format `2027-03-31`. */
  readonly expires: string;
  readonly location: SourceLocation;
  readonly expiresLocation: SourceLocation;
}

export interface AppliedBaseline<Entry> {
  /** The same findings in the same order, with accepted ones marked. */
  readonly findings: readonly Finding[];
  /** The same diagnostics in the same order, with accepted ones marked. */
  readonly problems: readonly ReportedDiagnostic[];
  readonly diagnostics: readonly Diagnostic[];
  /** Entries that match at least one finding, including expired ones. */
  readonly used: ReadonlySet<Entry>;
}

/** An expired entry accepts nothing. `today` has the format `2026-11-21`. */
export function applyBaseline<Entry extends BaselineEntry>(
  findings: readonly Finding[],
  baseline: readonly Entry[],
  today: string,
  given: readonly ReportedDiagnostic[] = [],
): AppliedBaseline<Entry> {
  const byResource = new Map<string, Entry[]>();
  for (const entry of baseline) {
    const key = keyOf(entry.policy, entry.code, entry.resource);
    const others = byResource.get(key);
    if (others === undefined) byResource.set(key, [entry]);
    else others.push(entry);
  }
  const used = new Set<Entry>();
  const excuseFor = (
    key: string,
    said: Finding | ReportedDiagnostic,
    isMeant: (entry: Entry) => boolean,
  ): Excuse | undefined => {
    const matching = (byResource.get(key) ?? []).filter(isMeant);
    for (const entry of matching) used.add(entry);
    const countsAgain = isUndecided(said) && isTouched(said);
    const valid = matching.find(
      ({ expires, touched }) => !isExpired(expires, today) && (!countsAgain || touched === 'accept'),
    );
    if (valid === undefined) return undefined;
    const { owner, reason, expires, location } = valid;
    return { by: 'baseline', reason, owner, expires, place: placeOf(location) };
  };
  const excused = findings.map((finding): Finding => {
    const key = keyOf(finding.policy.name, undefined, resourceLabel(finding.resource));
    const excuse = excuseFor(key, finding, (entry) => accepts(entry, finding));
    return excuse === undefined || finding.excuse !== undefined ? finding : { ...finding, excuse };
  });
  const problems = given.map((problem): ReportedDiagnostic => {
    const subject = diagnosticSubject(problem);
    if (subject === undefined) return problem;
    const key = keyOf(undefined, problem.code, subject);
    const excuse = excuseFor(key, problem, (entry) => acceptsProblem(entry, problem));
    return excuse === undefined || problem.excuse !== undefined ? problem : { ...problem, excuse };
  });
  const diagnostics = baseline.flatMap((entry): Diagnostic[] => {
    if (!used.has(entry)) return [unused(entry)];
    return isExpired(entry.expires, today) ? [expired(entry)] : [];
  });
  return { findings: excused, problems, diagnostics, used };
}

type BaselineKey = Omit<BaselineEntry, 'touched' | 'owner' | 'reason' | 'expires' | 'location' | 'expiresLocation'>;

/** Entry fields that identify a finding. */
export function baselineKey(finding: Finding, targetMatters: boolean): BaselineKey {
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

/** Entry fields that identify a problem of an object itself; undefined for other diagnostics. */
export function diagnosticSubject({ resource, subject, part }: ReportedDiagnostic): string | undefined {
  if (resource !== undefined) return resourceLabel(resource);
  return part === undefined ? subject : `${subject} without ${part}`;
}

/** The keys of the entries that accept a diagnostic, one for each of its subjects. Empty for a diagnostic without a subject. */
export function problemKeys(problem: ReportedDiagnostic): readonly BaselineKey[] {
  const { code, fieldPath, subjects = [diagnosticSubject(problem)] } = problem;
  const field = fieldPath === undefined || fieldPath === '' ? {} : { field: fieldPath };
  return subjects.flatMap((resource) => (resource === undefined ? [] : [{ code, resource, ...field }]));
}

/** In a comparison: the change creates or updates the subject. */
function isTouched({ status, ...said }: Finding | ReportedDiagnostic): boolean {
  if (status === undefined) return false;
  return 'operation' in said ? said.operation !== 'CREATE' || status === 'new' : status === 'new';
}

function keyOf(policy: string | undefined, code: string | undefined, resource: string): string {
  return JSON.stringify([policy, code, resource]);
}

/** True if an entry matches a diagnostic of an object; ignores the date. */
export function acceptsProblem(entry: BaselineEntry, problem: ReportedDiagnostic): boolean {
  if (entry.policy !== undefined) return false;
  return problemKeys(problem).some((said) =>
    (['code', 'resource', 'field'] as const).every((name) => entry[name] === undefined || entry[name] === said[name]),
  );
}

/** True if an entry matches a finding; ignores the date. */
export function accepts(entry: BaselineEntry, finding: Finding): boolean {
  if (entry.code !== undefined) return false;
  const said = baselineKey(finding, true);
  return (['policy', 'resource', 'rule', 'binding', 'param', 'field', 'target'] as const).every(
    (name) => entry[name] === undefined || entry[name] === said[name],
  );
}

function expired({ policy, code, resource, expires, owner, expiresLocation }: BaselineEntry): Diagnostic {
  return {
    code: 'expired-baseline-entry',
    severity: 'error',
    message: `the baseline accepted \`${policy ?? code}\` for \`${resource}\` until ${expires}`,
    primary: expiresLocation,
    related: [],
    help: `fix it, or agree on another day with its owner, ${owner}`,
  };
}

function unused({ policy, code, resource, location }: BaselineEntry): Diagnostic {
  return {
    code: UNUSED_ENTRY,
    severity: 'warning',
    message: `no finding of \`${policy ?? code}\` for \`${resource}\` is left for this entry of the baseline`,
    primary: location,
    related: [],
    help: 'remove it with `preadmit baseline --prune`',
  };
}

/** When shards are merged, an entry is unused only if all shards report it. */
export const UNUSED_ENTRY = 'unused-baseline-entry';
