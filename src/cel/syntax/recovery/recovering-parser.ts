// Parses text that is wrong, reports where and how, and goes on (ANTLR's generated parser and `DefaultErrorStrategy`).
import type { ParserLimits } from '../limits.ts';
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

/** What is still to be done, innermost last: rules nest too deeply to be JavaScript calls. */
type Task =
  | {
      readonly kind: 'rule';
      readonly rule: Rule;
      readonly parent: TreeNode | undefined;
      readonly label: string | undefined;
      /** Of the rule around, to go back to. */
      readonly precedence: number;
      readonly steps: RuleSteps;
    }
  | { readonly kind: 'sequence'; readonly steps: readonly Step[]; at: number }
  | {
      readonly kind: 'loop';
      readonly step: Extract<Step, { kind: 'star' | 'plus' }>;
      readonly decision: State;
      /** Where the next round is decided on. */
      state: State;
    }
  | { readonly kind: 'operators'; readonly steps: Extract<RuleSteps, { kind: 'left-recursive' }>; state: State };

/** Looking ahead costs time that grows faster than the text; this much is a second or two. */
const MAX_STEPS = 3_000_000;

export class RecoveringParser {
  readonly #limits: ParserLimits;
  readonly #report: ReportSyntaxError;
  readonly #tokens: TokenStream;
  readonly #automaton = new Automaton();
  readonly #pool = new ContextPool();
  readonly #lookahead = new Lookahead(this.#pool);
  readonly #predictor = new Predictor(this.#pool);
  readonly #depths = new Map<Rule, number>();
  readonly #tasks: Task[] = [];
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

  constructor(source: SourceText, limits: ParserLimits, report: ReportSyntaxError) {
    this.#limits = limits;
    this.#report = report;
    this.#tokens = new TokenStream(source, (text, offset) =>
      this.#reportError(`token recognition error at: '${text}'`, offset),
    );
  }

  /** Undefined if a limit was hit. */
  parse(): TreeNode | undefined {
    this.#call('start', 0, undefined, undefined);
    const root = this.#current();
    for (let task = this.#tasks.at(-1); task !== undefined && !this.#isHalted; task = this.#tasks.at(-1)) {
      if (!this.#advance(task)) this.#giveUpRule();
    }
    return this.#isHalted ? undefined : root;
  }

  /** One move of the innermost task; false if its rule cannot go on. */
  #advance(task: Task): boolean {
    switch (task.kind) {
      case 'sequence': {
        const step = task.steps[task.at++];
        if (step !== undefined) return this.#take(step);
        this.#tasks.pop();
        return true;
      }
      case 'loop':
        return this.#continueLoop(task);
      case 'operators':
        return this.#continueOperators(task);
      case 'rule':
        this.#endRule(task);
        return true;
    }
  }

  #call(rule: Rule, precedence: number, follow: State | undefined, label: string | undefined): void {
    const parent = this.#node;
    const node = new TreeNode(rule, parent, follow, this.#tokens.current);
    const steps = this.#automaton.rules.get(rule) as RuleSteps;
    const task: Task = { kind: 'rule', rule, parent, label, precedence: this.#precedence, steps };
    this.#tasks.push(task);
    this.#node = node;
    this.#enter(rule);
    if (steps.kind === 'plain') {
      parent?.children.push(node);
      this.#run(steps.steps);
      return;
    }
    this.#precedence = precedence;
    node.name = steps.operand.name;
    this.#tasks.push({ kind: 'operators', steps, state: steps.loopEntry });
    this.#run(steps.operand.steps);
  }

  #endRule(task: Extract<Task, { kind: 'rule' }>): void {
    const { rule, parent, label } = task;
    const node = this.#current();
    this.#tasks.pop();
    if (task.steps.kind === 'left-recursive') parent?.children.push(node);
    if (label) parent?.addNode(label, node);
    this.#depths.set(rule, (this.#depths.get(rule) ?? 1) - 1);
    this.#precedence = task.precedence;
    if (parent !== undefined) this.#node = parent;
  }

  /** Reports why the innermost rule failed and skips to where it, or one around it, can go on. The rule then counts as done. */
  #giveUpRule(): void {
    while (this.#tasks.at(-1)?.kind !== 'rule') this.#tasks.pop();
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined || this.#isHalted) return;
    this.#reportFailure(failure);
    this.#recover();
  }

  #enter(rule: Rule): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth > this.#limits.recursionDepth)
      this.#halt(`expression recursion limit exceeded: ${this.#limits.recursionDepth}`);
  }

  #run(steps: readonly Step[]): void {
    this.#tasks.push({ kind: 'sequence', steps, at: 0 });
  }

  #take(step: Step): boolean {
    switch (step.kind) {
      case 'token':
        this.#state = step.state;
        return this.#match(step.types, step.label);
      case 'rule':
        this.#state = step.state;
        this.#call(step.rule, step.precedence, step.follow, step.label);
        return true;
      case 'optional':
        if (!this.#synchronize(step.state)) return false;
        if (this.#startsHere(step.body)) this.#run(step.body.steps);
        return true;
      case 'star':
        this.#tasks.push({ kind: 'loop', step, decision: step.state, state: step.state });
        return true;
      case 'plus':
        if (!this.#synchronize(step.state)) return false;
        this.#tasks.push({ kind: 'loop', step, decision: step.loopBack, state: step.loopBack });
        this.#run(step.body.steps);
        return true;
      case 'choice':
        return this.#choose(step.state, step.branches, step.adaptive);
    }
  }

  #continueLoop(task: Extract<Task, { kind: 'loop' }>): boolean {
    const { step, decision } = task;
    if (!this.#synchronize(task.state)) return false;
    task.state = step.loopBack;
    const alternative = step.adaptive ? this.#predict(decision) : this.#startsHere(step.body) ? 1 : 2;
    if (alternative === undefined) return false;
    if (alternative === 1) this.#run(step.body.steps);
    else this.#tasks.pop();
    return true;
  }

  #continueOperators(task: Extract<Task, { kind: 'operators' }>): boolean {
    const { steps } = task;
    if (!this.#synchronize(task.state)) return false;
    task.state = steps.loopBack;
    const alternative = this.#predict(steps.loopEntry);
    if (alternative === undefined) return false;
    if (alternative !== 1) {
      this.#tasks.pop();
      return true;
    }
    const operator = this.#chooseOperator(steps.operatorBlock, steps.operators);
    if (operator === undefined) return false;
    this.#wrap(operator.name);
    this.#run(operator.steps);
    return true;
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
    this.#run(branch.steps);
    return true;
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
    let budget = this.#limits.recoveryTokens;
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
        this.#halt(`error recovery token lookahead limit exceeded: ${this.#limits.recoveryTokens}`);
        return;
      }
      this.#tokens.advance();
    }
  }

  #mayRecover(): boolean {
    if (this.#isHalted) return false;
    if (this.#recoveries === this.#limits.recoveries) {
      this.#reportError(
        `error recovery attempt limit exceeded: ${this.#limits.recoveries}`,
        this.#tokens.current.offset,
      );
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
    if (this.#errors++ < this.#limits.errors) {
      this.#report(`Syntax error: ${message}`, offset);
      return;
    }
    this.#report(`Syntax error: More than ${this.#limits.errors} syntax errors`, offset);
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
