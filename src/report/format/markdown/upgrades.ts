// What to do before an upgrade, as one table.
import { escapeMarkdown } from '../../../diagnostic/markdown.ts';
import type { Report } from '../../report.ts';
import { cutToBytes } from '../../wording/cut-text.ts';
import { count } from '../../wording/wording.ts';
import { someOf } from '../text/listing.ts';
import { releaseLines, subjectWords, UPGRADE_WORDS } from '../text/upgrade-lines.ts';
import type { Block } from './fit-block.ts';
import { linkText, name, prose } from './words.ts';

const MAX_CELL_BYTES = 600;

export function upgradeTable({ audit }: Report): Block {
  const upgrades = audit?.upgrades;
  if (upgrades === undefined) return { head: '', items: [], foot: '', more: () => '' };
  const releases = releaseLines(upgrades).map((line) => `- ${prose(line)}\n`);
  const table = '| before | what | where | owner |\n|---|---|---|---|\n';
  return {
    head: `### Before the next upgrades\n\n${releases.join('')}\n${upgrades.actions.length === 0 ? '' : table}`,
    items:
      upgrades.actions.length === 0
        ? ['No difference was found in the known releases.\n']
        : upgrades.actions.map((action) => {
            const { before, kind, what, message, owners = [] } = action;
            const words = `**${UPGRADE_WORDS[kind]}**: ${cell(message)} (${name(what)})`;
            const whose = someOf(owners.map(linkText));
            return `| ${cell(before)} | ${words} | ${cell(subjectWords(action))} | ${whose} |\n`;
          }),
    foot: '\n',
    more: (rest) => `\n${count(rest, 'more action')}; the JSON report has them.\n`,
  };
}

/** One line without `|`. */
function cell(text: string): string {
  return escapeMarkdown(cutToBytes(text.replaceAll('\n', ' '), MAX_CELL_BYTES));
}
