// The token stream of the recovering parser: reads tokens on demand and keeps blanks for messages (ANTLR's `CommonTokenStream`).
import { LEXER_ERROR, Lexer } from '../lexer.ts';
import type { SourceText } from '../source-text.ts';
import { Token } from '../token.ts';
import type { TreeToken } from './tree.ts';

/** `text` was skipped because no token fits. */
export type ReportLexerError = (text: string, offset: number) => void;

export class TokenStream {
  readonly #source: SourceText;
  readonly #lexer: Lexer;
  readonly #report: ReportLexerError;
  /** Includes blanks and comments. */
  readonly #all: TreeToken[] = [];
  readonly #visible: TreeToken[] = [];
  #at = 0;

  constructor(source: SourceText, report: ReportLexerError) {
    this.#source = source;
    this.#lexer = new Lexer(source.text);
    this.#report = report;
  }

  /** Number of non-blank tokens before the current one. */
  get position(): number {
    return this.#at;
  }

  get current(): TreeToken {
    return this.ahead(1);
  }

  get previous(): TreeToken | undefined {
    return this.#visible[this.#at - 1];
  }

  /** The token `count` positions ahead, where 1 is the current one; EOF if there are fewer. */
  ahead(count: number): TreeToken {
    const wanted = this.#at + count;
    while (this.#visible.length < wanted && this.#visible.at(-1)?.type !== Token.EOF) this.#fetch();
    return this.#visible[Math.min(wanted, this.#visible.length) - 1] as TreeToken;
  }

  /** Does not move past the end of the text. */
  advance(): void {
    if (this.current.type !== Token.EOF) this.#at++;
  }

  /** The text from one token to another, both included, without text that the lexer skipped. */
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
