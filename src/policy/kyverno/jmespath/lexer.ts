// Splits a JMESPath query into tokens (kyverno/go-jmespath `lexer.go`).
import { goQuote } from '../../../go/strconv/quote.ts';
import { parseJson } from '../../../source/json/parse-json.ts';
import { QueryError, syntaxError } from './query-error.ts';

/** Spelled as in messages of Kyverno's parser. */
export type QueryTokenKind =
  | 'tUnknown'
  | 'tStar'
  | 'tDot'
  | 'tFilter'
  | 'tFlatten'
  | 'tLparen'
  | 'tRparen'
  | 'tLbracket'
  | 'tRbracket'
  | 'tLbrace'
  | 'tRbrace'
  | 'tOr'
  | 'tPipe'
  | 'tNumber'
  | 'tUnquotedIdentifier'
  | 'tQuotedIdentifier'
  | 'tComma'
  | 'tColon'
  | 'tLT'
  | 'tLTE'
  | 'tGT'
  | 'tGTE'
  | 'tEQ'
  | 'tNE'
  | 'tJSONLiteral'
  | 'tStringLiteral'
  | 'tCurrent'
  | 'tExpref'
  | 'tAnd'
  | 'tNot'
  | 'tEOF';

export interface QueryToken {
  readonly kind: QueryTokenKind;
  /** The value of names and literals; the source text of JSON literals. */
  readonly text: string;
  readonly offset: number;
}

const SINGLE: ReadonlyMap<string, QueryTokenKind> = new Map([
  ['.', 'tDot'],
  ['*', 'tStar'],
  [',', 'tComma'],
  [':', 'tColon'],
  ['{', 'tLbrace'],
  ['}', 'tRbrace'],
  [']', 'tRbracket'],
  ['(', 'tLparen'],
  [')', 'tRparen'],
  ['@', 'tCurrent'],
]);

/** First character, second character, token for both, token for the first alone. */
const PAIRS: ReadonlyMap<string, readonly [string, QueryTokenKind, QueryTokenKind]> = new Map([
  ['|', ['|', 'tOr', 'tPipe']],
  ['<', ['=', 'tLTE', 'tLT']],
  ['>', ['=', 'tGTE', 'tGT']],
  ['!', ['=', 'tNE', 'tNot']],
  ['=', ['=', 'tEQ', 'tUnknown']],
  ['&', ['&', 'tAnd', 'tExpref']],
]);

/** Kyverno's lexer has a bug: it accepts U+0080 as part of the name before it. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*\u0080?/y;
const NUMBER = /-?[0-9]*/y;
const SPACE = ' \t\n\r';

export function tokenize(query: string): readonly QueryToken[] | QueryError {
  const tokens: QueryToken[] = [];
  let at = 0;
  while (at < query.length) {
    const character = query.charAt(at);
    const read = SPACE.includes(character) ? at + 1 : readToken(query, at, character);
    if (read instanceof QueryError) return read;
    if (typeof read === 'number') at = read;
    else {
      tokens.push(read.token);
      at = read.end;
    }
  }
  tokens.push({ kind: 'tEOF', text: '', offset: query.length });
  return tokens;
}

interface ReadToken {
  readonly token: QueryToken;
  readonly end: number;
}

function readToken(query: string, at: number, character: string): ReadToken | QueryError {
  const token = (kind: QueryTokenKind, text: string, end: number): ReadToken => ({
    token: { kind, text, offset: at },
    end,
  });
  const name = matchAt(NAME, query, at);
  if (name !== '') return token('tUnquotedIdentifier', name, at + name.length);
  const single = SINGLE.get(character);
  if (single !== undefined) return token(single, character, at + 1);
  const number = matchAt(NUMBER, query, at);
  if (number !== '') return token('tNumber', number, at + number.length);
  const pair = PAIRS.get(character);
  if (pair !== undefined) {
    const [second, both, alone] = pair;
    if (query.charAt(at + 1) === second) return token(both, character + second, at + 2);
    return token(alone, character, at + 1);
  }
  switch (character) {
    case '[': {
      const next = query.charAt(at + 1);
      if (next === '?') return token('tFilter', '[?', at + 2);
      if (next === ']') return token('tFlatten', '[]', at + 2);
      return token('tLbracket', '[', at + 1);
    }
    case '"': {
      const end = findEnd(query, at + 1, '"');
      if (end === undefined) return syntaxError('Unclosed delimiter: "', query.length);
      const decoded = parseJson(query.slice(at, end + 1));
      if ('problem' in decoded) return new QueryError(decoded.problem.message, at);
      return token('tQuotedIdentifier', String(decoded.value), end + 1);
    }
    case '`': {
      const end = findEnd(query, at + 1, '`');
      if (end === undefined) return syntaxError('Unclosed delimiter: `', query.length);
      return token('tJSONLiteral', query.slice(at + 1, end).replaceAll('\\`', '`'), end + 1);
    }
    case "'":
      return readRawString(query, at);
    default: {
      const unknown = String.fromCodePoint(query.codePointAt(at) as number);
      return syntaxError(`Unknown char: ${quoteRuneToAscii(unknown)}`, at);
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** A backslash skips the next character. */
function findEnd(query: string, start: number, delimiter: string): number | undefined {
  for (let at = start; at < query.length; at++) {
    const character = query.charAt(at);
    if (character === delimiter) return at;
    if (character === '\\') at++;
  }
  return undefined;
}

/** The only escape is `\'`. */
function readRawString(query: string, start: number): ReadToken | QueryError {
  let text = '';
  let from = start + 1;
  for (let at = from; at < query.length; at++) {
    const character = query.charAt(at);
    if (character === "'") {
      text += query.slice(from, at);
      return { token: { kind: 'tStringLiteral', text, offset: start }, end: at + 1 };
    }
    if (character === '\\' && query.charAt(at + 1) === "'") {
      text += `${query.slice(from, at)}'`;
      at++;
      from = at + 1;
    }
  }
  return syntaxError("Unclosed delimiter: '", query.length);
}

/** Go `strconv.QuoteRuneToASCII`. */
function quoteRuneToAscii(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  const codePoint = character.codePointAt(0) as number;
  // A byte that is not valid UTF-8.
  const code = codePoint >= 0xd800 && codePoint < 0xe000 ? 0xfffd : codePoint;
  if (code < 0x80) return `'${goQuote(character).slice(1, -1)}'`;
  const hex = code.toString(16);
  return code < 0x1_0000 ? `'\\u${hex.padStart(4, '0')}'` : `'\\U${hex.padStart(8, '0')}'`;
}
