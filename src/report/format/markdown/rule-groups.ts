// Groups many findings by rule, so that each rule is shown once, with its objects.

import { objectKey, SEVERITY_RANK } from '../../finding/finding-limits.ts';
import type { Finding, Report } from '../../report.ts';
import { objectTally } from '../../tally/object-tally.ts';
import { byteLength } from '../../wording/cut-text.ts';
import { count, firstLines, ruleName } from '../../wording/wording.ts';
import { inTurns, MAX_LISTED } from '../text/listing.ts';
import { actionNote, findingLines, notes, objectLine, ruleParagraph } from './finding-block.ts';
import { type Block, fitBlock } from './fit-block.ts';
import type { MarkdownOptions } from './options.ts';
import { htmlCode, htmlText, paragraph } from './words.ts';

/** Groups are expanded until this many findings are visible; the first group always is. */
const MAX_OPEN_FINDINGS = 10;
const MAX_TITLE_LENGTH = 150;

interface RuleGroup {
  readonly listed: readonly Finding[];
  readonly all: readonly Finding[];
}

/** At most `limit` bytes, shared fairly between the rules. */
export function ruleGroups(
  findings: readonly Finding[],
  limit: number,
  report: Report,
  options: MarkdownOptions,
): string {
  const groups = listed(groupsOf(findings)).sort(
    (one, other) => weight(one) - weight(other) || other.all.length - one.all.length,
  );
  const tail = (number: number): string =>
    number === 0 ? '' : `${count(number, 'more finding')}; the JSON report has them all.\n\n`;
  let left = limit - byteLength(tail(findings.length));
  let written = '';
  let shown = 0;
  let seen = 0;
  for (const [index, group] of groups.entries()) {
    const block = groupBlock(group, index === 0 || seen < MAX_OPEN_FINDINGS, report, options);
    const fitted = fitBlock(block, left / (groups.length - index));
    seen += group.all.length;
    if (fitted.shown === 0) continue;
    written += fitted.text;
    shown += fitted.shown;
    left -= byteLength(fitted.text);
  }
  return written + tail(findings.length - shown);
}

function groupsOf(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = ruleKey(finding);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

/** Small groups are listed in full; large groups share the remaining space. */
function listed(groups: readonly (readonly Finding[])[]): RuleGroup[] {
  let left = MAX_LISTED;
  return [...groups]
    .sort((one, other) => one.length - other.length)
    .map((all, index): RuleGroup => {
      const number = Math.min(all.length, Math.floor(left / (groups.length - index)));
      left -= number;
      if (number === all.length) return { listed: all, all };
      const chosen = new Set(inTurns(all, objectKey).slice(0, number));
      return { listed: all.filter((finding) => chosen.has(finding)), all };
    })
    .filter((group) => group.listed.length > 0);
}

/** Includes the expression, because two clusters may have different policies of one name. */
function ruleKey({ policy, rule }: Finding): string {
  return [policy.kind, policy.name, rule.field, rule.expression].join('\0');
}

function weight({ all }: RuleGroup): number {
  return all.reduce((least, { severity }) => Math.min(least, SEVERITY_RANK[severity]), SEVERITY_RANK.notice);
}

function groupBlock({ listed, all }: RuleGroup, open: boolean, report: Report, options: MarkdownOptions): Block {
  const [first] = listed as [Finding, ...Finding[]];
  const isCommon = all.every(({ message }) => message === first.message);
  const isOneAction = all.every(({ severity, result }) => severity === first.severity && result === first.result);
  const title = isCommon ? `<b>${htmlText(first.message)}</b> · ${htmlCode(first.policy.name)}` : ruleTitle(first);
  const isOneBinding = all.every(
    ({ binding, param }) => binding === first.binding && param?.name === first.param?.name,
  );
  const item = (finding: Finding): string => {
    const words = isCommon ? '' : `<br>${paragraph(finding.message)}`;
    const action = isOneAction ? '' : actionNote(finding);
    const by = isOneBinding ? '' : bindingNote(finding);
    return `- ${objectLine(finding, options)}${action}${words}${by}${notes(finding, report).trimEnd().replace('\n', '<br>')}\n`;
  };
  // A group title must be one short line.
  const isWhole = firstLines(first.message).length === 1 && first.message.length <= MAX_TITLE_LENGTH;
  const words = isCommon && !isWhole ? `${paragraph(first.message)}\n\n` : '';
  const rule = ruleParagraph(isOneBinding ? first : withoutBinding(first), report, options);
  return {
    head:
      `<details${open ? ' open' : ''}><summary>${title} · ${objectTally(all)}</summary>\n\n` +
      `${words}${rule}\n${findingLines(first)}`,
    items: listed.map(item),
    foot: '\n</details>\n\n',
    more: () => '',
  };
}

function ruleTitle(finding: Finding): string {
  return `<b>${htmlCode(finding.policy.name)}</b> ${htmlCode(ruleName(finding))}`;
}

function withoutBinding({ binding: _binding, param: _param, ...finding }: Finding): Finding {
  return finding;
}

function bindingNote({ binding, param }: Finding): string {
  const words = [
    ...(binding === undefined ? [] : [binding]),
    ...(param === undefined ? [] : [firstLines(param.name)[0] ?? '']),
  ];
  return words.length === 0 ? '' : `<br><sub>${words.map(htmlCode).join(' ')}</sub>`;
}
