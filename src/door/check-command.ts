// `preadmit check`: reads its options, checks the repository, writes the reports.
import { writeFile } from 'node:fs/promises';
import { reporters } from '../report/format/reporters.ts';
import type { Report } from '../report/report.ts';
import type { ReporterOptions } from '../report/reporter.ts';
import type { FailOn } from '../workspace/configuration/configuration.ts';
import { WorkspaceError } from '../workspace/workspace-error.ts';
import { type CheckOptions, checkRepository } from './check-repository.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { CHECK_OPTIONS } from './option-table.ts';
import { type ParsedArguments, parseArguments } from './parse-arguments.ts';
import { createStageLog } from './stage-log.ts';
import { type Terminal, usageError } from './terminal.ts';

export async function checkCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, CHECK_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ('problems' in outputs) return usageError(outputs.problems, terminal);
  const stages = createStageLog({
    debug: parsed.arguments.flags.has('debug'),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now,
  });
  const checked = checkRepository({ ...checkOptions(parsed.arguments, terminal), stages });
  const { report, unusable } = await checked.finally(stages.end);
  const showOptions: ReporterOptions = {
    color: terminal.color,
    width: terminal.width,
    showSkipped: parsed.arguments.flags.has('show-skipped'),
    quiet: parsed.arguments.flags.has('quiet'),
  };
  for (const output of outputs.outputs) await writeOutput(output, report, showOptions, terminal);
  return unusable ? EXIT.usage : exitCodeOf(report.verdict);
}

function checkOptions({ paths, texts, lists }: ParsedArguments, terminal: Terminal): CheckOptions {
  const config = texts.get('config');
  const failOn = texts.get('fail-on') as FailOn | undefined;
  const kubernetesVersion = texts.get('kubernetes-version');
  const policies = lists.get('policies');
  const include = lists.get('include');
  const exclude = lists.get('exclude');
  return {
    directory: terminal.directory,
    paths,
    ...(config !== undefined && { config }),
    overrides: {
      ...(failOn !== undefined && { failOn }),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
      ...(policies && { policies }),
      ...(include && { include }),
      ...(exclude && { exclude }),
    },
  };
}

interface Output {
  readonly format: string;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/** `--format name[=file]`, repeatable; `--output` is the file of the one format that names none. */
function readOutputs({
  lists,
  texts,
}: ParsedArguments): { outputs: readonly Output[] } | { problems: readonly string[] } {
  const outputs = (lists.get('format') ?? ['text']).map((entry): Output => {
    const equals = entry.indexOf('=');
    return equals < 0
      ? { format: entry, file: undefined }
      : { format: entry.slice(0, equals), file: entry.slice(equals + 1) };
  });
  const unknown = outputs.filter(({ format }) => !reporters.has(format));
  const known = [...reporters.keys()].map((name) => `\`${name}\``).join(', ');
  const problems = unknown.map(({ format }) => `\`${format}\` is no format: expected one of ${known}`);
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

async function writeOutput(
  { format, file }: Output,
  report: Report,
  options: ReporterOptions,
  terminal: Terminal,
): Promise<void> {
  const rendered =
    reporters.get(format)?.render(report, file === undefined ? options : { ...options, color: false }) ?? '';
  if (file === undefined) {
    terminal.out(rendered);
    return;
  }
  try {
    await writeFile(file, rendered);
  } catch (cause) {
    throw new WorkspaceError('unwritable', `the report \`${file}\` cannot be written`, { cause });
  }
}
