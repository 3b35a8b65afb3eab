// Writes the requested reports, and always the full JSON report.
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { reporters } from '../report/format/reporters.ts';
import type { Report } from '../report/report.ts';
import type { ReporterOptions } from '../report/reporter.ts';
import { GithubError } from './github-error.ts';
import type { ReportFile } from './inputs.ts';

export interface ReportFolders {
  /** Report paths are relative to this folder and must stay inside it. */
  readonly workspace: string;
  /** Folder of the JSON report: RUNNER_TEMP, which is outside the repository. */
  readonly temporary: string;
}

const OPTIONS: ReporterOptions = { color: false, width: 100, showSkipped: true, quiet: false };

/** Returns the path of the JSON report. Throws a GithubError if a file cannot be written. */
export async function writeReports(
  report: Report,
  files: readonly ReportFile[],
  folders: ReportFolders,
): Promise<string> {
  for (const { format, path } of files) {
    await write(await insideWorkspace(path, folders.workspace), format, report);
  }
  const whole = join(folders.temporary, 'preadmit-report.json');
  await write(whole, 'json', report);
  return whole;
}

/** Checks the paths before the evaluation. Throws a GithubError for a path that cannot be written. */
export async function checkReportPaths(files: readonly Pick<ReportFile, 'path'>[], workspace: string): Promise<void> {
  for (const { path } of files) {
    const target = await insideWorkspace(path, workspace);
    const found = await lstat(target).catch(() => undefined);
    const folder = await stat(await realFolder(dirname(target))).catch(() => undefined);
    if (found !== undefined && !found.isFile()) {
      throw new GithubError('report-unwritable', `the report \`${path}\` cannot be written: it is not a regular file`);
    }
    if (folder?.isDirectory() !== true) {
      throw new GithubError('report-unwritable', `the report \`${path}\` cannot be written: its folder does not exist`);
    }
  }
}

/** Links in the checkout may lead outside: resolves links in the folder; the file itself must not be a link. */
async function insideWorkspace(path: string, workspace: string): Promise<string> {
  const root = await realpath(workspace);
  const target = resolve(root, path);
  const folder = await realFolder(dirname(target));
  if ([target, folder].some((place) => relative(root, place).split(sep)[0] === '..')) {
    throw new GithubError('report-outside-workspace', `the report \`${path}\` is not inside the workspace`);
  }
  return target;
}

/** The nearest existing ancestor with links resolved. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return realFolder(dirname(folder));
  }
}

async function write(path: string, format: string, report: Report): Promise<void> {
  const pieces = reporters.get(format)?.pieces(report, OPTIONS) ?? [];
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW);
    await writeFile(file, pieces).finally(() => file.close());
  } catch (cause) {
    throw new GithubError('report-unwritable', `the report \`${path}\` cannot be written`, { cause });
  }
}
