// Follows elements of computed lists back to where they were taken from.
import type { TraceEvent } from '../trace.ts';
import { type Decision, rangeOf, stepsOf } from './deciding-events.ts';
import { macroShapeOf } from './macro-shape.ts';

/** The event that gave an element, or the list and index it was taken from. */
export type ElementSource = Decision | { readonly list: Decision; readonly key: number };

/** Sees through literals, `+`, `?:`, variables, `map` and `filter`. */
export function sourceOfElement(list: Decision, index: number): ElementSource | undefined {
  const { event, tree } = list;
  if (event.variable !== undefined) {
    const variableTree = tree.variable(event.variable.name);
    if (variableTree === undefined) return undefined;
    return { list: { event: event.variable.event, tree: variableTree, elements: [] }, key: index };
  }
  const expr = tree.node(event.nodeId);
  if (expr?.kind === 'list') return expr.optionalIndices.length > 0 ? undefined : at(list, event.children[index]);
  if (expr?.kind === 'comprehension') return sourceInFold(list, index);
  const call = tree.call(event.nodeId);
  const [first, second] = event.children;
  if (call?.function === '_?_:_' && second !== undefined) return { list: { ...list, event: second }, key: index };
  if (call?.function !== '_+_' || first === undefined || second === undefined || !Array.isArray(first.value)) {
    return undefined;
  }
  const length = first.value.length;
  if (index < length) return { list: { ...list, event: first }, key: index };
  return { list: { ...list, event: second }, key: index - length };
}

/** The transformation of the iteration that added the element. */
function sourceInFold(list: Decision, index: number): Decision | undefined {
  const fold = list.tree.node(list.event.nodeId);
  if (fold?.kind !== 'comprehension') return undefined;
  const shape = macroShapeOf(fold);
  const range = rangeOf(list, fold);
  if (shape?.kind !== 'collect' || range === undefined) return undefined;
  const { predicate, transform } = shape;
  const added = stepsOf(list, fold, range).filter(({ event }) => {
    return predicate === undefined || event.children[0]?.value === true;
  });
  const step = added[index];
  return step && at(step, findEvent(step.event, transform.id));
}

function at(context: Decision, event: TraceEvent | undefined): Decision | undefined {
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
