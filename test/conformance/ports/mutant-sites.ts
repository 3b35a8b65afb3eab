// Finds the places of a bundle of esbuild where a mutant can change an operator, a constant or a condition.

export interface Site {
  /** The module's path, as esbuild writes it above the module. */
  readonly file: string;
  /** Offsets in the bundle. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
  '^': '|',
  '++': '--',
  '--': '++',
  '+=': '-=',
  '-=': '+=',
  '*=': '+=',
  '!': '',
  true: 'false',
  false: 'true',
};

interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'pattern' | 'sign' | 'module';
  readonly text: string;
  readonly start: number;
}

const WORD = /[\p{L}_$#][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:0[xXbBoO][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)n?/y;
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const SIGN =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|[-+*/%&|^]=|<<|>>|\*\*|./sy;
const COMMENT = /\/\/[^\n]*|\/\*.*?\*\//sy;

/** A slash after one of these starts a pattern; after a value, it divides. */
const BEFORE_VALUE = /^(?:return|typeof|case|in|of|new|delete|void|throw|else|do|[^\p{L}\p{N}_$#)\]}"'`]+)$/u;

/** All sites of modules for which `isWanted` holds. */
export function sitesOf(bundle: string, isWanted: (file: string) => boolean): readonly Site[] {
  const sites: Site[] = [];
  const tokens = [...tokensOf(bundle)];
  let file = '';
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'module') file = token.text;
    else if (isWanted(file)) sites.push(...sitesAt(tokens, index, file));
  }
  return sites;
}

function sitesAt(tokens: readonly Token[], index: number, file: string): readonly Site[] {
  const { kind, text, start } = tokens[index] as Token;
  const before = tokens[index - 1]?.text ?? '';
  const after = tokens[index + 1]?.text ?? '';
  const site = (replacement: string): readonly Site[] => [{ file, start, end: start + text.length, replacement }];
  // Names of properties are no constants.
  if (after === ':' && (before === '{' || before === ',')) return [];
  // `void 0` is undefined, as `void 1` is.
  if (before === 'void') return [];
  if (kind === 'number')
    return site(text.endsWith('n') ? `${BigInt(text.slice(0, -1)) + 1n}n` : String(Number(text) + 1));
  if (kind === 'text')
    return before === 'from' || before === 'import' ? [] : site(`${text.slice(0, -1)}~${text.slice(-1)}`);
  if (text === 'if') return negated(tokens, index + 1, file);
  if (before === '.' || before === '?.' || !Object.hasOwn(OPERATORS, text)) return [];
  return kind === 'pattern' ? [] : site(OPERATORS[text] as string);
}

/** The condition in parentheses. */
function negated(tokens: readonly Token[], open: number, file: string): readonly Site[] {
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const { text, start, kind } = tokens[index] as Token;
    if (kind !== 'sign') continue;
    if (text === '(') depth++;
    else if (text === ')' && --depth === 0) {
      const from = tokens[open] as Token;
      return [{ file, start: from.start, end: start + 1, replacement: 'negated' }];
    }
  }
  return [];
}

export function mutated(bundle: string, { start, end, replacement }: Site): string {
  const text = replacement === 'negated' ? `(!${bundle.slice(start, end)})` : replacement;
  return bundle.slice(0, start) + text + bundle.slice(end);
}

/** The line of the site, and what it becomes. */
export function describeSite(bundle: string, { file, start, end, replacement }: Site): string {
  const from = bundle.lastIndexOf('\n', start) + 1;
  const to = bundle.indexOf('\n', end);
  const line = `${bundle.slice(from, start)}⟦${bundle.slice(start, end)} → ${replacement}⟧${bundle.slice(end, to)}`;
  return `${file}: ${line.trim()}`;
}

function* tokensOf(bundle: string): Iterable<Token> {
  /** Depth of braces in each open template. */
  const templates: number[] = [];
  let last = '';
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(bundle)?.[0];
  };
  while (at < bundle.length) {
    const start = at;
    const character = bundle.charAt(at);
    if (/\s/.test(character)) {
      at++;
      continue;
    }
    const comment = take(COMMENT);
    if (comment !== undefined) {
      at += comment.length;
      if (/^\/\/ \S+\.[cm]?[jt]s$/.test(comment)) yield { kind: 'module', text: comment.slice(3), start };
      continue;
    }
    if (character === '`' || (character === '}' && templates.at(-1) === 0)) {
      if (character === '}') templates.pop();
      at = templateEnd(bundle, at + 1);
      if (bundle.charAt(at - 1) === '{') templates.push(0);
      last = bundle.charAt(at - 1) === '{' ? '{' : '`';
      yield { kind: 'sign', text: '`', start };
      continue;
    }
    const depth = templates.at(-1);
    if (depth !== undefined && (character === '{' || character === '}')) {
      templates[templates.length - 1] = depth + (character === '{' ? 1 : -1);
    }
    const token = nextToken(take, last, start);
    at += token.text.length;
    last = token.text;
    yield token;
  }
}

function nextToken(take: (pattern: RegExp) => string | undefined, last: string, start: number): Token {
  const word = take(WORD);
  if (word !== undefined) return { kind: 'word', text: word, start };
  const number = take(NUMBER);
  if (number !== undefined) return { kind: 'number', text: number, start };
  const text = take(TEXT);
  if (text !== undefined) return { kind: 'text', text, start };
  const pattern = last === '' || BEFORE_VALUE.test(last) ? take(PATTERN) : undefined;
  if (pattern !== undefined) return { kind: 'pattern', text: pattern, start };
  return { kind: 'sign', text: take(SIGN) as string, start };
}

/** After the closing backtick, or after the next `${`. */
function templateEnd(bundle: string, from: number): number {
  for (let at = from; at < bundle.length; at++) {
    const character = bundle.charAt(at);
    if (character === '\\') at++;
    else if (character === '`') return at + 1;
    else if (character === '$' && bundle.charAt(at + 1) === '{') return at + 2;
  }
  return bundle.length;
}
