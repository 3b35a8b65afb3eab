// The history of an audit for the terminal: sentences, and lists of one line per finding.
import { auditWords, BURN_DOWN_COLUMNS, burnDownRow, policyRows } from '../../history/audit-words.ts';
import type { Report } from '../../report.ts';

export interface HistoryLines {
  readonly sentences: readonly string[];
  readonly lists: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

/** Empty without a history. */
export function historyLines(report: Report): HistoryLines {
  const { history, day = '' } = report.audit ?? {};
  if (history === undefined) return { sentences: [], lists: [] };
  const { sentences, lists } = auditWords(report, history, day);
  const hasOwners = history.byOwner.some(({ name }) => name !== '');
  const tables = [
    { title: 'By policy', rows: policyRows(history) },
    { title: 'By owner', rows: hasOwners ? history.byOwner : [] },
  ];
  return {
    sentences,
    lists: [
      ...lists.map(({ title, items }) => ({
        title,
        lines: items.map(({ subject, rule, words }) =>
          [`${subject}: `, rule === undefined ? '' : `${rule}, `, words].join(''),
        ),
      })),
      ...tables.map(({ title, rows }) => ({
        title,
        lines: rows.map((row) => {
          const [name = '', ...cells] = burnDownRow(row, day);
          return `${name}: ${cells.flatMap((cell, index) => (cell === '' ? [] : [`${BURN_DOWN_COLUMNS[index]} ${cell}`])).join(', ')}`;
        }),
      })),
    ].filter(({ lines }) => lines.length > 0),
  };
}
