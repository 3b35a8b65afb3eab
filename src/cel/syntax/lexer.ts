// Splits an expression into tokens: longest match and error handling like ANTLR's lexer for CEL.g4.
import { Token } from './token.ts';

/**
 * A cursor over the text in UTF-16 units. After `next`, the token is `type` from `start` to `end`. If no token fits,
 * `type` is `LEXER_ERROR`, and the characters up to and including the first invalid one are skipped.
 */
export const LEXER_ERROR = 0;

const WORDS: ReadonlyMap<string, number> = new Map<string, number>([
  ['in', Token.IN],
  ['true', Token.TRUE],
  ['false', Token.FALSE],
  ['null', Token.NULL],
]);

export class Lexer {
  readonly text: string;
  type: number = Token.EOF;
  start = 0;
  end = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next token, including blanks and comments. At the end of the text, always EOF. */
  next(): number {
    this.start = this.end;
    this.type = this.#scan(this.start);
    return this.type;
  }

  #scan(at: number): number {
    const { text } = this;
    const code = text.charCodeAt(at);
    if (isLetter(code)) return this.#word(at);
    if (isDigit(code)) return this.#number(at);
    const isDoubled = text.charCodeAt(at + 1) === code;
    const isBeforeEquals = text.charAt(at + 1) === '=';
    switch (text.charAt(at)) {
      case '':
        return Token.EOF;
      case ' ':
      case '\t':
      case '\n':
      case '\f':
      case '\r':
        return this.#blank(at + 1);
      case '"':
      case "'":
        return this.#quoted(at, at, false, Token.STRING);
      case '`':
        return this.#escapedIdentifier(at);
      case '.':
        return isDigit(text.charCodeAt(at + 1)) ? this.#fraction(at) : this.#accept(Token.DOT, at + 1);
      case '/':
        return isDoubled ? this.#comment(at) : this.#accept(Token.SLASH, at + 1);
      case '=':
        return isDoubled ? this.#accept(Token.EQUALS, at + 2) : this.#fail(at + 1);
      case '&':
        return isDoubled ? this.#accept(Token.LOGICAL_AND, at + 2) : this.#fail(at + 1);
      case '|':
        return isDoubled ? this.#accept(Token.LOGICAL_OR, at + 2) : this.#fail(at + 1);
      case '!':
        return isBeforeEquals ? this.#accept(Token.NOT_EQUALS, at + 2) : this.#accept(Token.EXCLAM, at + 1);
      case '<':
        return isBeforeEquals ? this.#accept(Token.LESS_EQUALS, at + 2) : this.#accept(Token.LESS, at + 1);
      case '>':
        return isBeforeEquals ? this.#accept(Token.GREATER_EQUALS, at + 2) : this.#accept(Token.GREATER, at + 1);
      case '[':
        return this.#accept(Token.LBRACKET, at + 1);
      case ']':
        return this.#accept(Token.RBRACKET, at + 1);
      case '{':
        return this.#accept(Token.LBRACE, at + 1);
      case '}':
        return this.#accept(Token.RBRACE, at + 1);
      case '(':
        return this.#accept(Token.LPAREN, at + 1);
      case ')':
        return this.#accept(Token.RPAREN, at + 1);
      case ',':
        return this.#accept(Token.COMMA, at + 1);
      case '-':
        return this.#accept(Token.MINUS, at + 1);
      case '?':
        return this.#accept(Token.QUESTION, at + 1);
      case ':':
        return this.#accept(Token.COLON, at + 1);
      case '+':
        return this.#accept(Token.PLUS, at + 1);
      case '*':
        return this.#accept(Token.STAR, at + 1);
      case '%':
        return this.#accept(Token.PERCENT, at + 1);
      default:
        return this.#fail(at);
    }
  }

  #accept(type: number, end: number): number {
    this.end = end;
    return type;
  }

  /** `at` is the invalid character, which is skipped with the text before it. */
  #fail(at: number): number {
    const spoiler = this.text.codePointAt(at);
    this.end = spoiler === undefined ? at : at + (spoiler > 0xffff ? 2 : 1);
    return LEXER_ERROR;
  }

  #blank(from: number): number {
    let at = from;
    while (isBlank(this.text.charAt(at))) at++;
    return this.#accept(Token.WHITESPACE, at);
  }

  #comment(from: number): number {
    const newline = this.text.indexOf('\n', from);
    return this.#accept(Token.COMMENT, newline < 0 ? this.text.length : newline);
  }

  #word(from: number): number {
    const { text } = this;
    let at = from + 1;
    while (isWordPart(text.charCodeAt(at))) at++;
    if (at - from <= 2 && isQuote(text.charAt(at))) {
      const prefix = text.slice(from, at).toLowerCase();
      if (prefix === 'r') return this.#quoted(from, at, true, Token.STRING);
      if (prefix === 'b' || prefix === 'br') return this.#quoted(from, at, prefix === 'br', Token.BYTES);
    }
    this.end = at;
    return (at - from <= 5 ? WORDS.get(text.slice(from, at)) : undefined) ?? Token.IDENTIFIER;
  }

  #number(from: number): number {
    const { text } = this;
    if (text.startsWith('0x', from) && isHexDigit(text.charCodeAt(from + 2))) {
      let at = from + 3;
      while (isHexDigit(text.charCodeAt(at))) at++;
      return this.#integer(at);
    }
    const at = this.#digits(from + 1);
    if (text.charAt(at) === '.' && isDigit(text.charCodeAt(at + 1))) return this.#fraction(at);
    const exponentEnd = this.#exponent(at);
    return exponentEnd > at ? this.#accept(Token.FLOAT, exponentEnd) : this.#integer(at);
  }

  #integer(at: number): number {
    const suffix = this.text.charAt(at);
    return suffix === 'u' || suffix === 'U' ? this.#accept(Token.UINT, at + 1) : this.#accept(Token.INT, at);
  }

  #fraction(dot: number): number {
    return this.#accept(Token.FLOAT, this.#exponent(this.#digits(dot + 1)));
  }

  #digits(from: number): number {
    let at = from;
    while (isDigit(this.text.charCodeAt(at))) at++;
    return at;
  }

  /** Returns `from` itself when there is no exponent. */
  #exponent(from: number): number {
    const { text } = this;
    const letter = text.charAt(from);
    if (letter !== 'e' && letter !== 'E') return from;
    const sign = text.charAt(from + 1);
    const digits = sign === '+' || sign === '-' ? from + 2 : from + 1;
    return isDigit(text.charCodeAt(digits)) ? this.#digits(digits) : from;
  }

  /**
   * Scans a string that opens at `quote`, with a prefix from `start`. If it does not close, the prefix alone is an identifier, and the
   * opening of a triple-quoted string is an empty string. Otherwise the text up to the invalid character is skipped.
   */
  #quoted(start: number, quote: number, raw: boolean, type: number): number {
    const { text } = this;
    const mark = text.charAt(quote);
    if (text.charAt(quote + 1) === mark) {
      if (text.charAt(quote + 2) !== mark) return this.#accept(type, quote + 2);
      const end = this.#tripleQuoted(quote + 3, mark.repeat(3), raw);
      return this.#accept(type, end > 0 ? end : quote + 2);
    }
    let at = quote + 1;
    for (;;) {
      const character = text.charAt(at);
      if (character === mark) return this.#accept(type, at + 1);
      if (character === '' || character === '\n' || character === '\r') break;
      const next = character === '\\' && !raw ? escapeEnd(text, at) : at + 1;
      if (next < 0) {
        at = -next;
        break;
      }
      at = next;
    }
    return quote > start ? this.#accept(Token.IDENTIFIER, quote) : this.#fail(at);
  }

  /** End of the string whose body starts at `from`; -1 if it does not close. */
  #tripleQuoted(from: number, close: string, raw: boolean): number {
    const { text } = this;
    let at = from;
    while (at < text.length) {
      if (text.startsWith(close, at)) return at + 3;
      const next = text.charAt(at) === '\\' && !raw ? escapeEnd(text, at) : at + 1;
      if (next < 0) return -1;
      at = next;
    }
    return -1;
  }

  #escapedIdentifier(from: number): number {
    const { text } = this;
    let at = from + 1;
    while (isEscapedIdentifierPart(text.charAt(at))) at++;
    if (text.charAt(at) === '`' && at > from + 1) return this.#accept(Token.ESCAPED_IDENTIFIER, at + 1);
    return this.#fail(at);
  }
}

/** The index after the escape sequence at `backslash`; for an invalid sequence, the negated index of the invalid character. */
function escapeEnd(text: string, backslash: number): number {
  const at = backslash + 1;
  const letter = text.charAt(at);
  switch (letter) {
    case 'x':
    case 'X':
      return hexEnd(text, at + 1, 2);
    case 'u':
      return hexEnd(text, at + 1, 4);
    case 'U':
      return hexEnd(text, at + 1, 8);
    case '0':
    case '1':
    case '2':
    case '3':
      if (!isOctalDigit(text.charCodeAt(at + 1))) return -(at + 1);
      return isOctalDigit(text.charCodeAt(at + 2)) ? at + 3 : -(at + 2);
    default:
      return letter === '' || !'abfnrtv"\'\\?`'.includes(letter) ? -at : at + 1;
  }
}

function hexEnd(text: string, from: number, length: number): number {
  for (let at = from; at < from + length; at++) {
    if (!isHexDigit(text.charCodeAt(at))) return -at;
  }
  return from + length;
}

/** These functions take UTF-16 units; past the end of the text the value is NaN, which matches no class. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isOctalDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x37;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

/** ASCII letters and `_`. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isWordPart(code: number): boolean {
  return isLetter(code) || isDigit(code);
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r' || character === '\f';
}

/** Characters permitted in backquoted names besides letters and digits. */
function isEscapedIdentifierPart(character: string): boolean {
  return (
    isWordPart(character.charCodeAt(0)) ||
    character === '-' ||
    character === '.' ||
    character === '/' ||
    character === ' '
  );
}
