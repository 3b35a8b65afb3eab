// Which parts of an expression decided its result.
import type { CallExpr, ComprehensionExpr, Expr } from '../syntax/ast.ts';
import type { TraceEvent } from '../value/trace.ts';
import { ErrorValue } from '../value/value.ts';
import type { ExpressionTree } from './expression-tree.ts';
import { macroShapeOf } from './macro-shape.ts';

/** An event with what is needed to understand it. */
export interface DecidingEvent {
  readonly event: TraceEvent;
  readonly tree: ExpressionTree;
  /** What the variables of the comprehensions around the event stand for, innermost last. */
  readonly elements: readonly BoundElement[];
}

export interface BoundElement {
  readonly fold: ComprehensionExpr;
  /** The step of the iteration; it holds the element. */
  readonly step: TraceEvent;
  /** What is iterated over. */
  readonly range: DecidingEvent;
}

/**
 * The parts that made the result what it is, the most telling first: of `&&` the operand that is false, of `||` all operands, of
 * `all` the iteration that failed, of `?:` the branch taken, of a variable whatever decided its value.
 */
export function decidingEvents(decision: DecidingEvent): readonly DecidingEvent[] {
  return decide(decision, new Set());
}

/** A variable is decided by the same parts wherever it is looked at: it is followed once, or doubling ones would take for ever. */
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

/** An operand with the result's own value settled the matter; without short cut, all of them did. */
function decideLogical({ event, tree, elements }: DecidingEvent, followed: Followed): readonly DecidingEvent[] {
  const isAnd = tree.call(event.nodeId)?.function === '_&&_';
  const decisive = event.value === !isAnd;
  const chosen = event.children.filter(({ value }) => {
    if (event.value instanceof ErrorValue) return value instanceof ErrorValue;
    return decisive ? value === event.value : true;
  });
  // Where all operands count, the last says most: the ones before it say when it applies, as `has(a) && …` or `exempt || …`.
  const operands = chosen.map((child) => ({ event: child, tree, elements })).reverse();
  const wants = operands.filter((operand) => !isGuard(operand));
  return [...wants, ...operands.filter(isGuard)].flatMap((operand) => decide(operand, followed));
}

/** `x.kind != 'Pod'` and `!has(x.y)` ask whether a rule applies, wherever they stand. */
function isGuard({ event, tree }: DecidingEvent): boolean {
  const name = tree.call(event.nodeId)?.function;
  return name === '!_' || name === '_!=_';
}

function decideConditional({ event, tree, elements }: DecidingEvent, followed: Followed): readonly DecidingEvent[] {
  const [condition, branch] = event.children;
  if (condition === undefined) return [{ event, tree, elements }];
  const isTelling = branch !== undefined && tree.node(branch.nodeId)?.kind !== 'literal';
  const byBranch = isTelling ? decide({ event: branch, tree, elements }, followed) : [];
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

/** One for every iteration, in order. */
export function stepsOf(
  { event, tree, elements }: DecidingEvent,
  fold: ComprehensionExpr,
  range: DecidingEvent,
): readonly DecidingEvent[] {
  const steps = event.children.filter((child) => child.element !== undefined);
  return steps.map((step) => ({ event: step, tree, elements: [...elements, { fold, step, range }] }));
}

/** The predicate's event within a step; it may bear the id of a part of the predicate, if that part failed. */
function predicateEvent(step: DecidingEvent, predicate: Expr | undefined): DecidingEvent | undefined {
  const { children } = step.event;
  const exact = children.find((child) => child.nodeId === predicate?.id);
  const event = exact ?? children.find((child) => child.value instanceof ErrorValue) ?? children[children.length - 1];
  return event && { ...step, event };
}
