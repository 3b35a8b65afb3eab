// Workflow commands: one annotation for each finding and diagnostic, as the Actions runner reads them from a log.
import { sanitizeLine, sanitizeText } from '../../diagnostic/sanitize.ts';
import { cutToBytes } from '../cut-text.ts';
import type { Place, Report, Severity } from '../report.ts';
import type { Reporter } from '../reporter.ts';
import { bySeverity, count, resourceLabel, verdictHeadline } from '../wording.ts';

/** The runner shows no more of a level for a step; the others stay in the log. */
const SHOWN_PER_LEVEL = 10;
/** The runner cuts at 4096 characters. */
const MAX_MESSAGE_BYTES = 4_000;
const MAX_TITLE_BYTES = 255;

interface Command {
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly place: Place | undefined;
}

export const github: Reporter = {
  name: 'github',
  extension: 'log',
  render: (report) => {
    const commands = bySeverity(commandsOf(report));
    const lines = [...commands.map(encode), ...hidden(commands), sanitizeLine(verdictHeadline(report))];
    return `${lines.join('\n')}\n`;
  },
};

function commandsOf(report: Report): Command[] {
  return [
    ...report.diagnostics.map(({ code, severity, message, primary, help }) => ({
      severity,
      title: code,
      message: help === undefined ? message : `${message}\nhelp: ${help}`,
      place: primary,
    })),
    ...report.findings.map(({ severity, policy, binding, actions, message, resource, primary }) => ({
      severity,
      title: `${resourceLabel(resource)}: ${policy.name}`,
      message: `${message}\n${actions.join(' and ')} by ${policy.kind} ${policy.name}${binding === undefined ? '' : ` with binding ${binding}`}`,
      place: primary,
    })),
  ];
}

function hidden(commands: readonly Command[]): string[] {
  return (['error', 'warning', 'notice'] as const).flatMap((severity) => {
    const number = commands.filter((command) => command.severity === severity).length;
    const all = count(number, `${severity} annotation`);
    return number > SHOWN_PER_LEVEL ? [`${all}: GitHub shows ${SHOWN_PER_LEVEL} of a step, all are in this log`] : [];
  });
}

/** The wire format of actions/toolkit `packages/core/src/command.ts`; the property for a column is `col`. */
function encode({ severity, title, message, place }: Command): string {
  const properties = [
    ...(place === undefined ? [] : placeProperties(place)),
    `title=${property(cutToBytes(sanitizeText(title), MAX_TITLE_BYTES))}`,
  ];
  return `::${severity} ${properties.join(',')}::${data(cutToBytes(sanitizeText(message), MAX_MESSAGE_BYTES))}`;
}

/** The runner drops columns of a place on several lines, and shows an annotation below its last line: we keep the first. */
function placeProperties({ path, startLine, startColumn, endLine, endColumn }: Place): string[] {
  const file = `file=${property(path)}`;
  if (startLine !== endLine) return [file, `line=${startLine}`];
  const lastColumn = Math.max(startColumn, endColumn - 1);
  return [file, `line=${startLine}`, `endLine=${endLine}`, `col=${startColumn}`, `endColumn=${lastColumn}`];
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
