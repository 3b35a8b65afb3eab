// The command line: reads arguments, runs the command, says what came of it. The streams, clock and terminal are the door's.
import { writeFile } from 'node:fs/promises';
import { nearestName } from '../diagnostic/nearest-name.ts';
import { sanitizeLine } from '../diagnostic/sanitize.ts';
import { reporters } from '../report/format/reporters.ts';
import type { Report } from '../report/report.ts';
import type { ReporterOptions } from '../report/reporter.ts';
import { ISSUES_URL, VERSION } from '../version.ts';
import type { FailOn } from '../workspace/configuration/configuration.ts';
import { WorkspaceError } from '../workspace/workspace-error.ts';
import { type CheckOptions, checkRepository } from './check-repository.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { helpText } from './help.ts';
import { CHECK_OPTIONS } from './option-table.ts';
import { type ParsedArguments, parseArguments } from './parse-arguments.ts';
import { createStageLog } from './stage-log.ts';

export interface Terminal {
  readonly directory: string;
  /** True for a terminal that understands colours. */
  readonly color: boolean;
  readonly width: number;
  /** True if standard error is a terminal. */
  readonly interactive: boolean;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly now: () => number;
}

const COMMANDS: readonly string[] = ['check'];

/** The exit status; never throws. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    return explainFailure(error, terminal);
  }
}

async function dispatch([command, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (
    command === undefined ||
    command === 'help' ||
    command === '--help' ||
    command === '-h' ||
    rest.includes('--help')
  ) {
    terminal.out(helpText(VERSION));
    return EXIT.allowed;
  }
  if (command === '--version' || command === '-V') {
    terminal.out(`${VERSION}\n`);
    return EXIT.allowed;
  }
  if (command === 'check') return check(rest, terminal);
  const nearest = nearestName(command, COMMANDS);
  const hint = nearest === undefined ? 'see `preadmit --help`' : `did you mean \`${nearest}\`?`;
  return usage([`unknown command \`${command}\`: ${hint}`], terminal);
}

async function check(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, CHECK_OPTIONS);
  if ('problems' in parsed) return usage(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ('problems' in outputs) return usage(outputs.problems, terminal);
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

function usage(problems: readonly string[], terminal: Terminal): number {
  for (const problem of problems) terminal.err(`preadmit: ${sanitizeLine(problem)}\n`);
  return EXIT.usage;
}

/** The world's mistakes are told in their own words; what remains is ours. */
function explainFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof WorkspaceError) {
    terminal.err(`preadmit: ${sanitizeLine(error.message)}\n`);
    if (error.hint !== undefined) terminal.err(`  help: ${sanitizeLine(error.hint)}\n`);
    return EXIT.usage;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`preadmit ${VERSION}: internal error, please report it at ${ISSUES_URL}\n`);
  for (const line of text.split('\n')) terminal.err(`  ${sanitizeLine(line)}\n`);
  return EXIT.internal;
}
