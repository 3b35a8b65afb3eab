// What to do before an upgrade, one line for each action.
import type { UpgradeAction, Upgrades } from '../../audit/upgrades.ts';
import { CONCLUSION_WORDS, count } from '../../wording/wording.ts';
import { someOf } from './listing.ts';

/** Title of each kind of action, in every format. */
export const UPGRADE_WORDS: Readonly<Record<UpgradeAction['kind'], string>> = {
  removed: 'not served',
  refused: 'newly refused',
  warned: 'newly warned about',
  policy: 'policy',
  undecided: 'no longer decided',
  'no-longer': 'no longer reported',
  'not-evaluated': 'no longer evaluated',
};

export function actionLine(action: UpgradeAction): string {
  const { before, kind, what, message, owners = [] } = action;
  const whose = owners.length === 0 ? '' : `; owner: ${someOf(owners)}`;
  return `before ${before}: ${UPGRADE_WORDS[kind]}: ${message} (${what}; ${subjectWords(action)}${whose})`;
}

/** `3 places: apps/a.yaml:1, …`. */
export function subjectWords({ count: number, subjects }: UpgradeAction): string {
  const named = subjects.filter((subject) => subject !== '');
  const more = number > named.length && named.length > 0 ? `, and ${number - named.length} more` : '';
  if (number === 1 && named.length === 1) return named[0] ?? '';
  return `${count(number, 'place')}${named.length === 0 ? '' : `: ${named.join(', ')}${more}`}`;
}

/** One sentence for each release, and one for each gap. */
export function releaseLines({ releases, unknown, isIncomplete, unlisted = 0 }: Upgrades): readonly string[] {
  return [
    ...releases.map(({ kubernetesVersion, conclusion, denied, warned, errors, undecided }, index) => {
      const now = index === 0 ? ' (current)' : '';
      const numbers = [
        ...(denied > 0 ? [`${denied} denied`] : []),
        ...(warned > 0 ? [`${warned} warned about`] : []),
        ...(errors > 0 ? [count(errors, 'error')] : []),
        ...(undecided > 0 ? [`${undecided} undecided`] : []),
      ];
      const isPlain = conclusion === 'denied' || conclusion === 'undecided';
      const words = isPlain && numbers.length > 0 ? numbers : [CONCLUSION_WORDS[conclusion].toLowerCase(), ...numbers];
      return `Kubernetes ${kubernetesVersion}${now}: ${words.join(', ')}`;
    }),
    ...unknown.map(
      (version) =>
        `Kubernetes ${version}: unknown: this version of Preadmit does not know the release, so nothing was checked for it`,
    ),
    ...(isIncomplete ? ['some findings are beyond the limit of a report and were not compared'] : []),
    ...(unlisted > 0 ? [`${count(unlisted, 'more action')} not listed`] : []),
  ];
}
