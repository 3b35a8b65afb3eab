// Effect of changed rules on objects that the change does not touch.
import { openDiagnostics } from '../../baseline/excuse.ts';
import type { BlastRadius, BlastRadiusEntry, Report, ReportedDiagnostic } from '../../report.ts';
import {
  blastRadiusHeadline,
  causeWords,
  count,
  firstLines,
  resourceLabel,
  storedWords,
  stricterLead,
} from '../../wording/wording.ts';
import { someOf } from '../text/listing.ts';
import { whatIfLines } from '../text/what-if-lines.ts';
import type { Block } from './fit-block.ts';
import { lineLink } from './links.ts';
import type { MarkdownOptions } from './options.ts';
import { message, name, prose, sentence } from './words.ts';

type Cause = BlastRadius['causes'][number];

const MAX_CAUSES = 5;

export function changedRules(report: Report, options: MarkdownOptions): Block {
  const { blastRadius } = report;
  if (blastRadius === undefined) return { head: '', items: [], foot: '', more: () => '' };
  const { causes, entries } = blastRadius;
  const warnings = stricterRules(report);
  const named = causes.slice(0, MAX_CAUSES).map((cause) => {
    const warning = warnings.get(cause);
    const where = warning?.primary === undefined ? '' : ` in ${lineLink(warning.primary, options)}`;
    const means = warning === undefined || causes.length === 1 ? '' : ` (${meaning(cause, warning)})`;
    return `${name(resourceLabel(cause.resource))} ${cause.change}${where}${means}`;
  });
  const more = causes.length > MAX_CAUSES ? `, and ${causes.length - MAX_CAUSES} more` : '';
  const advice = [...new Set([...warnings.values()].flatMap(({ help }) => (help === undefined ? [] : [help])))];
  const sentences = [`Once this is merged, because of ${named.join(', ')}${more}`, ...advice.map(asSentence)];
  const items = entries.map((entry) => changedAnswer(entry, options));
  return {
    head: `### Blast radius: ${blastRadiusHeadline(blastRadius)}\n\n${sentences.join('. ')}.\n\n`,
    items: items.length === 0 ? [''] : items,
    foot: items.length === 0 ? '' : '\n',
    more: (rest) => `- ${count(rest, 'more object')}\n`,
  };
}

/** What candidate policies of an audit would change. */
export function candidateRules({ audit }: Report, options: MarkdownOptions): Block {
  const whatIf = audit?.whatIf;
  if (whatIf === undefined) return { head: '', items: [], foot: '', more: () => '' };
  const { blastRadius } = whatIf;
  const headline = blastRadius === undefined ? 'no difference' : blastRadiusHeadline(blastRadius);
  const lines = whatIfLines(whatIf).map((line) => `- ${prose(line)}\n`);
  const items = blastRadius?.entries.map((entry) => changedAnswer(entry, options)) ?? [];
  return {
    head: `### With the candidate policies: ${headline}\n\n${lines.join('')}\n`,
    items: items.length === 0 ? [''] : items,
    foot: items.length === 0 ? '' : '\n',
    more: (rest) => `- ${count(rest, 'more object')}\n`,
  };
}

/** Warnings shown next to the changed rule instead of in the list of problems. */
export function stricterRules({ blastRadius, diagnostics }: Report): ReadonlyMap<Cause, ReportedDiagnostic> {
  const { causes = [] } = blastRadius ?? {};
  const open = openDiagnostics(diagnostics).filter(({ code }) => code === 'stricter-rule');
  return new Map(
    causes.slice(0, MAX_CAUSES).flatMap((cause) => {
      const lead = stricterLead(cause);
      const [warning, ...others] = open.filter((each) => each.message.startsWith(lead));
      const isOne = others.length === 0 && causes.filter((other) => stricterLead(other) === lead).length === 1;
      return warning !== undefined && isOne ? [[cause, warning] as const] : [];
    }),
  );
}

function meaning(cause: Cause, warning: ReportedDiagnostic): string {
  return prose(warning.message.slice(stricterLead(cause).length));
}

function asSentence(help: string): string {
  return sentence(prose(help));
}

function changedAnswer(entry: BlastRadiusEntry, options: MarkdownOptions): string {
  const { primary, resource, before, after, policies, message: words, fields } = entry;
  // If the answer stays the same, only the stored fields changed.
  const isStored = before === after && words === undefined && fields !== undefined;
  const other = before === after ? `still **${after}**` : `${before} → **${after}**`;
  const what = isStored ? `${after}, but **stored differently**` : other;
  const stored = fields === undefined ? '' : message(storedWords(fields));
  const why = isStored ? stored : words === undefined ? '' : message(firstLines(words)[0] ?? '');
  const causes = isStored ? '' : causeWords(entry);
  const by = [
    ...(policies.length === 0 ? [] : [[causes, someOf(policies.map(name))].filter(Boolean).join(' ')]),
    ...(why === '' ? [] : [why]),
  ].join(': ');
  const lines = [
    `${what} ${name(resourceLabel(resource))} in ${lineLink(primary, options)}`,
    ...(by === '' ? [] : [by]),
    ...(isStored || stored === '' ? [] : [`stored differently: ${stored}`]),
  ];
  return `- ${lines.join('<br>')}\n`;
}
