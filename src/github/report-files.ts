// Writes the reports a workflow asked for, and always the whole one as JSON.
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { reporters } from '../report/format/reporters.ts';
import type { Report } from '../report/report.ts';
import type { ReporterOptions } from '../report/reporter.ts';
import { GithubError } from './github-error.ts';
import type { ReportFile } from './inputs.ts';

export interface ReportFolders {
  /** Paths of reports start here and may not leave it. */
  readonly workspace: string;
  /** Where the JSON report goes: RUNNER_TEMP, which nothing of the repository is in. */
  readonly temporary: string;
}

const OPTIONS: ReporterOptions = { color: false, width: 100, showSkipped: true, quiet: false };

/** Path of the JSON report. Throws a GithubError when a file cannot be written. `seconds`: how long the run took. */
export async function writeReports(
  report: Report,
  files: readonly ReportFile[],
  folders: ReportFolders,
  seconds: number,
): Promise<string> {
  for (const { format, path } of files) {
    await write(await insideWorkspace(path, folders.workspace), format, report, seconds);
  }
  const whole = join(folders.temporary, 'preadmit-report.json');
  await write(whole, 'json', report, seconds);
  return whole;
}

/** Before anything is evaluated for them. Throws a GithubError for a path that no report can be written to. */
export async function checkReportPaths(files: readonly ReportFile[], workspace: string): Promise<void> {
  for (const { path } of files) {
    const target = await insideWorkspace(path, workspace);
    const found = await lstat(target).catch(() => undefined);
    const folder = await stat(await realFolder(dirname(target))).catch(() => undefined);
    if (found !== undefined && !found.isFile()) {
      throw new GithubError('report-unwritable', `the report \`${path}\` cannot be written: it is no file`);
    }
    if (folder?.isDirectory() !== true) {
      throw new GithubError('report-unwritable', `the report \`${path}\` cannot be written: there is no such folder`);
    }
  }
}

/** The checkout may hold links that lead anywhere: the folder is taken as it really is, and the file may be no link. */
async function insideWorkspace(path: string, workspace: string): Promise<string> {
  const root = await realpath(workspace);
  const target = resolve(root, path);
  const folder = await realFolder(dirname(target));
  if ([target, folder].some((place) => relative(root, place).split(sep)[0] === '..')) {
    throw new GithubError('report-outside-workspace', `the report \`${path}\` is not inside the workspace`);
  }
  return target;
}

/** The nearest folder that exists, without links. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return realFolder(dirname(folder));
  }
}

async function write(path: string, format: string, report: Report, seconds: number): Promise<void> {
  const pieces = reporters.get(format)?.pieces(report, { ...OPTIONS, seconds }) ?? [];
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW);
    await writeFile(file, pieces).finally(() => file.close());
  } catch (cause) {
    throw new GithubError('report-unwritable', `the report \`${path}\` cannot be written`, { cause });
  }
}
