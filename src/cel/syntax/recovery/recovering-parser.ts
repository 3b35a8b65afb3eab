// Parses text that is wrong, reports where and how, and goes on (ANTLR's generated parser and `DefaultErrorStrategy`).
import { MAX_RECOVERY_ATTEMPTS, MAX_RECOVERY_TOKENS, MAX_RECURSION_DEPTH, MAX_SYNTAX_ERRORS } from '../limits.ts';
import type { SourceText } from '../source-text.ts';
import { TOKEN_NAMES, Token } from '../token.ts';
import { Automaton, type Branch, type RuleSteps, type State, type Step } from './automaton.ts';
import { ContextPool } from './context.ts';
import type { Rule } from './grammar.ts';
import { Lookahead } from './lookahead.ts';
import { Predictor } from './prediction.ts';
import { END_OF_RULE, TokenSet } from './token-set.ts';
import { TokenStream } from './token-stream.ts';
import { TreeNode, type TreeToken } from './tree.ts';

/** `offset` is undefined for problems of the expression as a whole. */
export type ReportSyntaxError = (message: string, offset: number | undefined) => void;

/** Why a rule was given up. */
type Failure =
  | { readonly kind: 'mismatch'; readonly state: State; readonly node: TreeNode; readonly offending: TreeToken }
  | { readonly kind: 'no-viable'; readonly first: TreeToken; readonly offending: TreeToken };

/** Looking ahead costs time that grows faster than the text; this much is a second or two. */
const MAX_STEPS = 3_000_000;

export class RecoveringParser {
  readonly #report: ReportSyntaxError;
  readonly #tokens: TokenStream;
  readonly #automaton = new Automaton();
  readonly #pool = new ContextPool();
  readonly #lookahead = new Lookahead(this.#pool);
  readonly #predictor = new Predictor(this.#pool);
  readonly #depths = new Map<Rule, number>();
  #state: State | undefined;
  #node: TreeNode | undefined;
  #precedence = 0;
  #failure: Failure | undefined;
  #errors = 0;
  #isRecovering = false;
  #recoveries = 0;
  #lastErrorPosition = -1;
  #lastErrorStates = new Set<State>();
  /** A limit was hit: nothing more is read or reported. */
  #isHalted = false;

  constructor(source: SourceText, report: ReportSyntaxError) {
    this.#report = report;
    this.#tokens = new TokenStream(source, (text, offset) =>
      this.#reportError(`token recognition error at: '${text}'`, offset),
    );
  }

  /** Undefined if a limit was hit. */
  parse(): TreeNode | undefined {
    const root = this.#callRule('start', 0, undefined);
    return this.#isHalted ? undefined : root;
  }

  #callRule(rule: Rule, precedence: number, follow: State | undefined): TreeNode {
    const parent = this.#node;
    const first = new TreeNode(rule, parent, follow, this.#tokens.current);
    const steps = this.#automaton.rules.get(rule) as RuleSteps;
    this.#node = first;
    this.#enter(rule);
    const outer = this.#precedence;
    if (steps.kind === 'plain') {
      parent?.children.push(first);
      this.#settle(this.#isHalted || this.#runSteps(steps.steps));
    } else {
      this.#precedence = precedence;
      this.#settle(this.#isHalted || this.#runLeftRecursive(steps));
      this.#precedence = outer;
      parent?.children.push(this.#node);
    }
    const made = this.#node;
    this.#leave(rule);
    this.#node = parent;
    return made;
  }

  /** What happens at the end of every rule: report the failure, if any, and skip to where some open rule can go on. */
  #settle(success: boolean): void {
    if (success || this.#isHalted || this.#failure === undefined) return;
    const failure = this.#failure;
    this.#failure = undefined;
    this.#reportFailure(failure);
    this.#recover();
  }

  #enter(rule: Rule): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth > MAX_RECURSION_DEPTH) this.#halt(`expression recursion limit exceeded: ${MAX_RECURSION_DEPTH}`);
  }

  #leave(rule: Rule): void {
    this.#depths.set(rule, (this.#depths.get(rule) ?? 1) - 1);
  }

  #runSteps(steps: readonly Step[]): boolean {
    return steps.every((step) => !this.#isHalted && this.#runStep(step) && !this.#isHalted);
  }

  #runStep(step: Step): boolean {
    switch (step.kind) {
      case 'token':
        this.#state = step.state;
        return this.#match(step.types, step.label);
      case 'rule': {
        this.#state = step.state;
        const owner = this.#current();
        const node = this.#callRule(step.rule, step.precedence, step.follow);
        if (step.label) owner.addNode(step.label, node);
        return true;
      }
      case 'optional':
        if (!this.#synchronize(step.state)) return false;
        return !this.#startsHere(step.body) || this.#runSteps(step.body.steps);
      case 'star':
        if (!this.#synchronize(step.state)) return false;
        return this.#repeat(step.state, step.loopBack, step.body, step.adaptive);
      case 'plus':
        if (!this.#synchronize(step.state) || !this.#runSteps(step.body.steps)) return false;
        if (!this.#synchronize(step.loopBack)) return false;
        return this.#repeat(step.loopBack, step.loopBack, step.body, step.adaptive);
      case 'choice':
        return this.#choose(step.state, step.branches, step.adaptive);
    }
  }

  /** As many rounds as the decision asks for; the parser is in the decision's state, synchronized. */
  #repeat(decision: State, loopBack: State, body: Branch, adaptive: boolean): boolean {
    for (;;) {
      const alternative = adaptive ? this.#predict(decision) : this.#startsHere(body) ? 1 : 2;
      if (alternative === undefined) return false;
      if (alternative !== 1) return true;
      if (!this.#runSteps(body.steps) || !this.#synchronize(loopBack)) return false;
    }
  }

  #choose(decision: State, branches: readonly Branch[], adaptive: boolean): boolean {
    if (!this.#synchronize(decision)) return false;
    const alternative = adaptive ? this.#predict(decision) : branches.findIndex((one) => this.#startsHere(one)) + 1;
    if (alternative === undefined) return false;
    const branch = branches[alternative - 1];
    if (branch === undefined) {
      const { current } = this.#tokens;
      this.#failure = { kind: 'no-viable', first: current, offending: current };
      return false;
    }
    this.#current().name = branch.name;
    return this.#runSteps(branch.steps);
  }

  #runLeftRecursive(steps: Extract<RuleSteps, { kind: 'left-recursive' }>): boolean {
    this.#current().name = steps.operand.name;
    if (!this.#runSteps(steps.operand.steps) || !this.#synchronize(steps.loopEntry)) return false;
    for (;;) {
      const alternative = this.#predict(steps.loopEntry);
      if (alternative === undefined) return false;
      if (alternative !== 1) return true;
      const operator = this.#chooseOperator(steps.operatorBlock, steps.operators);
      if (operator === undefined) return false;
      this.#wrap(operator.name);
      if (!this.#runSteps(operator.steps) || !this.#synchronize(steps.loopBack)) return false;
    }
  }

  #chooseOperator(decision: State, operators: readonly Branch[]): Branch | undefined {
    if (operators.length === 1) return operators[0];
    if (!this.#synchronize(decision)) return undefined;
    const alternative = this.#predict(decision);
    return alternative === undefined ? undefined : operators[alternative - 1];
  }

  /** The node so far becomes the first operand of a new one. */
  #wrap(name: string): void {
    const operand = this.#current();
    const node = new TreeNode(operand.rule, operand.parent, operand.follow, operand.start);
    node.name = name;
    node.children.push(operand);
    this.#node = node;
  }

  #predict(decision: State): number | undefined {
    const first = this.#tokens.current;
    const result = this.#predictor.predict(decision, this.#precedence, this.#tokens, this.#current());
    if (this.#predictor.steps > MAX_STEPS) this.#halt('expression is too intricate for its syntax errors to be told');
    if (this.#isHalted) return undefined;
    if (typeof result === 'number') return result;
    this.#failure = { kind: 'no-viable', first, offending: result.offending };
    return undefined;
  }

  #startsHere(branch: Branch): boolean {
    return this.#lookahead.withinRule(branch.state).has(this.#tokens.current.type);
  }

  #match(types: readonly number[], label: string | undefined): boolean {
    const token = types.includes(this.#tokens.current.type) ? this.#accept() : this.#recoverInline();
    if (token === undefined) return false;
    if (label) this.#current().addToken(label, token);
    return true;
  }

  #accept(): TreeToken {
    const { current } = this.#tokens;
    this.#endRecovery();
    this.#tokens.advance();
    return current;
  }

  /** At the start of an optional part, a loop or a choice: is the token one that belongs here? */
  #synchronize(state: State): boolean {
    this.#state = state;
    if (this.#isRecovering || this.#isHalted) return !this.#isHalted;
    const possible = this.#lookahead.withinRule(state);
    if (possible.has(END_OF_RULE) || possible.has(this.#tokens.current.type)) return true;
    if (state.kind === 'decision') {
      if (this.#deleteToken() !== undefined) return true;
      this.#fail();
      return false;
    }
    this.#reportUnwanted();
    const sensible = new TokenSet();
    sensible.addAll(this.#expected());
    sensible.addAll(this.#lookahead.following(this.#current()));
    this.#skipTo(sensible, Number.POSITIVE_INFINITY);
    return !this.#isHalted;
  }

  #fail(): void {
    this.#failure = {
      kind: 'mismatch',
      state: this.#state as State,
      node: this.#current(),
      offending: this.#tokens.current,
    };
  }

  /** The token that was wanted: found behind one too many, or made up. Undefined if neither helps. */
  #recoverInline(): TreeToken | undefined {
    if (!this.#mayRecover()) return undefined;
    const found = this.#deleteToken();
    if (found !== undefined) {
      this.#tokens.advance();
      return found;
    }
    const state = this.#state as State;
    const next = state.transitions[0]?.target as State;
    const afterwards = this.#lookahead.inContext(next, this.#predictor.contextOf(this.#current()));
    if (afterwards.has(this.#tokens.current.type)) {
      this.#reportMissing();
      return this.#makeUp();
    }
    this.#fail();
    return undefined;
  }

  /** Drops the current token if the one after it fits, and returns that. */
  #deleteToken(): TreeToken | undefined {
    if (!this.#expected().has(this.#tokens.ahead(2).type)) return undefined;
    this.#reportUnwanted();
    if (this.#isHalted) return undefined;
    this.#tokens.advance();
    this.#endRecovery();
    return this.#tokens.current;
  }

  #makeUp(): TreeToken {
    const type = this.#expected().first;
    const name = type === Token.EOF ? 'EOF' : type > 0 && type <= Token.NULL ? TOKEN_NAMES[type] : 'undefined';
    const { current, previous } = this.#tokens;
    const place = current.type === Token.EOF && previous !== undefined ? previous : current;
    return { type, text: `<missing ${name}>`, offset: place.offset, index: -1 };
  }

  #recover(): void {
    if (this.#isHalted || !this.#mayRecover()) return;
    const state = this.#state as State;
    let budget = MAX_RECOVERY_TOKENS;
    if (this.#lastErrorPosition === this.#tokens.position && this.#lastErrorStates.has(state)) {
      // The same place twice: at least one token has to go.
      this.#tokens.advance();
      budget--;
    }
    this.#lastErrorPosition = this.#tokens.position;
    this.#lastErrorStates.add(state);
    this.#skipTo(this.#lookahead.following(this.#current()), budget);
  }

  #skipTo(sensible: TokenSet, budget: number): void {
    let left = budget;
    for (;;) {
      const { type } = this.#tokens.current;
      if (this.#isHalted || type === Token.EOF || sensible.has(type)) return;
      if (left-- <= 0) {
        this.#halt(`error recovery token lookahead limit exceeded: ${MAX_RECOVERY_TOKENS}`);
        return;
      }
      this.#tokens.advance();
    }
  }

  #mayRecover(): boolean {
    if (this.#isHalted) return false;
    if (this.#recoveries === MAX_RECOVERY_ATTEMPTS) {
      this.#reportError(`error recovery attempt limit exceeded: ${MAX_RECOVERY_ATTEMPTS}`, this.#tokens.current.offset);
      this.#isHalted = true;
      return false;
    }
    this.#recoveries++;
    return true;
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
      this.#reportError(`mismatched input ${quoted(offending.text)} expecting ${expected}`, offending.offset);
      return;
    }
    const { first } = failure;
    const input = first.type === Token.EOF ? '<EOF>' : this.#tokens.textBetween(first, offending);
    this.#reportError(withReservedWord(`no viable alternative at input ${quoted(input)}`), offending.offset);
  }

  #reportUnwanted(): void {
    if (!this.#beginRecovery()) return;
    const { current } = this.#tokens;
    this.#reportError(`extraneous input ${quoted(current.text)} expecting ${this.#expected()}`, current.offset);
  }

  #reportMissing(): void {
    if (!this.#beginRecovery()) return;
    const { current } = this.#tokens;
    this.#reportError(`missing ${this.#expected()} at ${quoted(current.text)}`, current.offset);
  }

  #reportError(message: string, offset: number): void {
    if (this.#isHalted) return;
    if (this.#errors++ < MAX_SYNTAX_ERRORS) {
      this.#report(`Syntax error: ${message}`, offset);
      return;
    }
    this.#report(`Syntax error: More than ${MAX_SYNTAX_ERRORS} syntax errors`, offset);
    this.#isHalted = true;
  }

  #halt(message: string): void {
    if (this.#isHalted) return;
    this.#report(message, undefined);
    this.#isHalted = true;
  }

  #expected(): TokenSet {
    return this.#lookahead.expected(this.#state as State, this.#current());
  }

  #current(): TreeNode {
    return this.#node as TreeNode;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

/** cel-go's own wording for a keyword in place of a name. */
function withReservedWord(message: string): string {
  return message.replaceAll(
    /no viable alternative at input '.(true|false|null)'/gu,
    "mismatched input '$1' expecting IDENTIFIER",
  );
}
