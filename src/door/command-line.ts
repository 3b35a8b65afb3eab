// The command line: finds the command, runs it, says what went wrong. The streams, clock and terminal are the door's.
import { nearestName } from '../diagnostic/nearest-name.ts';
import { sanitizeLine } from '../diagnostic/sanitize.ts';
import { ISSUES_URL, VERSION } from '../version.ts';
import { WorkspaceError } from '../workspace/workspace-error.ts';
import { baselineCommand } from './baseline-command.ts';
import { celCommand } from './cel-command.ts';
import { checkCommand } from './check-command.ts';
import { COMMANDS } from './command-table.ts';
import { diffCommand } from './diff-command.ts';
import { EXIT } from './exit-code.ts';
import { commandHelp, helpText } from './help.ts';
import { initCommand } from './init-command.ts';
import { mergeCommand } from './merge-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { mutateCommand } from './mutate-command.ts';
import { CHECK_OPTIONS } from './option-table.ts';
import { policiesCommand } from './policies-command.ts';
import { renderCommand } from './render-command.ts';
import { reviewCommand } from './review-command.ts';
import { type Terminal, usageError } from './terminal.ts';
import { testCommand } from './test-command.ts';
import { whyCommand } from './why-command.ts';

/** Returns the exit status. */
type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

const RUNNERS: ReadonlyMap<string, Command> = new Map([
  ['init', initCommand],
  ['check', checkCommand],
  ['diff', diffCommand],
  ['merge', mergeCommand],
  ['baseline', baselineCommand],
  ['mutate', mutateCommand],
  ['migrate', migrateCommand],
  ['cel', celCommand],
  ['render', renderCommand],
  ['review', reviewCommand],
  ['test', testCommand],
  ['policies', policiesCommand],
  ['why', whyCommand],
  // Most runs are none of an editor.
  ['lsp', async (args, terminal) => (await import('./lsp/lsp-command.ts')).lspCommand(args, terminal)],
]);

/** The exit status; never throws. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    return explainFailure(error, terminal);
  }
}

const HELP: readonly string[] = ['--help', '-h'];

async function dispatch([command, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (command === undefined || HELP.includes(command) || (command === 'help' && rest.length === 0)) {
    terminal.out(helpText(VERSION));
    return EXIT.allowed;
  }
  if (command === '--version' || command === '-V') {
    terminal.out(`${VERSION}\n`);
    return EXIT.allowed;
  }
  const name = command === 'help' ? rest[0] : command;
  const entry = COMMANDS.find((known) => known.name === name);
  if (entry !== undefined && (command === 'help' || rest.some((argument) => HELP.includes(argument)))) {
    terminal.out(commandHelp(entry));
    return EXIT.allowed;
  }
  const run = RUNNERS.get(command);
  if (run !== undefined) return run(rest, terminal);
  return usageError([unknownCommand(name ?? '')], terminal);
}

function unknownCommand(name: string): string {
  if (CHECK_OPTIONS.some((option) => name.split('=')[0] === `--${option.name}`)) {
    return `\`${name}\` is an option of a command: \`preadmit check ${name} …\``;
  }
  const what = name.startsWith('-') ? 'option' : 'command';
  const nearest = nearestName(name, [...RUNNERS.keys(), '--help', '--version']);
  if (nearest !== undefined) return `unknown ${what} \`${name}\`: did you mean \`${nearest}\`?`;
  const isPath = /[/\\.]/.test(name);
  return `unknown ${what} \`${name}\`: ${isPath ? `to check files, \`preadmit check ${name}\`` : 'see `preadmit --help`'}`;
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
