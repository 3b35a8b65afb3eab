// docs/command-line.md is what `--help` prints; `BLESS=1` writes it anew.
import { join } from 'node:path';
import { test } from 'vitest';
import { COMMANDS, type CommandEntry } from '../../src/door/cli/options/command-table.ts';
import { commandHelp } from '../../src/door/cli/options/help.ts';
import { expectGolden } from '../support/bless.ts';

const FOLDER = join(import.meta.dirname, '../../docs');

test('docs/command-line.md has the help pages', () => {
  expectGolden(join(FOLDER, 'command-line.md'), `${INTRODUCTION}\n${COMMANDS.map(section).join('\n')}`);
});

function section(command: CommandEntry): string {
  const { name } = command;
  const help = commandHelp(command.name).replace(/\n\nDocumentation: .*\n$/, '\n');
  const more = MORE.get(name);
  return `## ${name}\n\n\`\`\`text\n${help}\`\`\`\n${more === undefined ? '' : `\n${more}\n`}`;
}

const MORE: ReadonlyMap<string, string> = new Map([
  [
    'check',
    'What is read, and what each key of the configuration does: [configuration.md](configuration.md). Several releases: [releases.md](releases.md).',
  ],
  ['diff', 'What is compared, and what counts: [pull-requests.md](pull-requests.md).'],
  ['merge', 'When shards are worth it: [github-actions.md](github-actions.md#very-large-repositories).'],
  ['init', 'What the files are for, and the policies of `--with`: [getting-started.md](getting-started.md).'],
  ['baseline', 'What stands in the file: [exceptions.md](exceptions.md#baseline).'],
  [
    'cel',
    `Variables are those of a ValidatingAdmissionPolicy: the first object of each file as the API server would hold it, \`request\` for what
creates, updates or deletes it; what is not given is null. With \`--policy\` there are \`variables\`, and the names \`validations[0]\`,
\`validations[0].messageExpression\`, \`matchConditions.<name>\`, \`auditAnnotations.<key>\` and \`mutations[0]\` stand for what the policy says
there. Nobody answers questions to \`authorizer\`: for these there is \`preadmit why\`, which knows the repository's RBAC. The cost is the one
the API server counts. A line of a batch brings variables of its own, and has none but these: \`{"expr": "a + 1", "vars": {"a": 2}}\` is
answered with \`{"type":"dyn","value":{"int":"3"},"cost":2}\`.`,
  ],
  [
    'policies',
    `Costs are those of the objects that were evaluated. The release is the first that serves the policy's version and compiles its expressions;
type checking is what the API server would write into the policy's status: [type-checking.md](type-checking.md).`,
  ],
  ['test', 'What stands in a test file: [testing.md](testing.md).'],
  [
    'why',
    `An object that several roots render, or that several targets have, is told for each. With a policy the values of what holds are told, too.
Steps are those of the server: selectors, rules, bindings, params, match conditions, validations; of Kyverno those of its webhooks, its rules
and expressions alike; of Pod Security, what it decided. \`--format json\` has the same with every place.`,
  ],
  ['completion', 'Where the script goes: [other-ci.md](other-ci.md#completion-in-shells).'],
  ['review', 'What is taken from a request, and what comes back: [review.md](review.md).'],
]);

const INTRODUCTION = `# The command line

Made from the program's own help by \`BLESS=1 npx vitest run test/docs/command-line.test.ts\`: \`preadmit --help\`, \`preadmit <command> --help\`.

Paths are relative to the working directory; globs, the configuration and the baseline to the top of the Git repository. A single folder
may lie in another repository. Outside Git the working directory is the top, only what is in the given paths is read, and a single folder
outside the working directory is a top of its own.

The report goes to standard output, or to files; mistakes in arguments and what could not be read go to standard error, each line with
\`preadmit:\` before it.
`;
