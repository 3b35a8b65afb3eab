// Token-based analysis of expressions that may be incomplete, without parsing.
import { LEXER_ERROR, Lexer } from '../syntax/lexer.ts';
import { Token } from '../syntax/token.ts';

/** Half-open range of UTF-16 offsets into the expression. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface WrittenToken extends TextRange {
  /** A value of `Token`. */
  readonly type: number;
}

/** Omits blanks, comments and invalid characters. */
export function writtenTokens(text: string): readonly WrittenToken[] {
  const lexer = new Lexer(text);
  const tokens: WrittenToken[] = [];
  for (let type = lexer.next(); type !== Token.EOF; type = lexer.next()) {
    if (type === LEXER_ERROR && lexer.end === lexer.start) break;
    if (type === LEXER_ERROR || type === Token.WHITESPACE || type === Token.COMMENT) continue;
    tokens.push({ type, start: lexer.start, end: lexer.end });
  }
  return tokens;
}

/** A call whose parentheses enclose the edited location. */
export interface OpenCall {
  readonly name: string;
  /** The operand before the dot. */
  readonly receiver: TextRange | undefined;
  /** 0-based index of the argument at the location. */
  readonly argument: number;
  /** Leading arguments that are plain names, which are the variables if the call is a macro. */
  readonly names: readonly string[];
}

/** Calls whose parentheses are open before the token at `index`, outermost first. */
export function openCalls(text: string, tokens: readonly WrittenToken[], index: number): readonly OpenCall[] {
  interface Bracket {
    readonly at: number;
    commas: number;
  }
  const open: Bracket[] = [];
  for (const [at, { type }] of tokens.slice(0, index).entries()) {
    if (OPENING.has(type)) open.push({ at, commas: 0 });
    else if (CLOSING.has(type)) open.pop();
    else if (type === Token.COMMA) {
      const last = open.at(-1);
      if (last !== undefined) last.commas += 1;
    }
  }
  return open.flatMap(({ at, commas }) => {
    const name = tokens[at - 1];
    if (tokens[at]?.type !== Token.LPAREN || name?.type !== Token.IDENTIFIER) return [];
    const isMethod = tokens[at - 2]?.type === Token.DOT;
    const receiver = isMethod ? operandEnding(tokens, at - 3) : undefined;
    return [
      { name: text.slice(name.start, name.end), receiver, argument: commas, names: namesAfter(text, tokens, at) },
    ];
  });
}

/** The names `x, y` after the parenthesis at `open`. */
function namesAfter(text: string, tokens: readonly WrittenToken[], open: number): readonly string[] {
  const names: string[] = [];
  for (let at = open + 1; tokens[at]?.type === Token.IDENTIFIER && tokens[at + 1]?.type === Token.COMMA; at += 2) {
    const { start, end } = tokens[at] as WrittenToken;
    names.push(text.slice(start, end));
  }
  return names;
}

/** The operand that a dot after the token at `last` would select from, e.g. `a.b[0].c(x)`; undefined if no operand ends there. */
export function operandEnding(tokens: readonly WrittenToken[], last: number): TextRange | undefined {
  const end = tokens[last]?.end;
  const first = operandStart(tokens, last);
  const start = first === undefined ? undefined : tokens[first]?.start;
  return start === undefined || end === undefined ? undefined : { start, end };
}

function operandStart(tokens: readonly WrittenToken[], last: number): number | undefined {
  let at = last;
  for (;;) {
    const type = tokens[at]?.type;
    if (type === undefined) return undefined;
    if (CLOSING.has(type)) {
      const open = matching(tokens, at);
      if (open === undefined) return undefined;
      const before = tokens[open - 1]?.type;
      const isName = before === Token.IDENTIFIER;
      const isIndexed =
        type === Token.RBRACKET && before !== undefined && (OPERAND_ENDS.has(before) || CLOSING.has(before));
      if (!(isIndexed || (isName && type !== Token.RBRACKET))) return open;
      at = open - 1;
      continue;
    }
    if (!OPERAND_ENDS.has(type)) return undefined;
    const isOptional = tokens[at - 1]?.type === Token.QUESTION && tokens[at - 2]?.type === Token.DOT;
    const dot = isOptional ? at - 2 : at - 1;
    if (tokens[dot]?.type !== Token.DOT) return at;
    at = dot - 1;
  }
}

function matching(tokens: readonly WrittenToken[], close: number): number | undefined {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    const { type } = tokens[at] as WrittenToken;
    if (CLOSING.has(type)) depth += 1;
    else if (OPENING.has(type)) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

const OPENING: ReadonlySet<number> = new Set([Token.LPAREN, Token.LBRACKET, Token.LBRACE]);
const CLOSING: ReadonlySet<number> = new Set([Token.RPAREN, Token.RBRACKET, Token.RBRACE]);
const OPERAND_ENDS: ReadonlySet<number> = new Set([
  Token.IDENTIFIER,
  Token.ESCAPED_IDENTIFIER,
  Token.STRING,
  Token.BYTES,
  Token.INT,
  Token.UINT,
  Token.FLOAT,
  Token.TRUE,
  Token.FALSE,
  Token.NULL,
]);
