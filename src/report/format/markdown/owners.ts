// Problems and findings by owner: a table of all owners, then a section for each. Names of owners never mention anybody.
import { escapeMarkdown } from '../../../diagnostic/markdown.ts';
import { openDiagnostics } from '../../baseline/excuse.ts';
import { isCounted } from '../../gate/counted.ts';
import { byOwners, compareOwners } from '../../owner/owner-part.ts';
import type { Finding, Report, ReportedDiagnostic } from '../../report.ts';
import { objectTally } from '../../tally/object-tally.ts';
import { byteLength } from '../../wording/cut-text.ts';
import { count, ownershipSentences } from '../../wording/wording.ts';
import { findingsText, shownFindings } from './findings.ts';
import { fitBlock } from './fit-block.ts';
import type { MarkdownOptions } from './options.ts';
import { problems } from './problems.ts';
import { linkText, prose } from './words.ts';

/** Owners with a section of their own. */
const MAX_SECTIONS = 50;
const MAX_ROWS = 100;

/** At most `limit` bytes, shared fairly between the owners. */
export function ownersText(report: Report, limit: number, options: MarkdownOptions): string {
  const parts = partsOf(report);
  if (parts.length === 0) return '';
  let text = fitBlock(
    {
      head: '### By owner\n\n| owner | findings | problems |\n|---|---|--:|\n',
      items: parts.slice(0, MAX_ROWS).map((part) => row(part)),
      foot: '\n',
      hidden: Math.max(0, parts.length - MAX_ROWS),
      more: (rest) => `\n${count(rest, 'more owner')}\n`,
    },
    limit * 0.2,
  ).text;
  const unused = ownershipSentences(report).map((sentence) => `- ${prose(sentence)}\n`);
  text += fitBlock({ head: '', items: unused, foot: '\n', more: (rest) => `- ${rest} more\n` }, limit * 0.1).text;
  const shown = parts.slice(0, MAX_SECTIONS);
  for (const [index, part] of shown.entries()) {
    const head = `### ${ownerHeading(part.owner)}\n\n`;
    const room = (limit - byteLength(text)) / (shown.length - index) - byteLength(head);
    const ofOwner = { ...report, findings: part.findings, diagnostics: part.diagnostics };
    const block = problems(ofOwner, options);
    const mistakes = fitBlock({ ...block, head: '' }, room * 0.3).text;
    const findings = findingsText(ofOwner, room - byteLength(mistakes), false, options);
    if (mistakes + findings !== '') text += head + mistakes + findings;
  }
  return text;
}

interface OwnerEntries {
  /** Empty: no owner. */
  readonly owner: string;
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly ReportedDiagnostic[];
}

function partsOf(report: Report): readonly OwnerEntries[] {
  const findings = byOwners(shownFindings(report));
  const counted = openDiagnostics(report.diagnostics).filter((diagnostic) => isCounted(diagnostic, report.verdict));
  const diagnostics = byOwners(counted);
  return [...new Set([...findings.keys(), ...diagnostics.keys()])].sort(compareOwners).map((owner) => ({
    owner,
    findings: findings.get(owner) ?? [],
    diagnostics: diagnostics.get(owner) ?? [],
  }));
}

function row({ owner, findings, diagnostics }: OwnerEntries): string {
  const tally = findings.length === 0 ? '–' : `${findings.length} (${objectTally(findings)})`;
  return `| ${ownerHeading(owner)} | ${tally} | ${diagnostics.length} |\n`;
}

/** Escaped: `@team` in a heading or table would notify the team. */
function ownerHeading(owner: string): string {
  return owner === '' ? escapeMarkdown('no owner') : linkText(owner);
}
