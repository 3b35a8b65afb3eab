// The repositories of a joined report, one line each.
import type { RepositorySummary } from '../../report.ts';
import { CONCLUSION_WORDS, count } from '../../wording/wording.ts';

const ORDER: readonly RepositorySummary['conclusion'][] = [
  'denied',
  'missing',
  'nothing-checked',
  'undecided',
  'allowed',
];

export function worstFirst(repositories: readonly RepositorySummary[]): readonly RepositorySummary[] {
  return [...repositories].sort(
    (one, other) => ORDER.indexOf(one.conclusion) - ORDER.indexOf(other.conclusion) || other.denied - one.denied,
  );
}

export function conclusionWords({ conclusion, unusable }: RepositorySummary): string {
  if (conclusion === 'missing') return 'no report: nothing is known about it';
  const words = CONCLUSION_WORDS[conclusion].toLowerCase();
  return unusable === undefined ? words : `${words}: \`${unusable}\` cannot be used`;
}

export function repositoryLine(summary: RepositorySummary): string {
  const { name, conclusion, denied, warned, audited, errors, unjudged, evaluated } = summary;
  if (conclusion === 'missing') return `${name}: ${conclusionWords(summary)}`;
  const numbers = `${denied} denied, ${warned} warned about, ${audited} audited, ${count(errors, 'error')}`;
  return `${name}: ${conclusionWords(summary)}: ${numbers}, ${unjudged} not judged, of ${evaluated} evaluated`;
}
