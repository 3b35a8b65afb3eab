// The help page of the command line, made from the option table.
import { CHECK_OPTIONS, DIFF_OPTIONS, type OptionEntry } from './option-table.ts';

const GROUPS: readonly (readonly [OptionEntry['group'], string])[] = [
  ['what', 'What to check'],
  ['how', 'How to judge'],
  ['output', 'What to show'],
];

export function helpText(version: string): string {
  const names = CHECK_OPTIONS.map(nameColumn);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const line = (entry: OptionEntry): string => `  ${nameColumn(entry).padEnd(width)}${entry.help}${allowedList(entry)}`;
  const options = GROUPS.map(([group, title]) => {
    const lines = CHECK_OPTIONS.filter((entry) => entry.group === group).map(line);
    return `${title}\n${lines.join('\n')}`;
  });
  const ofDiff = DIFF_OPTIONS.filter((entry) => !CHECK_OPTIONS.includes(entry)).map(line);
  return `preadmit ${version}
The API server's verdict on the manifests of a Git repository, before anything reaches a cluster.

Usage
  preadmit check [paths…] [options]     evaluate manifests against the repository's own policies
  preadmit diff <base> <head> [paths…]  what the change between two commits does to the cluster
  preadmit merge <report…> [options]    join the JSON reports of all shards into one
  preadmit baseline [options]           findings that are known: --update, --prune
  preadmit cel '<expression>' [options] look at one expression: --object <file>, --explain, --batch
  preadmit review --policies <path>     answer AdmissionReview requests on standard input: --resources <path>, --decisions

Examples
  preadmit check                        everything Git tracks, with every policy found there
  preadmit check apps/ --fail-on warn   one folder, warnings fail too
  preadmit check --policies 'policies/**' --format sarif=preadmit.sarif
  preadmit diff main HEAD               what this branch would change

Options of check

${options.join('\n\n')}

More options of diff
${ofDiff.join('\n')}

Exit codes
  0  allowed        1  denied (see --fail-on)        2  usage, configuration or environment
  3  nothing was checked                             4  internal error, please report it

Documentation: https://github.com/preadmit/preadmit
`;
}

function nameColumn({ name, value }: OptionEntry): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function allowedList({ allowed }: OptionEntry): string {
  return allowed === undefined ? '' : `: ${allowed.join(', ')}`;
}
