// For calls that compare whole lists, finds the elements that decided the result.
import { equals } from '../value/equality.ts';
import type { Value } from '../value/value.ts';
import type { DecidingEvent } from './deciding-events.ts';

export interface DecidingElement {
  readonly list: DecidingEvent;
  readonly index: number;
}

/** Maximum number of reported elements. */
const MOST_ELEMENTS = 10;
/** Maximum number of pairwise comparisons, which would take too long for larger lists. */
const MOST_COMPARISONS = 100_000;

/**
 * `x in list`: the element that equals x. `sets.contains(list, wanted)`: the wanted elements that are missing.
 * `sets.intersects`: the common elements. `sets.equivalent`: the elements that are in only one list.
 */
export function decidingElements(decision: DecidingEvent): readonly DecidingElement[] {
  const { event, tree } = decision;
  const [first, second] = event.children.map((child): DecidingEvent => ({ ...decision, event: child }));
  if (first === undefined || second === undefined) return [];
  switch (tree.call(event.nodeId)?.function) {
    case '@in':
      return event.value === true
        ? elementsOf(second, (element) => equals(element, first.event.value)).slice(0, 1)
        : [];
    case 'sets.contains':
      return event.value === false ? absentFrom(first, second) : [];
    case 'sets.intersects':
      return event.value === true ? [...presentIn(second, first), ...presentIn(first, second)] : [];
    case 'sets.equivalent':
      return event.value === false ? [...absentFrom(second, first), ...absentFrom(first, second)] : [];
    default:
      return [];
  }
}

function presentIn(other: DecidingEvent, list: DecidingEvent): readonly DecidingElement[] {
  return compared(other, list, (isThere) => isThere);
}

function absentFrom(other: DecidingEvent, list: DecidingEvent): readonly DecidingElement[] {
  return compared(other, list, (isThere) => !isThere);
}

function compared(
  { event: { value: others } }: DecidingEvent,
  list: DecidingEvent,
  isDeciding: (isThere: boolean) => boolean,
): readonly DecidingElement[] {
  const { value } = list.event;
  if (!Array.isArray(others) || !Array.isArray(value) || others.length * value.length > MOST_COMPARISONS) return [];
  return elementsOf(list, (element) => isDeciding(others.some((other) => equals(other, element))));
}

function elementsOf(list: DecidingEvent, isDeciding: (element: Value) => boolean): readonly DecidingElement[] {
  const { value } = list.event;
  if (!Array.isArray(value)) return [];
  const found: DecidingElement[] = [];
  for (let index = 0; index < value.length && found.length < MOST_ELEMENTS; index++) {
    if (isDeciding(value[index])) found.push({ list, index });
  }
  return found;
}
