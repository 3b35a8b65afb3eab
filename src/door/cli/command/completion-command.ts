// `preadmit completion`: prints a shell script that completes commands, options and values.
import { EXIT } from '../../run/exit-code.ts';
import { COMPLETION_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { completionScript, SHELLS } from '../options/shell-completion.ts';
import { type Terminal, usageError } from '../terminal.ts';

export async function completionCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, COMPLETION_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const [name, ...others] = parsed.arguments.paths;
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined || others.length > 0) {
    return usageError([`expected one shell: ${SHELLS.join(', ')}`], terminal);
  }
  terminal.out(completionScript(shell));
  return EXIT.allowed;
}
