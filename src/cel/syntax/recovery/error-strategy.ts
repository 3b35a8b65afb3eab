// Reports unexpected tokens and recovers: deletes a token, inserts the expected one, or skips (ANTLR's `DefaultErrorStrategy`).
import type { ParserLimits } from '../limits.ts';
import { TOKEN_NAMES, Token } from '../token.ts';
import type { State } from './automaton.ts';
import type { ContextPool } from './context.ts';
import type { ErrorReporter } from './error-reporter.ts';
import type { Lookahead } from './lookahead.ts';
import { END_OF_RULE, TokenSet } from './token-set.ts';
import type { TokenStream } from './token-stream.ts';
import { contextOf, type TreeNode, type TreeToken } from './tree.ts';

type Failure =
  | { readonly kind: 'mismatch'; readonly state: State; readonly node: TreeNode; readonly offending: TreeToken }
  | { readonly kind: 'no-viable'; readonly first: TreeToken; readonly offending: TreeToken };

export class ErrorStrategy {
  readonly #tokens: TokenStream;
  readonly #lookahead: Lookahead;
  readonly #pool: ContextPool;
  readonly #limits: ParserLimits;
  readonly #reporter: ErrorReporter;
  #failure: Failure | undefined;
  /** After an error, nothing is reported until a token matches. */
  #isRecovering = false;
  #recoveries = 0;
  #lastErrorPosition = -1;
  #lastErrorStates = new Set<State>();

  constructor(
    tokens: TokenStream,
    lookahead: Lookahead,
    pool: ContextPool,
    limits: ParserLimits,
    reporter: ErrorReporter,
  ) {
    this.#tokens = tokens;
    this.#lookahead = lookahead;
    this.#pool = pool;
    this.#limits = limits;
    this.#reporter = reporter;
  }

  /** Reads a token of the given types in `state` of `node`. Undefined if the rule has failed. */
  match(types: readonly number[], state: State, node: TreeNode): TreeToken | undefined {
    const { current } = this.#tokens;
    if (!types.includes(current.type)) return this.#recoverInline(state, node);
    this.#endRecovery();
    this.#tokens.advance();
    return current;
  }

  /** Checks the token at the start of an optional part, a loop or a choice. False if the rule has failed. */
  synchronize(state: State, node: TreeNode): boolean {
    if (this.#isRecovering) return true;
    const possible = this.#lookahead.withinRule(state);
    if (possible.has(END_OF_RULE) || possible.has(this.#tokens.current.type)) return true;
    if (state.kind === 'decision') {
      if (this.#deleteToken(state, node) !== undefined) return true;
      this.#failure = { kind: 'mismatch', state, node, offending: this.#tokens.current };
      return false;
    }
    this.#reportUnwanted(state, node);
    const sensible = new TokenSet();
    sensible.addAll(this.#lookahead.expected(state, node));
    sensible.addAll(this.#lookahead.following(node));
    this.#skipTo(sensible, Number.POSITIVE_INFINITY);
    return true;
  }

  /** Records that no alternative starts with the tokens from `first` to `offending`: the rule has failed. */
  refuse(first: TreeToken, offending: TreeToken): void {
    this.#failure = { kind: 'no-viable', first, offending };
  }

  /** Reports why the rule of `node` failed in `state`, and skips to a token at which it or an outer rule can continue. */
  giveUp(state: State, node: TreeNode): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    this.#reportFailure(failure);
    if (!this.#mayRecover()) return;
    let budget = this.#limits.recoveryTokens;
    if (this.#lastErrorPosition === this.#tokens.position && this.#lastErrorStates.has(state)) {
      // The same state and position again: skip at least one token.
      this.#tokens.advance();
      budget--;
    }
    this.#lastErrorPosition = this.#tokens.position;
    this.#lastErrorStates.add(state);
    this.#skipTo(this.#lookahead.following(node), budget);
  }

  /** Finds the expected token after a surplus one, or inserts it. Undefined if neither is possible. */
  #recoverInline(state: State, node: TreeNode): TreeToken | undefined {
    if (!this.#mayRecover()) return undefined;
    const found = this.#deleteToken(state, node);
    if (found !== undefined) {
      this.#tokens.advance();
      return found;
    }
    const { current } = this.#tokens;
    const next = state.transitions[0]?.target as State;
    if (this.#lookahead.inContext(next, contextOf(node, this.#pool)).has(current.type)) {
      const expected = this.#lookahead.expected(state, node);
      if (this.#beginRecovery()) {
        this.#reporter.report(`missing ${expected} at ${quoted(current.text)}`, current.offset);
      }
      return this.#makeUp(expected.first);
    }
    this.#failure = { kind: 'mismatch', state, node, offending: current };
    return undefined;
  }

  /** Deletes the current token if the next one is expected, and returns the next one. */
  #deleteToken(state: State, node: TreeNode): TreeToken | undefined {
    if (!this.#lookahead.expected(state, node).has(this.#tokens.ahead(2).type)) return undefined;
    this.#reportUnwanted(state, node);
    this.#tokens.advance();
    this.#endRecovery();
    return this.#tokens.current;
  }

  #makeUp(type: number): TreeToken {
    const name = type === Token.EOF ? 'EOF' : type > 0 && type <= Token.NULL ? TOKEN_NAMES[type] : 'undefined';
    const { current, previous } = this.#tokens;
    const place = current.type === Token.EOF && previous !== undefined ? previous : current;
    return { type, text: `<missing ${name}>`, offset: place.offset, index: -1 };
  }

  #skipTo(sensible: TokenSet, budget: number): void {
    let left = budget;
    for (;;) {
      const { type } = this.#tokens.current;
      if (this.#reporter.isHalted || type === Token.EOF || sensible.has(type)) return;
      if (left-- <= 0) {
        this.#reporter.halt(`error recovery token lookahead limit exceeded: ${this.#limits.recoveryTokens}`);
        return;
      }
      this.#tokens.advance();
    }
  }

  #mayRecover(): boolean {
    const { recoveries } = this.#limits;
    if (this.#recoveries++ < recoveries) return true;
    const message = `error recovery attempt limit exceeded: ${recoveries}`;
    this.#reporter.reportAndHalt(message, this.#tokens.current.offset);
    return false;
  }

  #beginRecovery(): boolean {
    if (this.#isRecovering) return false;
    this.#isRecovering = true;
    return true;
  }

  #endRecovery(): void {
    this.#isRecovering = false;
    this.#lastErrorPosition = -1;
    this.#lastErrorStates = new Set();
  }

  #reportFailure(failure: Failure): void {
    if (!this.#beginRecovery()) return;
    const { offending } = failure;
    if (failure.kind === 'mismatch') {
      const expected = this.#lookahead.expected(failure.state, failure.node);
      this.#reporter.report(`mismatched input ${quoted(offending.text)} expecting ${expected}`, offending.offset);
      return;
    }
    const { first } = failure;
    const input = first.type === Token.EOF ? '<EOF>' : this.#tokens.textBetween(first, offending);
    this.#reporter.report(withReservedWord(`no viable alternative at input ${quoted(input)}`), offending.offset);
  }

  #reportUnwanted(state: State, node: TreeNode): void {
    if (!this.#beginRecovery()) return;
    const { current } = this.#tokens;
    const expected = this.#lookahead.expected(state, node);
    this.#reporter.report(`extraneous input ${quoted(current.text)} expecting ${expected}`, current.offset);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

/** cel-go's own message for a keyword instead of a name. */
function withReservedWord(message: string): string {
  return message.replaceAll(
    /no viable alternative at input '.(true|false|null)'/gu,
    "mismatched input '$1' expecting IDENTIFIER",
  );
}
