// Finds the fields that decided the result of an observed run.
import type { Ast, ComprehensionExpr } from '../syntax/ast.ts';
import type { Read, TraceEvent } from '../value/trace.ts';
import { decidingElements } from './deciding-element.ts';
import { type DecidingEvent, decidingEvents, rangeOf, stepsOf } from './deciding-events.ts';
import { computedElement } from './element-source.ts';
import { ExpressionTree } from './expression-tree.ts';
import { macroShapeOf } from './macro-shape.ts';
import { entryAsked, type Provenance } from './provenance.ts';

/** More fields would not help the reader. */
const MOST_READS = 100;

export interface ObservedRun {
  readonly ast: Ast;
  readonly trace: TraceEvent;
  /** Syntax trees of lazily evaluated variables. */
  readonly variableAst?: (name: string) => Ast | undefined;
}

/** The deciding fields without duplicates, best candidate first, fields of `object` before others. */
export function explain({ ast, trace, variableAst }: ObservedRun, provenance: Provenance): readonly Read[] {
  const reads = new Map<string, Read>();
  const followed: Followed = new Set();
  for (const decision of decidingEvents({ event: trace, tree: new ExpressionTree(ast, variableAst), elements: [] })) {
    for (const read of readsOf(decision, provenance, followed)) {
      const key = JSON.stringify([read.root, ...read.path]);
      if (!reads.has(key)) reads.set(key, read);
    }
    if (reads.size >= MOST_READS) break;
  }
  const all = [...reads.values()];
  return [...all.filter(({ root }) => root === 'object'), ...all.filter(({ root }) => root !== 'object')];
}

/** Evaluations of variables and of computed elements that were already followed; they are the same at every use. */
type Followed = Set<TraceEvent>;

/** The reads that contributed to the value of an event. */
function readsOf(decision: DecidingEvent, provenance: Provenance, followed: Followed): readonly Read[] {
  const read = provenance.readOf(decision);
  if (read !== undefined) return [read];
  const { event, tree } = decision;
  if (event.variable !== undefined) {
    const variableTree = tree.variable(event.variable.name);
    if (variableTree === undefined || followed.has(event.variable.event)) return [];
    followed.add(event.variable.event);
    const own = decidingEvents({ event: event.variable.event, tree: variableTree, elements: [] });
    return own.flatMap((part) => readsOf(part, provenance, followed));
  }
  const computed = computedElement(decision);
  if (computed !== undefined) {
    if (followed.has(computed.event)) return [];
    followed.add(computed.event);
    return readsOf(computed, provenance, followed);
  }
  const expr = tree.node(event.nodeId);
  if (expr?.kind === 'comprehension') return readsOfFold(decision, expr, provenance, followed);
  const entry = readOfEntry(decision, provenance);
  const elements = decidingElements(decision).flatMap(({ list, index }) => provenance.readOfElement(list, index) ?? []);
  const parts = contributing(decision).flatMap((child) => readsOf({ ...decision, event: child }, provenance, followed));
  return entry === undefined ? [...elements, ...parts] : [entry, ...parts];
}

/** The operands of an event, most significant first: an empty list adds nothing to `+`. */
function contributing({ event: { nodeId, children }, tree }: DecidingEvent): readonly TraceEvent[] {
  if (tree.call(nodeId)?.function !== '_+_') return children;
  const isEmpty = ({ value }: TraceEvent): boolean => Array.isArray(value) && value.length === 0;
  return [...children.filter((child) => !isEmpty(child)), ...children.filter(isEmpty)];
}

/** For a collected list: first the reads that added elements, then those of the range, then the rest. */
function readsOfFold(
  decision: DecidingEvent,
  fold: ComprehensionExpr,
  provenance: Provenance,
  followed: Followed,
): readonly Read[] {
  const range = rangeOf(decision, fold);
  if (range === undefined) return [];
  const steps = stepsOf(decision, fold, range);
  const kept = keptSteps(steps, fold).map(({ event, ...rest }) => ({ ...rest, event: event.children[0] ?? event }));
  return [...kept.flatMap(decidingEvents), range, ...steps].flatMap((part) => readsOf(part, provenance, followed));
}

/** Steps of `filter`, and of `map` with a predicate, whose element was kept. */
function keptSteps(steps: readonly DecidingEvent[], fold: ComprehensionExpr): readonly DecidingEvent[] {
  const shape = macroShapeOf(fold);
  if (shape?.kind !== 'collect' || shape.predicate === undefined) return [];
  return steps.filter(({ event }) => event.children[0]?.value === true);
}

/** `'app' in object.metadata.labels` reads the label `app`, not all labels. */
function readOfEntry(decision: DecidingEvent, provenance: Provenance): Read | undefined {
  const key = entryAsked(decision);
  const container = decision.event.children[1];
  const within =
    key === undefined || container === undefined ? undefined : provenance.readOf({ ...decision, event: container });
  return within && { root: within.root, path: [...within.path, key as string], found: decision.event.value === true };
}
