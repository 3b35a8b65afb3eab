// Parses a command line against an option table; collects every error and suggests similar option names.
import { parseArgs } from 'node:util';
import { nearestName } from '../../../diagnostic/nearest-name.ts';
import type { OptionEntry } from './option-table.ts';

export interface ParsedArguments {
  readonly paths: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

export type ArgumentsResult = { readonly arguments: ParsedArguments } | { readonly problems: readonly string[] };

export function parseArguments(args: readonly string[], table: readonly OptionEntry[]): ArgumentsResult {
  const entries = new Map(table.map((entry) => [entry.name, entry]));
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      table.map(({ name, kind }) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const reader = new ArgumentReader(entries);
  for (const token of tokens) {
    if (token.kind === 'positional') reader.paths.push(token.value);
    else if (token.kind === 'option') reader.option(token.rawName, token.name, token.value);
  }
  return reader.result();
}

class ArgumentReader {
  readonly paths: string[] = [];
  readonly #entries: ReadonlyMap<string, OptionEntry>;
  readonly #flags = new Set<string>();
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, string[]>();
  readonly #problems: string[] = [];

  constructor(entries: ReadonlyMap<string, OptionEntry>) {
    this.#entries = entries;
  }

  option(rawName: string, name: string, value: string | undefined): void {
    const entry = this.#entries.get(name);
    if (entry === undefined || !rawName.startsWith('--')) {
      const nearest = nearestName(name, this.#entries.keys());
      const hint = nearest === undefined ? 'see `preadmit --help`' : `did you mean \`--${nearest}\`?`;
      this.#problems.push(`unknown option \`${rawName}\`: ${hint}`);
    } else if (entry.kind === 'flag') {
      if (value === undefined) this.#flags.add(name);
      else this.#problems.push(`option \`--${name}\` takes no value`);
    } else if (value === undefined || value === '') {
      this.#problems.push(`option \`--${name}\` needs a value: \`--${name} ${entry.value ?? '<value>'}\``);
    } else if (entry.allowed !== undefined && !entry.allowed.includes(value)) {
      const list = entry.allowed.map((allowed) => `\`${allowed}\``).join(', ');
      this.#problems.push(`\`${value}\` is not a valid value for \`--${name}\`: expected one of ${list}`);
    } else if (entry.kind === 'list') {
      this.#lists.set(name, [...(this.#lists.get(name) ?? []), value]);
    } else {
      this.#texts.set(name, value);
    }
  }

  result(): ArgumentsResult {
    if (this.#problems.length > 0) return { problems: this.#problems };
    return { arguments: { paths: this.paths, flags: this.#flags, texts: this.#texts, lists: this.#lists } };
  }
}
