// Builds readable CEL text: only necessary parentheses, no parts that are always true or false.

/** Binding strength of the text, strongest first. */
type Binding = 'atom' | 'relation' | 'and' | 'or' | 'ternary';

export interface CelText {
  readonly text: string;
  readonly binding: Binding;
  /** The negation, if it is shorter than a leading `!`. */
  readonly opposite?: string;
}

const ORDER: readonly Binding[] = ['atom', 'relation', 'and', 'or', 'ternary'];

export const ALWAYS: CelText = { text: 'true', binding: 'atom' };
export const NEVER: CelText = { text: 'false', binding: 'atom' };

export function atom(text: string): CelText {
  return { text, binding: 'atom' };
}

export function relation(text: string): CelText {
  return { text, binding: 'relation' };
}

function equality(one: string, other: string): CelText {
  return { text: `${one} == ${other}`, binding: 'relation', opposite: `${one} != ${other}` };
}

/** Adds parentheses if the text binds more loosely than required. */
function within({ text, binding }: CelText, asked: Binding): string {
  return ORDER.indexOf(binding) <= ORDER.indexOf(asked) ? text : `(${text})`;
}

export function allOf(...parts: readonly CelText[]): CelText {
  return joined(parts, 'and', ALWAYS, NEVER, ' && ');
}

export function anyOf(...parts: readonly CelText[]): CelText {
  return joined(parts, 'or', NEVER, ALWAYS, ' || ');
}

function joined(
  parts: readonly CelText[],
  binding: 'and' | 'or',
  neutral: CelText,
  absorbing: CelText,
  operator: string,
): CelText {
  const distinct = [...new Map(parts.map((part) => [part.text, part])).values()];
  if (distinct.some(({ text }) => text === absorbing.text)) return absorbing;
  const left = distinct.filter(({ text }) => text !== neutral.text);
  const [only, ...others] = left;
  if (only === undefined) return neutral;
  if (others.length === 0) return only;
  return { text: left.map((part) => within(part, binding)).join(operator), binding };
}

export function notCel(part: CelText): CelText {
  if (part.text === ALWAYS.text) return NEVER;
  if (part.text === NEVER.text) return ALWAYS;
  const { text, binding, opposite } = part;
  if (opposite !== undefined) return relation(opposite);
  if (binding === 'atom' && text.startsWith('!')) return atom(text.slice(1));
  return atom(`!${within(part, 'atom')}`);
}

export function ternary(condition: CelText, then: CelText, otherwise: CelText): CelText {
  const text = `${within(condition, 'or')} ? ${within(then, 'or')} : ${within(otherwise, 'ternary')}`;
  return { text, binding: 'ternary' };
}

/** For use as the operand of a member access or comparison. */
export function operand(part: CelText): string {
  return within(part, 'atom');
}

export function quoted(text: string): string {
  const escaped = text.replace(/[\\'\u0000-\u001f\u007f]/g, (character) => {
    if (character === '\\' || character === "'") return `\\${character}`;
    if (character === '\n') return '\\n';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${escaped}'`;
}

export function listText(items: readonly string[]): string {
  return `[${items.join(', ')}]`;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words that are not allowed after a dot. */
const RESERVED: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && !RESERVED.has(name);
}

export function member(of: string, name: string): string {
  return isIdentifier(name) ? `${of}.${name}` : `${of}[${quoted(name)}]`;
}

/** An optional value: none if `of`, optional or not, lacks the field. */
export function optionalMember(of: string, name: string): string {
  return isIdentifier(name) ? `${of}.?${name}` : `${of}[?${quoted(name)}]`;
}

export function hasMember(of: string, name: string): CelText {
  return isIdentifier(name) ? atom(`has(${of}.${name})`) : relation(`${quoted(name)} in ${of}`);
}

/** Converts the value to a string, unless it is one. */
export function asText(value: string, isString: boolean): string {
  return isString ? value : `string(${value})`;
}

/** Matches a string against a pattern with `*` and `?`. */
export function wildcardText(text: string, pattern: string): CelText {
  if (!/[*?]/.test(pattern)) return equality(text, quoted(pattern));
  if (/^\*+$/.test(pattern)) return ALWAYS;
  if (pattern === '?*' || pattern === '*?') return relation(`${text} != ''`);
  const [, open = '', inner = '', close = ''] = /^(\**)([^*?]+)(\**)$/.exec(pattern) ?? [];
  if (inner !== '') {
    const method = open === '' ? 'startsWith' : close === '' ? 'endsWith' : 'contains';
    return atom(`${text}.${method}(${quoted(inner)})`);
  }
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return atom(`${text}.matches(${quoted(`^(?s:${expression})$`)})`);
}

/** True if the string matches one of several literals or patterns. */
export function oneOfTexts(text: string, patterns: readonly string[]): CelText {
  const plain = patterns.filter((pattern) => !/[*?]/.test(pattern));
  const wild = patterns.filter((pattern) => /[*?]/.test(pattern)).map((pattern) => wildcardText(text, pattern));
  const [only] = plain;
  if (only === undefined) return anyOf(...wild);
  const listed =
    plain.length === 1 ? equality(text, quoted(only)) : relation(`${text} in ${listText(plain.map(quoted))}`);
  return anyOf(listed, ...wild);
}
