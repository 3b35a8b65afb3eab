// Finds the parts of an expression that decided its result.
import type { CallExpr, ComprehensionExpr, Expr } from '../syntax/ast.ts';
import type { TraceEvent } from '../value/trace.ts';
import { ErrorValue } from '../value/value.ts';
import type { ExpressionTree } from './expression-tree.ts';
import { macroShapeOf } from './macro-shape.ts';

export interface DecidingEvent {
  readonly event: TraceEvent;
  readonly tree: ExpressionTree;
  /** Elements bound by the comprehensions around the event, innermost last. */
  readonly elements: readonly BoundElement[];
}

export interface BoundElement {
  readonly fold: ComprehensionExpr;
  /** The step of the iteration, which contains the element. */
  readonly step: TraceEvent;
  readonly range: DecidingEvent;
}

/**
 * The parts that determined the result, most significant first: for `&&` the false operand, for `||` all operands, for
 * `all` the failed iteration, for `?:` the selected branch, for a variable the parts that decided its value.
 */
export function decidingEvents(decision: DecidingEvent): readonly DecidingEvent[] {
  return decide(decision, new Set());
}

/** A variable has the same deciding parts at every use. Following it once avoids exponential time. */
type Followed = Set<TraceEvent>;

function decide(decision: DecidingEvent, followed: Followed): readonly DecidingEvent[] {
  const { event, tree } = decision;
  const { variable } = event;
  if (variable !== undefined) {
    const variableTree = tree.variable(variable.name);
    if (variableTree !== undefined) {
      if (followed.has(variable.event)) return [];
      followed.add(variable.event);
      return decide({ event: variable.event, tree: variableTree, elements: [] }, followed);
    }
  }
  const expr = tree.node(event.nodeId);
  if (expr?.kind === 'comprehension') return decideFold(decision, expr, followed);
  return expr?.kind === 'call' ? decideCall(decision, expr, followed) : [decision];
}

function decideCall(decision: DecidingEvent, call: CallExpr, followed: Followed): readonly DecidingEvent[] {
  const { children } = decision.event;
  switch (call.function) {
    case '_&&_':
    case '_||_':
      return decideLogical(decision, followed);
    case '!_':
      return children.flatMap((child) => decide({ ...decision, event: child }, followed));
    case '_?_:_':
      return decideConditional(decision, followed);
    default:
      return [decision];
  }
}

/** An operand that equals the result decided it. Otherwise all operands did. */
function decideLogical({ event, tree, elements }: DecidingEvent, followed: Followed): readonly DecidingEvent[] {
  const isAnd = tree.call(event.nodeId)?.function === '_&&_';
  const decisive = event.value === !isAnd;
  const chosen = event.children.filter(({ value }) => {
    if (event.value instanceof ErrorValue) return value instanceof ErrorValue;
    return decisive ? value === event.value : true;
  });
  // If all operands matter, the last is most significant: those before it usually restrict when it applies, e.g.
  // `has(a) && …` or `exempt || …`.
  const operands = chosen.map((child) => ({ event: child, tree, elements })).reverse();
  const wants = operands.filter((operand) => !isGuard(operand));
  return [...wants, ...operands.filter(isGuard)].flatMap((operand) => decide(operand, followed));
}

/** `x.kind != 'Pod'` and `!has(x.y)` only decide whether a rule applies, at any position. */
function isGuard({ event, tree }: DecidingEvent): boolean {
  const name = tree.call(event.nodeId)?.function;
  return name === '!_' || name === '_!=_';
}

function decideConditional({ event, tree, elements }: DecidingEvent, followed: Followed): readonly DecidingEvent[] {
  const [condition, branch] = event.children;
  if (condition === undefined) return [{ event, tree, elements }];
  const isComputed = branch !== undefined && tree.node(branch.nodeId)?.kind !== 'literal';
  const byBranch = isComputed ? decide({ event: branch, tree, elements }, followed) : [];
  return [...byBranch, ...decide({ event: condition, tree, elements }, followed)];
}

function decideFold(decision: DecidingEvent, fold: ComprehensionExpr, followed: Followed): readonly DecidingEvent[] {
  const range = rangeOf(decision, fold);
  const shape = macroShapeOf(fold);
  if (range === undefined || shape === undefined || shape.kind === 'collect') return [decision];
  const { value } = decision.event;
  const steps = stepsOf(decision, fold, range);
  const ofPredicate = (step: DecidingEvent): readonly DecidingEvent[] => {
    const predicate = predicateEvent(step, shape.predicate);
    return predicate === undefined ? [] : decide(predicate, followed);
  };
  const failed = steps.find(({ event }) => event.value instanceof ErrorValue);
  if (value instanceof ErrorValue) return failed === undefined ? [range] : ofPredicate(failed);
  if (shape.kind === 'quantifier' && value === shape.decisive) {
    const settling = steps.find(({ event }) => event.value === shape.decisive);
    return settling === undefined ? [range] : [...ofPredicate(settling), range];
  }
  return [range, ...steps.flatMap(ofPredicate)];
}

export function rangeOf(decision: DecidingEvent, fold: ComprehensionExpr): DecidingEvent | undefined {
  const [event] = decision.event.children;
  return event === undefined || event.nodeId === fold.loopStep.id ? undefined : { ...decision, event };
}

/** One entry per iteration, in order. */
export function stepsOf(
  { event, tree, elements }: DecidingEvent,
  fold: ComprehensionExpr,
  range: DecidingEvent,
): readonly DecidingEvent[] {
  const steps = event.children.filter((child) => child.element !== undefined);
  return steps.map((step) => ({ event: step, tree, elements: [...elements, { fold, step, range }] }));
}

/** The predicate's event within a step. If a part of the predicate failed, the event may have the id of that part. */
function predicateEvent(step: DecidingEvent, predicate: Expr | undefined): DecidingEvent | undefined {
  const { children } = step.event;
  const exact = children.find((child) => child.nodeId === predicate?.id);
  const event = exact ?? children.find((child) => child.value instanceof ErrorValue) ?? children[children.length - 1];
  return event && { ...step, event };
}
