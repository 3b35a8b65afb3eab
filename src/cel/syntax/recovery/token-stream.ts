// Tokens as the recovering parser reads them: made when they are looked at, blanks kept for messages (ANTLR's `CommonTokenStream`).
import { LEXER_ERROR, Lexer } from '../lexer.ts';
import type { SourceText } from '../source-text.ts';
import { Token } from '../token.ts';
import type { TreeToken } from './tree.ts';

/** `text` is what was skipped because no token fits. */
export type ReportLexerError = (text: string, offset: number) => void;

export class TokenStream {
  readonly #source: SourceText;
  readonly #lexer: Lexer;
  readonly #report: ReportLexerError;
  /** Blanks and comments included. */
  readonly #all: TreeToken[] = [];
  readonly #visible: TreeToken[] = [];
  #at = 0;

  constructor(source: SourceText, report: ReportLexerError) {
    this.#source = source;
    this.#lexer = new Lexer(source.text);
    this.#report = report;
  }

  /** Counts tokens that are not blank. */
  get position(): number {
    return this.#at;
  }

  get current(): TreeToken {
    return this.ahead(1);
  }

  get previous(): TreeToken | undefined {
    return this.#visible[this.#at - 1];
  }

  /** The token `count` places on, 1 being the current one; the end of the text if there are not as many. */
  ahead(count: number): TreeToken {
    const wanted = this.#at + count;
    while (this.#visible.length < wanted && this.#visible.at(-1)?.type !== Token.EOF) this.#fetch();
    return this.#visible[Math.min(wanted, this.#visible.length) - 1] as TreeToken;
  }

  /** The end of the text is never passed. */
  advance(): void {
    if (this.current.type !== Token.EOF) this.#at++;
  }

  /** The text from one token to another, both included, what the lexer skipped left out. */
  textBetween(first: TreeToken, last: TreeToken): string {
    const tokens = this.#all.slice(first.index, last.index + 1);
    return tokens.map((token) => (token.type === Token.EOF ? '' : token.text)).join('');
  }

  #fetch(): void {
    const lexer = this.#lexer;
    const type = lexer.next();
    const text = lexer.text.slice(lexer.start, lexer.end);
    const offset = this.#source.text === '' ? -1 : this.#source.offsetOf(lexer.start);
    if (type === LEXER_ERROR) {
      this.#report(text, offset);
      return;
    }
    const token = { type, text: type === Token.EOF ? '<EOF>' : text, offset, index: this.#all.length };
    this.#all.push(token);
    if (type !== Token.WHITESPACE && type !== Token.COMMENT) this.#visible.push(token);
  }
}
