// Last line: link to the run, how to accept a finding, how to reproduce the check locally.
import { openDiagnostics } from '../../baseline/excuse.ts';
import type { Report } from '../../report.ts';
import { PROJECT_URL } from '../../wording/project.ts';
import { shortId } from '../../wording/wording.ts';
import { shownFindings } from './findings.ts';
import type { MarkdownOptions } from './options.ts';
import { name } from './words.ts';

const EXCEPTIONS_URL = `${PROJECT_URL}/blob/main/docs/exceptions.md`;

export function footer(report: Report, { runUrl, baseName, lastWords = [] }: MarkdownOptions): string {
  const command = commandOf(report, baseName);
  const isToAccept = shownFindings(report).length + openDiagnostics(report.diagnostics).length > 0;
  const parts = [
    'Preadmit',
    ...(runUrl === undefined ? [] : [`[workflow run](${runUrl})`]),
    ...(isToAccept ? [`[accept a finding for a time](${EXCEPTIONS_URL})`] : []),
    ...(command === undefined ? [] : [`reproduce: ${name(command)}`]),
    ...lastWords,
  ];
  return `<sub>${parts.join(' · ')}</sub>\n`;
}

/** Undefined if the names are not plain: readers paste the command into a shell. */
function commandOf({ comparison, unusable, audit }: Report, baseName: string | undefined): string | undefined {
  const command = audit === undefined ? 'preadmit check' : 'preadmit audit';
  if (comparison === undefined) return unusable === undefined ? command : undefined;
  const base = baseName !== undefined && isPlain(baseName) ? baseName : shortId(comparison.base);
  if (base === comparison.base && base !== baseName) return undefined;
  return isPlain(base) ? `preadmit diff ${base} HEAD` : undefined;
}

function isPlain(word: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(word);
}
