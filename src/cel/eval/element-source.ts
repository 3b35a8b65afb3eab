// Traces elements of computed lists and entries of computed maps to their origin.
import type { MapExpr } from '../syntax/ast.ts';
import { isMap } from '../value/equality.ts';
import type { TraceEvent } from '../value/trace.ts';
import type { Value } from '../value/value.ts';
import { type DecidingEvent, rangeOf, stepsOf } from './deciding-events.ts';
import { macroShapeOf } from './macro-shape.ts';

/** A list index or map key that can be a step of a path. */
export type ElementKey = string | number;

/** The event that produced an element, or the container and the key that it was read from. */
export type ElementSource = DecidingEvent | { readonly container: DecidingEvent; readonly key: ElementKey };

export function elementKey(value: Value | undefined): ElementKey | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Follows literals, `+`, `?:`, variables, and macros that build lists and maps. */
export function sourceOfElement(container: DecidingEvent, key: ElementKey): ElementSource | undefined {
  const { event, tree } = container;
  if (event.variable !== undefined) {
    const variableTree = tree.variable(event.variable.name);
    if (variableTree === undefined) return undefined;
    return { container: { event: event.variable.event, tree: variableTree, elements: [] }, key };
  }
  const expr = tree.node(event.nodeId);
  if (expr?.kind === 'map') return sourceInMap(container, expr, key);
  if (expr?.kind === 'comprehension') return sourceInFold(container, key);
  const [first, second] = event.children;
  const name = tree.call(event.nodeId)?.function;
  if (name === '_?_:_' && second !== undefined) return { container: { ...container, event: second }, key };
  if (typeof key === 'string') return undefined;
  if (expr?.kind === 'list') return expr.optionalIndices.length > 0 ? undefined : at(container, event.children[key]);
  if (name !== '_+_' || first === undefined || second === undefined || !Array.isArray(first.value)) return undefined;
  const { length } = first.value;
  if (key < length) return { container: { ...container, event: first }, key };
  return { container: { ...container, event: second }, key: key - length };
}

/** For a variable of a comprehension that is bound to a computed element: the event that computed it. */
export function computedElement({ event, tree, elements }: DecidingEvent): DecidingEvent | undefined {
  const expr = tree.node(event.nodeId);
  if (expr?.kind !== 'ident') return undefined;
  const bound = elements.findLast(({ fold }) => fold.iterVar === expr.name || fold.iterVar2 === expr.name);
  const key = elementKey(bound?.step.element?.key);
  const isValue = bound !== undefined && expr.name === (bound.fold.iterVar2 ?? bound.fold.iterVar);
  if (!isValue || key === undefined) return undefined;
  let source: ElementSource | undefined = { container: bound.range, key };
  while (source !== undefined && 'key' in source) source = sourceOfElement(source.container, source.key);
  return source;
}

function sourceInMap(map: DecidingEvent, { entries }: MapExpr, wanted: ElementKey): DecidingEvent | undefined {
  const eventOf = (id: number): TraceEvent | undefined => map.event.children.find(({ nodeId }) => nodeId === id);
  const entry = entries.find(({ key }) => {
    return elementKey(key.kind === 'literal' ? key.value : eventOf(key.id)?.value) === wanted;
  });
  return entry && at(map, eventOf(entry.value.id));
}

/** Finds the transformation in the iteration that added the element. */
function sourceInFold(container: DecidingEvent, key: ElementKey): ElementSource | undefined {
  const fold = container.tree.node(container.event.nodeId);
  if (fold?.kind !== 'comprehension') return undefined;
  const shape = macroShapeOf(fold);
  const range = rangeOf(container, fold);
  if (shape?.kind !== 'collect' || range === undefined) return undefined;
  const added = stepsOf(container, fold, range).filter(({ event }) => {
    return shape.predicate === undefined || event.children[0]?.value === true;
  });
  const transformed = (step: DecidingEvent | undefined): DecidingEvent | undefined =>
    step && at(step, findEvent(step.event, shape.transform.id));
  switch (shape.into) {
    case 'list':
      return typeof key === 'number' ? transformed(added[key]) : undefined;
    case 'same-keys':
      return transformed(added.find(({ event }) => elementKey(event.element?.key) === key));
    case 'entries': {
      const entries = added.map(transformed).find((each) => each !== undefined && hasKey(each.event.value, key));
      return entries && { container: entries, key };
    }
    default:
      return shape.into satisfies never;
  }
}

function hasKey(map: Value, wanted: ElementKey): boolean {
  if (!isMap(map)) return false;
  for (const [key] of map.entries()) if (elementKey(key) === wanted) return true;
  return false;
}

function at(context: DecidingEvent, event: TraceEvent | undefined): DecidingEvent | undefined {
  return event && { ...context, event };
}

function findEvent(event: TraceEvent, nodeId: number): TraceEvent | undefined {
  if (event.nodeId === nodeId) return event;
  for (const child of event.children) {
    const found = findEvent(child, nodeId);
    if (found !== undefined) return found;
  }
  return undefined;
}
