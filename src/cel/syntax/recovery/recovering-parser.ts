// Parses invalid text and builds as much of the tree as possible (the parser that ANTLR generates from CEL.g4).
import type { ParserLimits } from '../limits.ts';
import type { SourceText } from '../source-text.ts';
import { Automaton, type Branch, type RuleSteps, type State, type Step } from './automaton.ts';
import { ContextPool } from './context.ts';
import type { ErrorReporter } from './error-reporter.ts';
import { ErrorStrategy } from './error-strategy.ts';
import type { Rule } from './grammar.ts';
import { Lookahead } from './lookahead.ts';
import { Predictor } from './prediction.ts';
import { TokenStream } from './token-stream.ts';
import { TreeNode } from './tree.ts';

/** Pending work, innermost last. A stack, because rules nest too deeply for JavaScript calls. */
type Task =
  | {
      readonly kind: 'rule';
      readonly rule: Rule;
      readonly parent: TreeNode | undefined;
      readonly label: string | undefined;
      /** Precedence of the surrounding rule, to restore. */
      readonly precedence: number;
      readonly steps: RuleSteps;
    }
  | { readonly kind: 'sequence'; readonly steps: readonly Step[]; at: number }
  | {
      readonly kind: 'loop';
      readonly step: Extract<Step, { kind: 'star' | 'plus' }>;
      readonly decision: State;
      /** State of the decision about the next iteration. */
      state: State;
    }
  | { readonly kind: 'operators'; readonly steps: Extract<RuleSteps, { kind: 'left-recursive' }>; state: State };

/** Lookahead takes more than linear time. This limit corresponds to one or two seconds. */
const MAX_STEPS = 3_000_000;

export class RecoveringParser {
  readonly #maxDepth: number;
  readonly #reporter: ErrorReporter;
  readonly #tokens: TokenStream;
  readonly #automaton = new Automaton();
  readonly #lookahead: Lookahead;
  readonly #predictor: Predictor;
  readonly #strategy: ErrorStrategy;
  readonly #depths = new Map<Rule, number>();
  readonly #tasks: Task[] = [];
  #state: State | undefined;
  #node: TreeNode | undefined;
  /** Precedence in the current left-recursive rule. */
  #precedence = 0;

  constructor(source: SourceText, limits: ParserLimits, reporter: ErrorReporter) {
    const pool = new ContextPool();
    this.#maxDepth = limits.recursionDepth;
    this.#reporter = reporter;
    this.#tokens = new TokenStream(source, (text, offset) =>
      reporter.report(`token recognition error at: '${text}'`, offset),
    );
    this.#lookahead = new Lookahead(pool);
    this.#predictor = new Predictor(pool);
    this.#strategy = new ErrorStrategy(this.#tokens, this.#lookahead, pool, limits, reporter);
  }

  /** Undefined if a limit was reached. */
  parse(): TreeNode | undefined {
    this.#call('start', 0, undefined, undefined);
    const root = this.#current();
    for (let task = this.#tasks.at(-1); task !== undefined && !this.#reporter.isHalted; task = this.#tasks.at(-1)) {
      if (!this.#advance(task)) this.#giveUpRule();
    }
    return this.#reporter.isHalted ? undefined : root;
  }

  /** One step of the innermost task; false if its rule cannot continue. */
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

  /** Ends the innermost rule, even if parts are missing. */
  #giveUpRule(): void {
    while (this.#tasks.at(-1)?.kind !== 'rule') this.#tasks.pop();
    if (!this.#reporter.isHalted) this.#strategy.giveUp(this.#state as State, this.#current());
  }

  #enter(rule: Rule): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth > this.#maxDepth) this.#reporter.halt(`expression recursion limit exceeded: ${this.#maxDepth}`);
  }

  #run(steps: readonly Step[]): void {
    this.#tasks.push({ kind: 'sequence', steps, at: 0 });
  }

  #take(step: Step): boolean {
    switch (step.kind) {
      case 'token':
        return this.#match(step);
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
      this.#strategy.refuse(this.#tokens.current, this.#tokens.current);
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

  /** Makes the node so far the first operand of a new node. */
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
    if (this.#predictor.steps > MAX_STEPS) {
      this.#reporter.halt('expression is too intricate to report its syntax errors');
    }
    if (typeof result === 'number') return result;
    this.#strategy.refuse(first, result.offending);
    return undefined;
  }

  #startsHere(branch: Branch): boolean {
    return this.#lookahead.withinRule(branch.state).has(this.#tokens.current.type);
  }

  #match({ state, types, label }: Extract<Step, { kind: 'token' }>): boolean {
    this.#state = state;
    const token = this.#strategy.match(types, state, this.#current());
    if (token === undefined) return false;
    if (label) this.#current().addToken(label, token);
    return true;
  }

  #synchronize(state: State): boolean {
    this.#state = state;
    return this.#strategy.synchronize(state, this.#current());
  }

  #current(): TreeNode {
    return this.#node as TreeNode;
  }
}
