// Dispatches to a command, loads its code on demand and prints its errors. The entry point supplies streams, clock and terminal.
import { nearestName } from '../../diagnostic/nearest-name.ts';
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import { ISSUES_URL, VERSION } from '../../version.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { EXIT } from '../run/exit-code.ts';
import { type Terminal, usageError } from './terminal.ts';

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/**
 * Loaded on demand, because a short run spends most of its time loading code. These commands share most of their code, so they are one
 * bundle chunk. `check` has its own, because editors and hooks start it often.
 */
const commands = () => import('./commands.ts');

const RUNNERS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['init', async () => (await import('./init/init-command.ts')).initCommand],
  ['check', async () => (await import('./command/check-command.ts')).checkCommand],
  ['audit', async () => (await commands()).auditCommand],
  ['report', async () => (await commands()).reportCommand],
  ['diff', async () => (await commands()).diffCommand],
  ['merge', async () => (await commands()).mergeCommand],
  ['baseline', async () => (await commands()).baselineCommand],
  ['mutate', async () => (await commands()).mutateCommand],
  ['migrate', async () => (await commands()).migrateCommand],
  ['cel', async () => (await commands()).celCommand],
  ['render', async () => (await commands()).renderCommand],
  ['review', async () => (await commands()).reviewCommand],
  ['test', async () => (await import('./command/test-command.ts')).testCommand],
  ['policies', async () => (await commands()).policiesCommand],
  ['why', async () => (await commands()).whyCommand],
  ['completion', async () => (await commands()).completionCommand],
  ['lsp', async () => (await import('../lsp/lsp-command.ts')).lspCommand],
]);

/** Returns the exit status; never throws. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    return explainFailure(error, terminal);
  }
}

const HELP: readonly string[] = ['--help', '-h'];

async function dispatch([command, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (command === '--version' || command === '-V') {
    terminal.out(`${VERSION}\n`);
    return EXIT.allowed;
  }
  if (command === undefined || HELP.includes(command) || (command === 'help' && rest.length === 0)) {
    terminal.out((await import('./options/help.ts')).helpText(VERSION));
    return EXIT.allowed;
  }
  const name = command === 'help' ? (rest[0] as string) : command;
  const load = RUNNERS.get(name);
  if (load !== undefined && (command === 'help' || rest.some((argument) => HELP.includes(argument)))) {
    terminal.out((await import('./options/help.ts')).commandHelp(name));
    return EXIT.allowed;
  }
  if (load === undefined || command === 'help') return usageError([await unknownCommand(name)], terminal);
  return (await load())(rest, terminal);
}

async function unknownCommand(name: string): Promise<string> {
  const { CHECK_OPTIONS } = await import('./options/option-table.ts');
  if (CHECK_OPTIONS.some((option) => name.split('=')[0] === `--${option.name}`)) {
    return `\`${name}\` is an option of a command: \`preadmit check ${name} …\``;
  }
  const what = name.startsWith('-') ? 'option' : 'command';
  const nearest = nearestName(name, [...RUNNERS.keys(), '--help', '--version']);
  if (nearest !== undefined) return `unknown ${what} \`${name}\`: did you mean \`${nearest}\`?`;
  const isPath = /[/\\.]/.test(name);
  return `unknown ${what} \`${name}\`: ${isPath ? `to check files, \`preadmit check ${name}\`` : 'see `preadmit --help`'}`;
}

/** A WorkspaceError carries its own message; anything else is an internal error. */
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
