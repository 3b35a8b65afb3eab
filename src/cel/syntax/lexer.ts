// Cuts an expression into tokens: longest match, as ANTLR's lexer for CEL.g4 does, with its way of failing.
import { Token } from './token.ts';

/**
 * A cursor over the text in UTF-16 units. After `next`, the token is `type` from `start` to `end`.
 * Where no token fits, `type` is `LEXER_ERROR` and the characters up to and including the one that spoilt it are skipped.
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

  /** The next token, blanks and comments included. At the end of the text it is EOF, however often one asks. */
  next(): number {
    this.start = this.end;
    this.type = this.#scan(this.start);
    return this.type;
  }

  #scan(at: number): number {
    const { text } = this;
    const first = text.charCodeAt(at);
    if (Number.isNaN(first)) return Token.EOF;
    if (isLetter(first)) return this.#word(at, first);
    if (isDigit(first)) return this.#number(at);
    const second = text.charCodeAt(at + 1);
    switch (first) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0c:
      case 0x0d:
        return this.#blank(at + 1);
      case 0x22:
      case 0x27:
        return this.#quoted(at, at, false, Token.STRING);
      case 0x60:
        return this.#escapedIdentifier(at);
      case 0x2e:
        return isDigit(second) ? this.#fraction(at) : this.#accept(Token.DOT, at + 1);
      case 0x2f:
        return second === 0x2f ? this.#comment(at) : this.#accept(Token.SLASH, at + 1);
      case 0x3d:
        return second === 0x3d ? this.#accept(Token.EQUALS, at + 2) : this.#fail(at + 1);
      case 0x26:
        return second === 0x26 ? this.#accept(Token.LOGICAL_AND, at + 2) : this.#fail(at + 1);
      case 0x7c:
        return second === 0x7c ? this.#accept(Token.LOGICAL_OR, at + 2) : this.#fail(at + 1);
      case 0x21:
        return second === 0x3d ? this.#accept(Token.NOT_EQUALS, at + 2) : this.#accept(Token.EXCLAM, at + 1);
      case 0x3c:
        return second === 0x3d ? this.#accept(Token.LESS_EQUALS, at + 2) : this.#accept(Token.LESS, at + 1);
      case 0x3e:
        return second === 0x3d ? this.#accept(Token.GREATER_EQUALS, at + 2) : this.#accept(Token.GREATER, at + 1);
      case 0x5b:
        return this.#accept(Token.LBRACKET, at + 1);
      case 0x5d:
        return this.#accept(Token.RBRACKET, at + 1);
      case 0x7b:
        return this.#accept(Token.LBRACE, at + 1);
      case 0x7d:
        return this.#accept(Token.RBRACE, at + 1);
      case 0x28:
        return this.#accept(Token.LPAREN, at + 1);
      case 0x29:
        return this.#accept(Token.RPAREN, at + 1);
      case 0x2c:
        return this.#accept(Token.COMMA, at + 1);
      case 0x2d:
        return this.#accept(Token.MINUS, at + 1);
      case 0x3f:
        return this.#accept(Token.QUESTION, at + 1);
      case 0x3a:
        return this.#accept(Token.COLON, at + 1);
      case 0x2b:
        return this.#accept(Token.PLUS, at + 1);
      case 0x2a:
        return this.#accept(Token.STAR, at + 1);
      case 0x25:
        return this.#accept(Token.PERCENT, at + 1);
      default:
        return this.#fail(at);
    }
  }

  #accept(type: number, end: number): number {
    this.end = end;
    return type;
  }

  /** `at` is the character that fits nowhere; it is swallowed with what came before it. */
  #fail(at: number): number {
    const spoiler = this.text.codePointAt(at);
    this.end = spoiler === undefined ? at : at + (spoiler > 0xffff ? 2 : 1);
    return LEXER_ERROR;
  }

  #blank(from: number): number {
    let at = from;
    while (isBlank(this.text.charCodeAt(at))) at++;
    return this.#accept(Token.WHITESPACE, at);
  }

  #comment(from: number): number {
    const newline = this.text.indexOf('\n', from);
    return this.#accept(Token.COMMENT, newline < 0 ? this.text.length : newline);
  }

  #word(from: number, first: number): number {
    const { text } = this;
    let at = from + 1;
    let code = text.charCodeAt(at);
    if (code === 0x22 || code === 0x27) {
      if (first === 0x72 || first === 0x52) return this.#quoted(from, at, true, Token.STRING, at);
      if (first === 0x62 || first === 0x42) return this.#quoted(from, at, false, Token.BYTES, at);
    } else if ((code === 0x72 || code === 0x52) && (first === 0x62 || first === 0x42)) {
      const third = text.charCodeAt(at + 1);
      if (third === 0x22 || third === 0x27) return this.#quoted(from, at + 1, true, Token.BYTES, at + 1);
    }
    while (isWordPart(code)) code = text.charCodeAt(++at);
    this.end = at;
    const mayBeKeyword = at - from <= 5 && (first === 0x66 || first === 0x69 || first === 0x6e || first === 0x74);
    return (mayBeKeyword ? WORDS.get(text.slice(from, at)) : undefined) ?? Token.IDENTIFIER;
  }

  #number(from: number): number {
    const { text } = this;
    if (text.charCodeAt(from) === 0x30 && text.charCodeAt(from + 1) === 0x78 && isHexDigit(text.charCodeAt(from + 2))) {
      let at = from + 3;
      while (isHexDigit(text.charCodeAt(at))) at++;
      return this.#integer(at);
    }
    const at = this.#digits(from + 1);
    if (text.charCodeAt(at) === 0x2e && isDigit(text.charCodeAt(at + 1))) return this.#fraction(at);
    const exponentEnd = this.#exponent(at);
    return exponentEnd > at ? this.#accept(Token.FLOAT, exponentEnd) : this.#integer(at);
  }

  #integer(at: number): number {
    const suffix = this.text.charCodeAt(at);
    return suffix === 0x75 || suffix === 0x55 ? this.#accept(Token.UINT, at + 1) : this.#accept(Token.INT, at);
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
    const letter = text.charCodeAt(from);
    if (letter !== 0x65 && letter !== 0x45) return from;
    const sign = text.charCodeAt(from + 1);
    const digits = sign === 0x2b || sign === 0x2d ? from + 2 : from + 1;
    return isDigit(text.charCodeAt(digits)) ? this.#digits(digits) : from;
  }

  /**
   * A string that opens at `quote`. If it does not close, an identifier made of its prefix (ending at `prefixEnd`) is the
   * longest match, or the empty string that opens a triple-quoted one; else the text up to the spoiling character is lost.
   */
  #quoted(start: number, quote: number, raw: boolean, type: number, prefixEnd = start): number {
    const { text } = this;
    const mark = text.charCodeAt(quote);
    if (text.charCodeAt(quote + 1) === mark) {
      if (text.charCodeAt(quote + 2) !== mark) return this.#accept(type, quote + 2);
      const end = this.#tripleQuoted(quote + 3, mark, raw);
      return this.#accept(type, end > 0 ? end : quote + 2);
    }
    let at = quote + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === mark) return this.#accept(type, at + 1);
      if (Number.isNaN(code) || code === 0x0a || code === 0x0d) break;
      if (code === 0x5c && !raw) {
        const rest = escapeEnd(text, at);
        if (rest < 0) {
          at = -rest;
          break;
        }
        at = rest;
      } else {
        at++;
      }
    }
    return prefixEnd > start ? this.#accept(Token.IDENTIFIER, prefixEnd) : this.#fail(at);
  }

  /** End of the string whose body starts at `from`; -1 if it does not close. */
  #tripleQuoted(from: number, mark: number, raw: boolean): number {
    const { text } = this;
    const close = String.fromCharCode(mark).repeat(3);
    if (raw) {
      const found = text.indexOf(close, from);
      return found < 0 ? -1 : found + 3;
    }
    for (let at = from; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (code === mark && text.startsWith(close, at)) return at + 3;
      const rest = code === 0x5c ? escapeEnd(text, at) : at + 1;
      if (rest < 0) return -1;
      at = rest;
    }
    return -1;
  }

  #escapedIdentifier(from: number): number {
    const { text } = this;
    let at = from + 1;
    while (isEscapedIdentifierPart(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === 0x60 && at > from + 1) return this.#accept(Token.ESCAPED_IDENTIFIER, at + 1);
    return this.#fail(at);
  }
}

/** The index after the escape sequence that starts at `backslash`; minus the index of the spoiling character if it is none. */
function escapeEnd(text: string, backslash: number): number {
  const at = backslash + 1;
  const code = text.charCodeAt(at);
  switch (code) {
    case 0x78:
    case 0x58:
      return hexEnd(text, at + 1, 2);
    case 0x75:
      return hexEnd(text, at + 1, 4);
    case 0x55:
      return hexEnd(text, at + 1, 8);
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
      if (!isOctalDigit(text.charCodeAt(at + 1))) return -(at + 1);
      return isOctalDigit(text.charCodeAt(at + 2)) ? at + 3 : -(at + 2);
    default:
      return Number.isNaN(code) || !'abfnrtv"\'\\?`'.includes(String.fromCharCode(code)) ? -at : at + 1;
  }
}

function hexEnd(text: string, from: number, length: number): number {
  for (let at = from; at < from + length; at++) {
    if (!isHexDigit(text.charCodeAt(at))) return -at;
  }
  return from + length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isOctalDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x37;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isWordPart(code: number): boolean {
  return isLetter(code) || isDigit(code);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d || code === 0x0c;
}

/** Letters, digits, `_`, `.`, `-`, `/` and space. */
function isEscapedIdentifierPart(code: number): boolean {
  return isWordPart(code) || code === 0x2d || code === 0x2e || code === 0x2f || code === 0x20;
}
