// What to do before an upgrade: the differences between releases as one table, with the earliest release for each.
import {
  type DifferenceKind,
  type ReleaseAnswer,
  type ReleaseComparison,
  type ReleaseDifference,
  withoutRelease,
} from '../comparison/release-comparison.ts';
import { compareText } from '../finding/finding-order.ts';
import { UNDECIDED_CODES } from '../gate/undecided.ts';
import type { ReportedDiagnostic, Verdict } from '../report.ts';

export interface Upgrades {
  /** The current release first. `undecided`: rules, objects, render targets and documents without a judgement. */
  readonly releases: readonly (Pick<Verdict, 'conclusion' | 'denied' | 'warned' | 'errors' | 'undecided'> & {
    readonly kubernetesVersion: string;
  })[];
  /** Releases in the option that this version of Preadmit does not know. */
  readonly unknown: readonly string[];
  /** True if a release has more findings than a report lists; those were not compared. */
  readonly isIncomplete: boolean;
  /** Earliest release first; at most 500. */
  readonly actions: readonly UpgradeAction[];
  /** Number of further actions. Absent: none. */
  readonly unlisted?: number;
}

/**
 * `removed`: the release does not serve the kind or version. `refused`: the object would be denied. `warned`: it would be warned about or
 * audited. `policy`: the policy or an expression is rejected or deprecated. `undecided`: the release can no longer be judged.
 * `no-longer`: a policy no longer reports what it reports now. `not-evaluated`: the document is no longer evaluated.
 */
export type UpgradeKind = 'removed' | 'refused' | 'warned' | 'policy' | 'undecided' | 'no-longer' | 'not-evaluated';

export interface UpgradeAction {
  /** The earliest release: `Kubernetes 1.37`, `Kyverno 1.20`. */
  readonly before: string;
  readonly kind: UpgradeKind;
  /** The rule of a policy, or the code of a diagnostic. */
  readonly what: string;
  readonly message: string;
  /** Number of objects or documents. */
  readonly count: number;
  /** The first of them, with their lines if they have some; at most 5. */
  readonly subjects: readonly string[];
  readonly owners?: readonly string[];
}

const MAX_ACTIONS = 500;
const MAX_SUBJECTS = 5;
const MAX_OWNERS = 20;

const KINDS: readonly UpgradeKind[] = [
  'removed',
  'refused',
  'policy',
  'undecided',
  'not-evaluated',
  'no-longer',
  'warned',
];

/** The first release of `comparison` is the current one. `diagnostics`: of the current release, for what other projects remove. */
export function upgradesOf(
  comparison: ReleaseComparison,
  diagnostics: readonly ReportedDiagnostic[],
  unknown: readonly string[],
): Upgrades {
  const rows = new Map<string, UpgradeAction & { readonly owners: readonly string[] }>();
  const add = (action: Omit<UpgradeAction, 'count' | 'subjects'>, subject: string, count = 1): void => {
    const key = JSON.stringify([action.before, action.kind, action.what, action.message]);
    const { owners = [] } = action;
    const known = rows.get(key) ?? { ...action, count: 0, subjects: [], owners: [] };
    rows.set(key, {
      ...known,
      count: known.count + count,
      subjects: known.subjects.length < MAX_SUBJECTS ? [...known.subjects, subject] : known.subjects,
      owners: [...new Set([...known.owners, ...owners])].slice(0, MAX_OWNERS),
    });
  };
  const unserved = new Set(
    diagnostics.flatMap(({ code, primary, resource }) =>
      code === 'unserved-kind' && resource ? [`${resource.kind} ${resource.name} ${primary?.path}`] : [],
    ),
  );
  for (const difference of comparison.differences) {
    const { what, subject, place } = difference;
    // The current release refuses it, so it is no news that a later one does not serve it by default.
    if (what === 'unserved-version' && unserved.has(`${subject} ${place?.path}`)) continue;
    const change = firstChange(difference);
    if (change !== undefined) add({ ...change, ...withOwners(difference) }, subjectOf(difference));
  }
  for (const diagnostic of diagnostics) {
    const { removedIn, code, message, help, primary, count } = diagnostic;
    if (removedIn === undefined) continue;
    const words = help === undefined ? message : `${message}; ${help}`;
    const subject = primary === undefined ? '' : `${primary.path}:${primary.startLine}`;
    add({ before: removedIn, kind: 'policy', what: code, message: words, ...withOwners(diagnostic) }, subject, count);
  }
  const actions = [...rows.values()]
    .map(({ owners, ...action }): UpgradeAction => ({ ...action, ...(owners.length > 0 && { owners }) }))
    .sort(
      (one, other) => compareBefore(one.before, other.before) || KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
    );
  return {
    releases: comparison.releases.map(({ kubernetesVersion, verdict }) => {
      const { conclusion, denied, warned, errors, undecided, open, notRendered, incomplete, unread } = verdict;
      const unjudged = undecided + open + notRendered + incomplete + unread;
      return { kubernetesVersion, conclusion, denied, warned, errors, undecided: unjudged };
    }),
    unknown,
    isIncomplete: comparison.releases.some(({ unlisted }) => unlisted !== undefined),
    actions: actions.slice(0, MAX_ACTIONS),
    ...(actions.length > MAX_ACTIONS && { unlisted: actions.length - MAX_ACTIONS }),
  };
}

/** Undefined if later releases only report less; a rule that reports less is a change all the same. */
function firstChange(
  difference: ReleaseDifference,
): Pick<UpgradeAction, 'before' | 'kind' | 'what' | 'message'> | undefined {
  const [current, ...later] = difference.answers;
  const wordsOf = ({ message, kubernetesVersion }: ReleaseAnswer): string | undefined =>
    message === undefined ? undefined : withoutRelease(message, kubernetesVersion);
  const now = current && wordsOf(current);
  const { what, kind } = difference;
  const isUnserved = kind === 'served' && now !== undefined;
  // Releases name different reasons for a kind that none of them serves, but one may serve it until it is removed again.
  const from = isUnserved ? later.findIndex(({ message }) => message === undefined) : 0;
  const changed =
    from < 0 ? undefined : later.slice(from).find((answer) => wordsOf(answer) !== (isUnserved ? undefined : now));
  if (changed === undefined) return undefined;
  const before = `Kubernetes ${changed.kubernetesVersion}`;
  if (changed.message !== undefined) {
    const message = kind === 'coverage' ? changed.message.replace(/^not evaluated: /, '') : changed.message;
    return { before, kind: actionKind(difference), what, message };
  }
  return kind === 'verdict' ? { before, kind: 'no-longer', what, message: current?.message ?? '' } : undefined;
}

function actionKind({ kind, what, severity, isUndecided }: ReleaseDifference): UpgradeKind {
  if (isUndecided === true || UNDECIDED_CODES.some((code) => code === what)) return 'undecided';
  const byKind: Readonly<Record<DifferenceKind, UpgradeKind>> = {
    served: 'removed',
    verdict: severity === 'error' ? 'refused' : 'warned',
    object: severity === 'error' ? 'refused' : 'warned',
    policy: 'policy',
    coverage: 'not-evaluated',
  };
  return byKind[kind];
}

function subjectOf({ subject, place }: ReleaseDifference): string {
  const where = place === undefined ? '' : `${place.path}:${place.startLine}`;
  if (subject === '' || place?.path === subject) return where;
  return where === '' ? subject : `${subject} (${where})`;
}

function withOwners({ owners }: Pick<UpgradeAction, 'owners'>): Pick<UpgradeAction, 'owners'> {
  return owners === undefined ? {} : { owners };
}

/** By project, then by number. */
function compareBefore(one: string, other: string): number {
  const [project = '', version = ''] = one.split(' ');
  const [otherProject = '', otherVersion = ''] = other.split(' ');
  return compareText(project, otherProject) || version.localeCompare(otherVersion, 'en', { numeric: true });
}
