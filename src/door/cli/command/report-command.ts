// `preadmit report`: makes the page of an audit from its JSON report and its history.
import { constants } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { auditPage } from '../../../report/format/html/audit-page.ts';
import type { FoldedHistory } from '../../../report/history/fold-history.ts';
import { readReport } from '../../../report/json/read-report.ts';
import type { Report } from '../../../report/report.ts';
import { count } from '../../../report/wording/wording.ts';
import { reasonOf, WorkspaceError } from '../../../workspace/workspace-error.ts';
import { historyOf, historyProblem, readLocalHistory } from '../../run/audit-history.ts';
import { EXIT } from '../../run/exit-code.ts';
import { REPORT_COMMAND_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { type Terminal, usageError } from '../terminal.ts';

export async function reportCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, REPORT_COMMAND_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths, texts } = parsed.arguments;
  const [name, ...more] = paths;
  const folder = texts.get('site');
  if (name === undefined || more.length > 0 || folder === undefined) {
    return usageError(
      ['expected one JSON report and a folder: `preadmit report audit.json --site <folder>`'],
      terminal,
    );
  }
  const given = texts.get('history');
  const wrong = historyProblem(given, '`--history`');
  if (wrong !== undefined) return usageError([wrong], terminal);
  const text = await readFile(resolve(terminal.directory, name), 'utf8').catch((cause: unknown) => {
    throw new WorkspaceError('unreadable', `cannot read \`${name}\`: ${reasonOf(cause)}`, { cause });
  });
  const read = readReport(text);
  if ('problem' in read) return usageError([`\`${name}\` ${read.problem}`], terminal);
  const options = { directory: terminal.directory, paths: [], overrides: {} };
  const where = await historyOf(given, options, texts.get('history-name'));
  const history = where && (await readLocalHistory(where, terminal.today));
  const path = await writeSite(resolve(terminal.directory, folder), read.report, history, terminal.today);
  const { audits } = history ?? read.report.audit?.history ?? {};
  const words = audits === undefined ? 'without a history' : `with a history of ${count(audits, 'audit')}`;
  terminal.out(`Wrote ${path}, ${words}.\n`);
  return EXIT.allowed;
}

/** The files that `writeSite` writes. `.nojekyll` keeps GitHub Pages from processing the page. */
export const SITE_FILES = ['index.html', '.nojekyll'] as const;

/** Writes the page into a folder. Returns its path. Throws WorkspaceError, also if one of its files is a link. */
export async function writeSite(
  folder: string,
  report: Report,
  history: FoldedHistory | undefined,
  today: string,
): Promise<string> {
  const [page, marker] = SITE_FILES;
  const path = join(folder, page);
  try {
    await mkdir(folder, { recursive: true });
    await write(path, auditPage(report, history, today));
    await write(join(folder, marker), []);
    return path;
  } catch (cause) {
    throw new WorkspaceError('unwritable', `cannot write the page \`${path}\`: ${reasonOf(cause)}`, { cause });
  }
}

/** A checkout may contain a link of this name, which could lead anywhere. */
async function write(path: string, text: Iterable<string>): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW);
  await writeFile(file, text).finally(() => file.close());
}
