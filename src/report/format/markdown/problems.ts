// Diagnostics of policies, configuration and manifests, most severe first.

import { openDiagnostics } from '../../baseline/excuse.ts';
import { adviceOnce } from '../../folded/advice.ts';
import { alikeWords } from '../../folded/alike.ts';
import { type SameMessage, sameWords, withSameMessage } from '../../folded/same-message.ts';
import { isCounted } from '../../gate/counted.ts';
import type { Report } from '../../report.ts';
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
      withSameMessage(
        bySeverity(openDiagnostics(report.diagnostics))
          .filter((diagnostic) => isCounted(diagnostic, report.verdict))
          .filter((diagnostic) => !toldElsewhere.has(diagnostic)),
      ),
    ).map(([parts, advice]) => problem(parts, advice, options)),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

/** Advice that an earlier problem of the same code has is not repeated; long advice is listed once for each code. */
function withAdviceOnce(problems: readonly SameMessage[]): readonly (readonly [SameMessage, string | undefined])[] {
  const said = new Set<string>();
  return problems.map((each) => {
    const advice = adviceOf(each.diagnostic);
    if (advice === undefined) return [each, undefined];
    const { key, again } = adviceOnce(each.diagnostic.code, advice);
    if (said.has(key)) return [each, again];
    said.add(key);
    return [each, advice];
  });
}

function problem(same: SameMessage, advice: string | undefined, options: MarkdownOptions): string {
  const { diagnostic } = same;
  const { code, severity, message, primary } = diagnostic;
  const where = primary === undefined ? '' : `<br>${lineLink(primary, options)}`;
  const also = [sameWords(same), alikeWords(diagnostic)].filter((words) => words !== '');
  const alike = also.map((words) => `<br>${prose(words)}`).join('');
  const help = advice === undefined ? '' : `<br>help: ${prose(advice)}`;
  return `- **${severity}** ${paragraph(message, prose)} (${name(code)})${where}${alike}${help}\n`;
}
