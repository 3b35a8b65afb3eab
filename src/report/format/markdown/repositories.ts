// The repositories of a joined report as a table, worst first.
import type { Report } from '../../report.ts';
import { count } from '../../wording/wording.ts';
import { conclusionWords, worstFirst } from '../text/repository-lines.ts';
import type { Block } from './fit-block.ts';
import { name, prose } from './words.ts';

export function repositoryTable({ repositories }: Report): Block {
  if (repositories === undefined) return { head: '', items: [], foot: '', more: () => '' };
  return {
    head:
      `### ${count(repositories.length, 'repository', 'repositories')}\n\n` +
      '| repository | verdict | denied | warned | audited | errors | not judged | evaluated |\n' +
      '|---|---|--:|--:|--:|--:|--:|--:|\n',
    items: worstFirst(repositories).map((summary) => {
      const { denied, warned, audited, errors, unjudged, evaluated } = summary;
      const numbers = [denied, warned, audited, errors, unjudged, evaluated].join(' | ');
      return `| ${name(summary.name)} | ${prose(conclusionWords(summary))} | ${numbers} |\n`;
    }),
    foot: '\n',
    more: (rest) => `\n${count(rest, 'more repository', 'more repositories')}\n`,
  };
}
