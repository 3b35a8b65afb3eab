// Where a command writes its report: `--format name[=file]`, `--output`, and what they cannot mean.
import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { reporters } from '../../report/format/reporters.ts';
import type { Report } from '../../report/report.ts';
import type { ReporterOptions } from '../../report/reporter.ts';
import { reasonOf, systemErrorCode, WorkspaceError } from '../../workspace/workspace-error.ts';
import type { ParsedArguments } from './options/parse-arguments.ts';
import type { Terminal } from './terminal.ts';

export interface ReportOutput {
  readonly format: string;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/** `--format name[=file]`, repeatable; `--output` is the file of the one format that names none. */
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
  const problems = unknown.map(({ format }) => `\`${format}\` is no format: expected one of ${known}`);
  for (const { format, file } of outputs) {
    if (file === '') problems.push(`\`--format ${format}=\` names no file`);
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

/** Before anything is evaluated for them; files are named from `directory`. Throws WorkspaceError for a file that no report can be written to. */
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
      throw new WorkspaceError('unwritable', `the report \`${file}\` cannot be written: ${problem}`);
    }
  }
}

/** `started`: of the clock of the terminal; absent where the time says nothing. */
export function showOptionsOf(
  { flags }: ParsedArguments,
  { color, width, now }: Terminal,
  started?: number,
): ReporterOptions {
  const options = { color, width, showSkipped: flags.has('show-skipped'), quiet: flags.has('quiet') };
  return started === undefined ? options : { ...options, seconds: (now() - started) / 1000 };
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

/** `file` undefined: to standard output. Throws WorkspaceError if it cannot be written. */
export async function writeRendered(file: string | undefined, rendered: string, terminal: Terminal): Promise<void> {
  await writePieces(file, [rendered], terminal);
}

/** A piece is asked for when the one before is written, so that a report is never whole in memory, whoever reads it. */
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
    // What else is thrown comes from a piece that was being made.
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
