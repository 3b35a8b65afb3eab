// Parses a step's output like the Actions runner: commands in log lines, outputs, summary (actions/runner v2.336.0).

export interface Command {
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly data: string;
}

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly message: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** `stop-commands` and every IActionCommandExtension; the runner ignores case. */
const REGISTERED_COMMANDS: ReadonlySet<string> = new Set([
  'stop-commands',
  'set-env',
  'set-output',
  'save-state',
  'add-mask',
  'add-path',
  'add-matcher',
  'remove-matcher',
  'debug',
  'warning',
  'error',
  'notice',
  'group',
  'endgroup',
  'echo',
]);

const MAX_ANNOTATIONS_PER_LEVEL = 10;
const MAX_MESSAGE_LENGTH = 4_096;
export const MAX_SUMMARY_BYTES = 1_048_576;

/** `ActionCommand.TryParseV2`, then `ActionCommand.TryParse`; undefined for ordinary output. */
export function parseCommand(line: string): Command | undefined {
  return parseColonCommand(line) ?? parseBracketCommand(line);
}

function parseColonCommand(line: string): Command | undefined {
  // String.TrimStart removes the characters of Char.IsWhiteSpace: unlike JavaScript, U+0085 and not U+FEFF.
  const message = line.replace(/^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/, '');
  if (!message.startsWith('::')) return undefined;
  const end = message.indexOf('::', 2);
  if (end < 0) return undefined;
  return command(message.slice(2, end), ',', message.slice(end + 2), unescapeProperty, unescapeData);
}

function parseBracketCommand(line: string): Command | undefined {
  const prefix = line.indexOf('##[');
  if (prefix < 0) return undefined;
  const end = line.indexOf(']', prefix);
  if (end < 0) return undefined;
  return command(line.slice(prefix + 3, end), ';', line.slice(end + 1), unescapeBracket, unescapeBracket);
}

function command(
  info: string,
  separator: string,
  data: string,
  unescapeValue: (text: string) => string,
  unescapeText: (text: string) => string,
): Command | undefined {
  const space = info.indexOf(' ');
  const name = (space < 0 ? info : info.slice(0, space)).toLowerCase();
  if (!REGISTERED_COMMANDS.has(name)) return undefined;
  const properties = new Map<string, string>();
  if (space > 0) {
    for (const part of info
      .slice(space + 1)
      .trim()
      .split(separator)) {
      const equals = part.indexOf('=');
      if (equals > 0 && equals < part.length - 1) {
        properties.set(part.slice(0, equals), unescapeValue(part.slice(equals + 1)));
      }
    }
  }
  return { name, properties, data: unescapeText(data) };
}

function unescapeData(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

function unescapeProperty(text: string): string {
  return unescapeData(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
}

function unescapeBracket(text: string): string {
  return unescapeData(text.replaceAll('%3B', ';').replaceAll('%5D', ']'));
}

export interface StepResult {
  readonly commands: readonly Command[];
  /** Annotations that GitHub shows: ten per level, with lines and columns after the runner's validation. */
  readonly annotations: readonly Annotation[];
  /** Lines that are not commands. */
  readonly output: readonly string[];
  readonly masks: readonly string[];
}

/** Parses all output of a step, with the runner's line splitting. */
export function readLog(text: string): StepResult {
  const commands: Command[] = [];
  const annotations: Annotation[] = [];
  const output: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const parsed = parseCommand(line);
    if (parsed === undefined) {
      output.push(line);
      continue;
    }
    commands.push(parsed);
    const level = parsed.name;
    if (level !== 'error' && level !== 'warning' && level !== 'notice') continue;
    if (annotations.filter((other) => other.level === level).length >= MAX_ANNOTATIONS_PER_LEVEL) continue;
    const message = parsed.data.slice(0, MAX_MESSAGE_LENGTH);
    annotations.push({ level, message, properties: validProperties(parsed.properties) });
  }
  return {
    commands,
    annotations,
    output,
    masks: commands.filter(({ name }) => name === 'add-mask').map(({ data }) => data),
  };
}

/** Follows `IssueCommandExtension.ValidateLinesAndColumns`. */
function validProperties(given: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const properties = new Map(given);
  const number = (name: string): number | undefined => {
    const text = properties.get(name);
    return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
  };
  const drop = (...names: string[]): void => {
    for (const name of names) properties.delete(name);
  };
  if (number('endLine') !== undefined && number('line') === undefined) {
    properties.set('line', properties.get('endLine') as string);
  }
  if (number('endColumn') !== undefined && number('col') === undefined) {
    properties.set('col', properties.get('endColumn') as string);
  }
  const [line, endLine, column, endColumn] = [number('line'), number('endLine'), number('col'), number('endColumn')];
  if (line === undefined) drop('col', 'endColumn');
  if (endLine !== undefined && endLine !== line) drop('col', 'endColumn');
  if (line !== undefined && endLine !== undefined && endLine < line) drop('line', 'endLine');
  if (column !== undefined && endColumn !== undefined && endColumn < column) drop('col', 'endColumn');
  return properties;
}

/** Follows `EnvFileKeyValuePairs`: `name=value` lines and `name<<delimiter` blocks. */
export function readOutputs(text: string): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  const lines = text.split(/\r\n|\n|\r/);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      outputs.set(line.slice(0, equals), line.slice(equals + 1));
      continue;
    }
    if (heredoc <= 0) throw new Error(`invalid format '${line}'`);
    const end = lines.indexOf(line.slice(heredoc + 2), index + 1);
    if (end < 0) throw new Error(`no matching delimiter for '${line}'`);
    outputs.set(line.slice(0, heredoc), lines.slice(index + 1, end).join('\n'));
    index = end;
  }
  return outputs;
}

/** The environment variable of a step's `with:` key. */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}
