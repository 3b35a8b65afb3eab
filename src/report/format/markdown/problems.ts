// Diagnostics of policies, configuration and manifests, most severe first.

import { openDiagnostics } from '../../baseline/excuse.ts';
import { isCounted } from '../../gate/counted.ts';
import type { Report, ReportedDiagnostic } from '../../report.ts';
import { adviceOf, bySeverity } from '../../wording/wording.ts';
import { stricterRules } from './blast-radius.ts';
import type { Block } from './fit-block.ts';
import { lineLink } from './links.ts';
import type { MarkdownOptions } from './options.ts';
import { name, paragraph, prose } from './words.ts';

export function problems(report: Report, options: MarkdownOptions): Block {
  const toldElsewhere = new Set(stricterRules(report).values());
  return {
    head: '### Problems in policies, configuration and manifests\n\n',
    items: bySeverity(openDiagnostics(report.diagnostics))
      .filter((diagnostic) => isCounted(diagnostic, report.verdict))
      .filter((diagnostic) => !toldElsewhere.has(diagnostic))
      .map((diagnostic) => problem(diagnostic, options)),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

function problem({ code, severity, message, primary, ...rest }: ReportedDiagnostic, options: MarkdownOptions): string {
  const where = primary === undefined ? '' : `<br>${lineLink(primary, options)}`;
  const help = adviceOf(rest);
  const advice = help === undefined ? '' : `<br>help: ${prose(help)}`;
  return `- **${severity}** ${paragraph(message, prose)} (${name(code)})${where}${advice}\n`;
}
