// `preadmit policies`: lists the policies of a repository: what they match, which objects they apply to, which params they need.
import { checkState } from '../../../pipeline/check-state.ts';
import { policiesText } from '../../../report/format/text/policies-text.ts';
import { askRepository } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import { POLICIES_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { stoppedBy } from '../stopped-by.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkOptions } from './check-command.ts';

export async function policiesCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, POLICIES_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const options = checkOptions(parsed.arguments, terminal);
  const asked = await askRepository(options, (input) => checkState({ ...input, describesPolicies: true }));
  if ('stopped' in asked) return stoppedBy(asked.stopped, terminal);
  const { targets } = asked.answer;
  const isJson = parsed.arguments.texts.get('format') === 'json';
  terminal.out(isJson ? `${JSON.stringify(targets, undefined, 2)}\n` : policiesText(targets));
  return targets.some(({ policies }) => policies.length > 0) ? EXIT.allowed : EXIT.nothingChecked;
}
