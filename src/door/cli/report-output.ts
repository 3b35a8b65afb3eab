// Parses `--format name[=file]` and `--output`, and writes reports to their destinations.
import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { reporters } from '../../report/format/reporters.ts';
import { listedFor } from '../../report/owner/owner-part.ts';
import type { Report } from '../../report/report.ts';
import type { ReporterOptions } from '../../report/reporter.ts';
import { reasonOf, systemErrorCode, WorkspaceError } from '../../workspace/workspace-error.ts';
import type { ParsedArguments } from './options/parse-arguments.ts';
import type { Terminal } from './terminal.ts';

export interface ReportOutput {
  readonly format: string;
  /** Undefined means standard output. */
  readonly file: string | undefined;
}

/** `--format name[=file]` is repeatable; `--output` is the file for the one format without its own. */
export function readOutputs(
  { lists, texts }: ParsedArguments,
  formats: readonly string[] = [...reporters.keys()],
): { outputs: readonly ReportOutput[] } | { problems: readonly string[] } {
  const outputs = (lists.get('format') ?? ['text']).map((entry): ReportOutput => {
    const equals = entry.indexOf('=');
    return equals < 0
      ? { format: entry, file: undefined }
      : { format: entry.slice(0, equals), file: entry.slice(equals + 1) };
  });
  const unknown = outputs.filter(({ format }) => !formats.includes(format));
  const known = formats.map((name) => `\`${name}\``).join(', ');
  const problems = unknown.map(({ format }) => `\`${format}\` is not a format: expected one of ${known}`);
  for (const { format, file } of outputs) {
    if (file === '') problems.push(`\`--format ${format}=\` is missing the file name`);
  }
  const toStandardOutput = outputs.filter(({ file }) => file === undefined);
  if (toStandardOutput.length > 1)
    problems.push('only one `--format` can go to standard output; write the others as `--format name=file`');
  if (problems.length > 0) return { problems };
  const output = texts.get('output');
  if (output === undefined) return { outputs };
  if (toStandardOutput.length === 0)
    return { problems: ['`--output` has no effect: every `--format` names its own file'] };
  return { outputs: outputs.map(({ format, file }) => ({ format, file: file ?? output })) };
}

/** Fails before the evaluation starts. File names are relative to `directory`. Throws WorkspaceError for a file that cannot be written. */
export async function checkOutputs(outputs: readonly ReportOutput[], directory: string): Promise<void> {
  for (const { file } of outputs) {
    if (file === undefined) continue;
    const path = resolve(directory, file);
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    const place = await access(dirname(path), constants.W_OK).then(
      () => undefined,
      (cause: unknown) => reasonOf(cause),
    );
    const problem = isFolder ? 'it is a folder' : place;
    if (problem !== undefined) {
      throw new WorkspaceError('unwritable', `cannot write the report \`${file}\`: ${problem}`);
    }
  }
}

export function showOptionsOf({ flags, texts }: ParsedArguments, { color, width }: Terminal): ReporterOptions {
  return {
    ...(texts.get('group-by') === 'owner' && { groupBy: 'owner' as const }),
    color,
    width,
    showSkipped: flags.has('show-skipped'),
    showExisting: flags.has('show-existing'),
    quiet: flags.has('quiet'),
  };
}

/** The report as it is written: with `--owner`, only the entries of that owner. The exit code is that of the whole report. */
export function shownPart(report: Report, { texts }: ParsedArguments): Report {
  const owner = texts.get('owner');
  return owner === undefined ? report : listedFor(report, owner);
}

export async function writeOutput(
  { format, file }: ReportOutput,
  report: Report,
  options: ReporterOptions,
  terminal: Terminal,
): Promise<void> {
  const shown = file === undefined ? options : { ...options, color: false };
  await writePieces(file, piecesOf(format, report, shown), terminal);
}

/** `file` undefined: standard output. Throws WorkspaceError if it cannot be written. */
export async function writeRendered(file: string | undefined, rendered: string, terminal: Terminal): Promise<void> {
  await writePieces(file, [rendered], terminal);
}

/** Takes each piece only after the previous one is written, so that the whole report is never in memory. */
async function writePieces(file: string | undefined, pieces: Iterable<string>, terminal: Terminal): Promise<void> {
  if (file === undefined) {
    for (const piece of pieces) {
      terminal.out(piece);
      if ((await terminal.taken?.()) === false) return;
    }
    return;
  }
  try {
    await writeFile(resolve(terminal.directory, file), pieces);
  } catch (cause) {
    // Not a write error: generating the piece failed.
    if (systemErrorCode(cause) === undefined) throw cause;
    throw new WorkspaceError('unwritable', `the report \`${file}\` cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

/** Formats that are one text end with JavaScript's, at 512 Mi UTF-16 units; a repository can want more than that. */
function* piecesOf(format: string, report: Report, options: ReporterOptions): Iterable<string> {
  try {
    yield* reporters.get(format)?.pieces(report, options) ?? [];
  } catch (cause) {
    if (!(cause instanceof RangeError && cause.message === 'Invalid string length')) throw cause;
    const hint = 'write it as `json`, or check fewer files at once, with paths or with `--shard`';
    throw new WorkspaceError('unwritable', `the report is too large for the format \`${format}\``, { cause, hint });
  }
}
