// The history of an audit in Markdown: what changed, the trend, ages, and how policies and owners burn down.
import type { AuditHistory, BurnDown } from '../../audit/audit-history.ts';
import { auditWords, BURN_DOWN_COLUMNS, bars, burnDownRow, policyRows, signed } from '../../history/audit-words.ts';
import { dayWords } from '../../history/days.ts';
import type { Report } from '../../report.ts';
import type { Block } from './fit-block.ts';
import { message, name, prose } from './words.ts';

const TREND_NAMES = ['denied', 'warned', 'audited', 'errors', 'undecided', 'accepted', 'open'] as const;
const MAX_BARS = 30;

/** Each section with the maximum share of the page that it may fill; empty without a history. */
export function historySections(report: Report): readonly (readonly [Block, number])[] {
  const { history, day = '' } = report.audit ?? {};
  if (history === undefined) return [];
  const { sentences, lists } = auditWords(report, history, day);
  return [
    [{ head: '', items: sentences.map((sentence) => `- ${prose(sentence)}\n`), foot: '\n', more: () => '' }, 0.1],
    [trend(history, day), 0.1],
    ...lists.map(({ title, all, items }): readonly [Block, number] => [
      {
        head: `<details><summary>${title} (${all})</summary>\n\n`,
        items: items.map(
          ({ subject, rule, words }) =>
            `- ${[subject, ...(rule === undefined ? [] : [rule])].map(name).join(' ')}: ${message(words)}\n`,
        ),
        hidden: Math.max(0, all - items.length),
        foot: '\n</details>\n\n',
        more: (rest) => `- ${rest} more\n`,
      },
      0.08,
    ]),
    [burnDown('By policy', policyRows(history), day), 0.08],
    [burnDown('By owner', history.byOwner.some(({ name: owner }) => owner !== '') ? history.byOwner : [], day), 0.08],
  ];
}

function trend({ trend: points, comparedWith }: AuditHistory, day: string): Block {
  const shown = points.slice(-MAX_BARS);
  const before = points.find((point) => point.day === comparedWith);
  const now = points.at(-1);
  const rows = TREND_NAMES.filter((each) => shown.some((point) => (point[each] ?? 0) > 0)).map((each) => {
    const value = now?.[each] ?? 0;
    const change = before === undefined ? '' : signed(value - (before[each] ?? 0));
    return `| ${each} | ${value} | ${change} | ${bars(shown.map((point) => point[each] ?? 0))} |\n`;
  });
  const since = before === undefined ? 'change' : `since ${dayWords(before.day, day)}`;
  return {
    head: `| | now | ${since} | last ${shown.length === 1 ? 'day' : `${shown.length} days`} with an audit |\n|---|--:|--:|---|\n`,
    items: shown.length < 2 ? [] : rows,
    foot: '\n',
    more: () => '',
  };
}

function burnDown(title: string, rows: readonly BurnDown[], day: string): Block {
  return {
    head: `<details><summary>${title}</summary>\n\n| | ${BURN_DOWN_COLUMNS.join(' | ')} |\n|---|--:|--:|--:|--:|---|\n`,
    items: rows.map((row) => {
      const [label = '', ...cells] = burnDownRow(row, day);
      return `| ${label === 'no owner' ? label : name(label)} | ${cells.join(' | ')} |\n`;
    }),
    foot: '\n</details>\n\n',
    more: (rest) => `| ${rest} more | | | | | |\n`,
  };
}
