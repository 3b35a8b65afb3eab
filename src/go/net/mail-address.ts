// Decides whether Go's net/mail accepts a text as one mail address (`mail.ParseAddress`, RFC 5322).
import { parseIpAddress } from './ip-address.ts';

/** Accepts a plain address, an address with a display name, or a group with one address. */
export function isMailAddress(text: string): boolean {
  // Go rejects bytes that are not UTF-8.
  return !/\p{Surrogate}/u.test(text) && new AddressReader(text).readsOne();
}

const ATOM = /[^\0-\x20().<>[\]:;@\\,"\x7f]/u.source;
const DOT_ATOM = new RegExp(`(?:${ATOM}|\\.)+`, 'uy');
const QUOTED = /"(?:[^\0-\x08\x0a-\x1f"\\\x7f]|\\[^\0-\x08\x0a-\x1f\x7f])*"/uy;
const DOMAIN_LITERAL = /\[([^\0-\x20[\]\\\x7f]*)\]/uy;
const SPACE = /[ \t]*/y;
const ENCODED_WORD = /^=\?([^?]*)\?[bBqQ]\?[^?]*\?=$/;
const CHARSETS: readonly string[] = ['utf-8', 'iso-8859-1', 'us-ascii'];

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readsOne(): boolean {
    return this.#addresses(true) === 1 && this.#skipComments() && this.#isAtEnd();
  }

  /** Number of parsed addresses: one, or those of a group; undefined if there is none. */
  #addresses(mayBeGroup: boolean): number | undefined {
    this.#skipSpace();
    if (this.#isAtEnd()) return undefined;
    if (this.#addressSpec()) {
      this.#skipSpace();
      return this.#text.charAt(this.#at) === '(' && !this.#comment() ? undefined : 1;
    }
    if (this.#text.charAt(this.#at) !== '<' && !this.#phrase()) return undefined;
    this.#skipSpace();
    if (mayBeGroup && this.#skip(':')) return this.#group();
    return this.#skip('<') && this.#addressSpec() && this.#skip('>') ? 1 : undefined;
  }

  #group(): number | undefined {
    this.#skipSpace();
    if (this.#skip(';')) return this.#skipComments() ? 0 : undefined;
    for (let count = 1; ; count++) {
      this.#skipSpace();
      if (this.#addresses(false) === undefined || !this.#skipComments()) return undefined;
      if (this.#skip(';')) return this.#skipComments() ? count : undefined;
      if (!this.#skip(',')) return undefined;
    }
  }

  /** Consumes nothing unless `local@domain` is complete. */
  #addressSpec(): boolean {
    const start = this.#at;
    this.#skipSpace();
    const local = this.#text.charAt(this.#at) === '"' ? this.#match(QUOTED)?.[0] : this.#dotAtom();
    if (local !== undefined && local !== '""' && this.#skip('@')) {
      this.#skipSpace();
      if (this.#text.charAt(this.#at) === '[' ? this.#domainLiteral() : this.#dotAtom() !== undefined) return true;
    }
    this.#at = start;
    return false;
  }

  #dotAtom(): string | undefined {
    const atom = this.#match(DOT_ATOM)?.[0];
    return atom === undefined || /^\.|\.\.|\.$/.test(atom) ? undefined : atom;
  }

  #domainLiteral(): boolean {
    const address = parseIpAddress(this.#match(DOMAIN_LITERAL)?.[1] ?? '');
    return !('error' in address) && address.zone === '';
  }

  /** One or more words; the text after the last word is not consumed. */
  #phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.#skipComments()) return false;
      this.#skipSpace();
      if (this.#isAtEnd()) return words > 0;
      const isQuoted = this.#text.charAt(this.#at) === '"';
      const word = this.#match(isQuoted ? QUOTED : DOT_ATOM)?.[0];
      if (word === undefined || (!isQuoted && !isReadable(word))) return words > 0;
    }
  }

  #skipComments(): boolean {
    this.#skipSpace();
    while (this.#text.charAt(this.#at) === '(') {
      if (!this.#comment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  #comment(): boolean {
    let depth = 0;
    do {
      const character = this.#text.charAt(this.#at);
      if (character === '') return false;
      if (character === '\\' && this.#at + 1 < this.#text.length) this.#at++;
      else if (character === '(') depth++;
      else if (character === ')') depth--;
      this.#at++;
    } while (depth > 0);
    return true;
  }

  #skip(character: string): boolean {
    const found = this.#text.charAt(this.#at) === character;
    if (found) this.#at++;
    return found;
  }

  #skipSpace(): void {
    this.#match(SPACE);
  }

  #isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern);
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }
}

/** Go rejects an encoded word (RFC 2047) in an unknown character set. */
function isReadable(word: string): boolean {
  const charset = ENCODED_WORD.exec(word)?.[1];
  return charset === undefined || CHARSETS.includes(charset.toLowerCase());
}
