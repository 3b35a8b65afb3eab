// Classifies the tokens of an expression for syntax highlighting.
import { Token } from '../syntax/token.ts';
import { type TextRange, type WrittenToken, writtenTokens } from './written-tokens.ts';

export type TokenClass = 'variable' | 'property' | 'function' | 'keyword' | 'string' | 'number' | 'operator';

export interface ClassifiedToken extends TextRange {
  readonly class: TokenClass;
}

/** Omits brackets, commas and dots. */
export function classifiedTokens(text: string): readonly ClassifiedToken[] {
  const tokens = writtenTokens(text);
  return tokens.flatMap((token, index) => {
    const found = classOf(token, tokens[index - 1], tokens[index + 1]);
    return found === undefined ? [] : [{ start: token.start, end: token.end, class: found }];
  });
}

function classOf(
  { type }: WrittenToken,
  before: WrittenToken | undefined,
  after: WrittenToken | undefined,
): TokenClass | undefined {
  const isSelected = before?.type === Token.DOT;
  if (NAMES.has(type)) {
    if (after?.type === Token.LPAREN) return 'function';
    return isSelected ? 'property' : 'variable';
  }
  if (KEYWORDS.has(type)) return isSelected ? 'property' : 'keyword';
  if (type === Token.STRING || type === Token.BYTES) return 'string';
  if (type === Token.INT || type === Token.UINT || type === Token.FLOAT) return 'number';
  return PUNCTUATION.has(type) ? undefined : 'operator';
}

const NAMES: ReadonlySet<number> = new Set([Token.IDENTIFIER, Token.ESCAPED_IDENTIFIER]);
const KEYWORDS: ReadonlySet<number> = new Set([Token.IN, Token.TRUE, Token.FALSE, Token.NULL]);
const PUNCTUATION: ReadonlySet<number> = new Set([
  Token.LPAREN,
  Token.RPAREN,
  Token.LBRACKET,
  Token.RBRACKET,
  Token.LBRACE,
  Token.RBRACE,
  Token.COMMA,
  Token.DOT,
]);
