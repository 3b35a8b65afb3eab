// Diagnostics of policies, configuration and manifests, most severe first.

import { openDiagnostics } from '../../baseline/excuse.ts';
import { adviceOnce } from '../../folded/advice.ts';
import { alikeWords } from '../../folded/alike.ts';
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
    items: withAdviceOnce(
      bySeverity(openDiagnostics(report.diagnostics))
        .filter((diagnostic) => isCounted(diagnostic, report.verdict))
        .filter((diagnostic) => !toldElsewhere.has(diagnostic)),
    ).map(([diagnostic, advice]) => problem(diagnostic, advice, options)),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

/** Advice that an earlier problem of the same code has is not repeated; long advice is listed once for each code. */
function withAdviceOnce(
  diagnostics: readonly ReportedDiagnostic[],
): readonly (readonly [ReportedDiagnostic, string | undefined])[] {
  const said = new Set<string>();
  return diagnostics.map((diagnostic) => {
    const advice = adviceOf(diagnostic);
    if (advice === undefined) return [diagnostic, undefined];
    const { key, again } = adviceOnce(diagnostic.code, advice);
    if (said.has(key)) return [diagnostic, again];
    said.add(key);
    return [diagnostic, advice];
  });
}

function problem(diagnostic: ReportedDiagnostic, advice: string | undefined, options: MarkdownOptions): string {
  const { code, severity, message, primary } = diagnostic;
  const where = primary === undefined ? '' : `<br>${lineLink(primary, options)}`;
  const others = alikeWords(diagnostic);
  const alike = others === '' ? '' : `<br>${prose(others)}`;
  const help = advice === undefined ? '' : `<br>help: ${prose(advice)}`;
  return `- **${severity}** ${paragraph(message, prose)} (${name(code)})${where}${alike}${help}\n`;
}
