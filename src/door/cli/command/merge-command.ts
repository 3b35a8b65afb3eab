// `preadmit merge`: merges the JSON reports of all shards of a run, or joins those of several repositories, in any format.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { append } from '../../../go/slices/append.ts';
import type { MergeResult } from '../../../report/builder/merge.ts';
import { ReportMerger } from '../../../report/builder/report-merger.ts';
import { readReport } from '../../../report/json/read-report.ts';
import type { OnUndecided, Report } from '../../../report/report.ts';
import { VERSION } from '../../../version.ts';
import { exitCodeOf, exitOptions } from '../../run/exit-code.ts';
import { MERGE_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { checkOutputs, readOutputs, shownPart, showOptionsOf, writeOutput } from '../report-output.ts';
import { type Terminal, usageError } from '../terminal.ts';

export async function mergeCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, MERGE_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ('problems' in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs, terminal.directory);
  const { paths } = parsed.arguments;
  if (paths.length === 0) {
    return usageError(
      ['expected the JSON reports of all shards or repositories: `preadmit merge shard-*.json`'],
      terminal,
    );
  }
  const merged = await mergeFiles(paths, terminal.directory, parsed.arguments.lists.get('expect'));
  if ('problems' in merged) return usageError(merged.problems, terminal);
  const onUndecided = parsed.arguments.texts.get('on-undecided') as OnUndecided | undefined;
  const report = onUndecided === undefined ? merged.report : withDecision(merged.report, onUndecided);
  const shown = shownPart(report, parsed.arguments);
  const showOptions = showOptionsOf(parsed.arguments, terminal);
  for (const output of outputs.outputs) await writeOutput(output, shown, showOptions, terminal);
  return exitCodeOf(report, exitOptions(parsed.arguments));
}

function withDecision(report: Report, onUndecided: OnUndecided): Report {
  return { ...report, verdict: { ...report.verdict, onUndecided } };
}

/** `paths` are relative to `directory`. A folder means every JSON file below it, because CI downloads artifacts into folders. */
export async function mergeFiles(
  paths: readonly string[],
  directory: string,
  expected: readonly string[] = [],
): Promise<MergeResult> {
  const merger = new ReportMerger({ preadmit: VERSION, expected });
  const problems: string[] = [];
  for (const name of await jsonFiles(paths, directory)) {
    const text = await readFile(resolve(directory, name), 'utf8').catch(() => undefined);
    const read = text === undefined ? { problem: 'cannot be read' } : readReport(text);
    if ('problem' in read) problems.push(`\`${name}\` ${read.problem}`);
    else merger.add(name, read.report);
  }
  return problems.length > 0 ? { problems } : merger.result();
}

async function jsonFiles(paths: readonly string[], directory: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const entries = await readdir(resolve(directory, path), { recursive: true }).catch(() => undefined);
    if (entries === undefined) files.push(path);
    else
      append(
        files,
        entries.filter((entry) => entry.endsWith('.json')).map((entry) => join(path, entry)),
      );
  }
  return files.sort();
}
