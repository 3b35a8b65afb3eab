// Help pages of the command line, generated from the tables of commands and options.
import { COMMANDS, type CommandEntry, type CommandExample, type ExitEntry, INTERNAL_EXIT } from './command-table.ts';
import { CHECK_OPTIONS, type OptionEntry } from './option-table.ts';

const GROUPS: readonly (readonly [OptionEntry['group'], string])[] = [
  ['what', 'Scope'],
  ['how', 'Evaluation'],
  ['output', 'Output'],
];

const DOCUMENTATION = 'Documentation: https://github.com/preadmit/preadmit';

export function helpText(version: string): string {
  const examples = COMMANDS.flatMap((command) => (['check', 'diff'].includes(command.name) ? command.examples : []));
  return page([
    `preadmit ${version}\nThe API server's verdict on the manifests of a Git repository, before anything reaches a cluster.`,
    section('Usage', columns(COMMANDS.map(({ usage, summary }) => [`preadmit ${usage}`, summary]))),
    section('Examples', columns(examples)),
    `Options of \`check\` (for other commands: \`preadmit <command> --help\`)`,
    ...optionSections(CHECK_OPTIONS),
    exitSection(COMMANDS.find(({ name }) => name === 'check')?.exits ?? []),
    DOCUMENTATION,
  ]);
}

/** Empty for an unknown command. */
export function commandHelp(name: string): string {
  const entry = COMMANDS.find((command) => command.name === name);
  return entry === undefined ? '' : entryPage(entry);
}

function entryPage({ usage, summary, examples, options, exits }: CommandEntry): string {
  return page([
    `preadmit ${usage}\n${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    section('Examples', columns(examples)),
    ...optionSections(options),
    exitSection(exits),
    DOCUMENTATION,
  ]);
}

function optionSections(options: readonly OptionEntry[]): readonly string[] {
  const width = Math.max(...options.map((option) => nameColumn(option).length));
  return GROUPS.flatMap(([group, title]) => {
    const rows = options.filter((option) => option.group === group);
    const lines = columns(
      rows.map((row) => [nameColumn(row), describe(row)]),
      width,
    );
    return rows.length === 0 ? [] : [section(title, lines)];
  });
}

function exitSection(exits: readonly ExitEntry[]): string {
  return section(
    'Exit codes',
    columns(
      [...exits, INTERNAL_EXIT]
        .sort(([one], [other]) => one - other)
        .map(([status, meaning]) => [String(status), meaning]),
    ),
  );
}

function page(sections: readonly string[]): string {
  return `${sections.join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** An entry whose left column is wider gets its own line. */
const MAX_COLUMN = 48;
/** Width of the right column, in characters. */
const MAX_TEXT = 80;

/** Long text in the right column wraps within the column. */
function columns(rows: readonly CommandExample[], least = 0): readonly string[] {
  const narrow = rows.map(([left]) => left.length).filter((length) => length <= MAX_COLUMN);
  const width = Math.max(least, ...narrow);
  return rows.flatMap(([left, right]) => {
    if (right === '') return [left];
    const [first = '', ...more] = wrapped(right);
    return [`${left.padEnd(width)}  ${first}`, ...more.map((line) => ' '.repeat(width + 2) + line)];
  });
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= MAX_TEXT) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function nameColumn({ name, value }: OptionEntry): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function describe({ help, allowed, default: usual }: OptionEntry): string {
  const values = allowed === undefined ? '' : `: ${allowed.join(', ')}`;
  return `${help}${values}${usual === undefined ? '' : ` (default: ${usual})`}`;
}
