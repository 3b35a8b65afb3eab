// Differences between releases as terminal text: differences, then common findings, then verdicts.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import type {
  DifferenceKind,
  ReleaseComparison,
  ReleaseDifference,
  ReleaseSummary,
} from '../../comparison/release-comparison.ts';
import type { Place } from '../../report.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { CONCLUSION_WORDS, count, resourceLabel } from '../../wording/wording.ts';

/** Title of each kind of difference, in every format. */
export const DIFFERENCE_TITLES: Readonly<Record<DifferenceKind, string>> = {
  verdict: 'Policy verdicts',
  served: 'Kinds and versions not served',
  policy: 'Policies and expressions',
  object: 'Objects',
  coverage: 'Not evaluated',
};

export function releasesText(
  comparison: ReleaseComparison,
  { color, quiet }: Pick<ReporterOptions, 'color' | 'quiet'>,
): string {
  const bold = (text: string): string => (color ? `\u001b[1m${text}\u001b[22m` : text);
  const lines: string[] = [];
  for (const [kind, differences] of byKind(comparison.differences)) {
    lines.push(bold(DIFFERENCE_TITLES[kind]), '');
    for (const difference of differences) {
      for (const line of differenceLines(difference)) lines.push(`  ${sanitizeLine(line)}`);
      lines.push('');
    }
  }
  if (comparison.differences.length === 0) lines.push('All releases give the same result.', '');
  if (!quiet) {
    const same = sameLines(comparison);
    if (same.length > 0) lines.push(bold('The same in every release'), '');
    for (const line of same) lines.push(`  ${sanitizeLine(line)}`);
    if (same.length > 0) lines.push('');
  }
  for (const line of verdictLines(comparison)) lines.push(sanitizeLine(line));
  return `${lines.join('\n')}\n`;
}

export function byKind(
  differences: readonly ReleaseDifference[],
): ReadonlyMap<DifferenceKind, readonly ReleaseDifference[]> {
  const kinds = new Map<DifferenceKind, ReleaseDifference[]>();
  for (const difference of differences) {
    const same = kinds.get(difference.kind);
    if (same === undefined) kinds.set(difference.kind, [difference]);
    else same.push(difference);
  }
  return kinds;
}

/** `apps/web.yaml:3:5`. */
export function placeLabel({ path, startLine, startColumn }: Place): string {
  return `${path}:${startLine}:${startColumn}`;
}

/** Groups releases with the same answer. */
export function answerGroups({
  answers,
  kind,
}: ReleaseDifference): readonly (readonly [releases: string, message: string])[] {
  const silent = kind === 'verdict' ? 'no finding' : kind === 'coverage' ? 'evaluated' : 'nothing';
  const groups = new Map<string, string[]>();
  for (const { kubernetesVersion, message = silent } of answers) {
    const same = groups.get(message);
    if (same === undefined) groups.set(message, [kubernetesVersion]);
    else same.push(kubernetesVersion);
  }
  return [...groups].map(([message, releases]) => [releases.join(', '), message]);
}

function differenceLines(difference: ReleaseDifference): readonly string[] {
  const { subject, what, place, defaulted } = difference;
  const where = place === undefined ? '' : `${placeLabel(place)} `;
  const by = defaulted === true ? ', by an API server default' : '';
  return [
    `${where}${subject === '' ? what : `${subject}: ${what}`}${by}`,
    ...answerGroups(difference).map(([releases, message]) => `  ${releases}: ${message}`),
  ];
}

function sameLines({ same: { findings, diagnostics } }: ReleaseComparison): readonly string[] {
  return [
    ...findings.map(({ primary, severity, resource, message }) => {
      return `${placeLabel(primary)} ${severity}: ${resourceLabel(resource)}: ${message}`;
    }),
    ...diagnostics.map(({ primary, severity, message }) => {
      return `${primary === undefined ? '' : `${placeLabel(primary)} `}${severity}: ${message}`;
    }),
  ];
}

/** One line per release, then the number of differences. */
export function verdictLines({ releases, differences }: ReleaseComparison): readonly string[] {
  return [...releases.map(verdictLine), count(differences.length, 'difference')];
}

function verdictLine({ kubernetesVersion, verdict, coverage, unlisted }: ReleaseSummary): string {
  const { conclusion, denied, warned, errors } = verdict;
  const numbers = `${denied} denied, ${warned} warned about, ${count(errors, 'error')}`;
  const uncompared = unlisted === undefined ? 0 : unlisted.error + unlisted.warning + unlisted.notice;
  const rest = uncompared === 0 ? '' : `; ${count(uncompared, 'finding')} beyond what a report holds, not compared`;
  return `Kubernetes ${kubernetesVersion}: ${CONCLUSION_WORDS[conclusion].toLowerCase()}: ${numbers}, of ${coverage.evaluated} of ${coverage.found} evaluated${rest}`;
}
