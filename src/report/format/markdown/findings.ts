// Counted findings: a few are listed individually, many are grouped by rule.

import { openFindings } from '../../baseline/excuse.ts';
import { isShown } from '../../gate/repeated.ts';
import type { Finding, Report } from '../../report.ts';
import { byteLength } from '../../wording/cut-text.ts';
import { bySeverity, count } from '../../wording/wording.ts';
import { findingBlock } from './finding-block.ts';
import { fitBlock } from './fit-block.ts';
import type { MarkdownOptions } from './options.ts';
import { ruleGroups } from './rule-groups.ts';

/** Maximum number of findings listed individually. */
const MAX_SINGLE_FINDINGS = 10;

/** At most `limit` bytes; `title`: whether a section precedes it. */
export function findingsText(report: Report, limit: number, title: boolean, options: MarkdownOptions): string {
  const counted = shownFindings(report);
  if (counted.length === 0) return '';
  const head = title ? '### Findings\n\n' : '';
  if (counted.length > MAX_SINGLE_FINDINGS) {
    const tally = `${count(counted.length, 'finding')} by rule:\n\n`;
    const text = ruleGroups(counted, limit - byteLength(head) - byteLength(tally), report, options);
    return head + tally + text;
  }
  return fitBlock(
    {
      head,
      items: bySeverity(counted).map((finding) => findingBlock(finding, report, options)),
      foot: '',
      more: (left) => `${count(left, 'more finding')}; the JSON report has them all.\n\n`,
    },
    limit,
  ).text;
}

export function shownFindings({ findings, verdict }: Report): readonly Finding[] {
  return openFindings(findings).filter((each) => isShown(each, verdict));
}
