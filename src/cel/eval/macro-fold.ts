// `all`, `exists`, `exists_one`, `map` and `filter` as plain loops, with the costs and errors of the general fold.
import { noSuchOverload } from '../library/no-such-overload.ts';
import { isMap } from '../value/equality.ts';
import { ErrorValue, type ListValue, type Value } from '../value/value.ts';
import { LIST_COST } from './call-cost.ts';
import { notIterable } from './fold.ts';
import type { Run } from './frame.ts';
import { strongest } from './logic.ts';

/** `all` stops at false, `exists` at true. `exists` negates its accumulator before every step, which costs more. */
export function planQuantifier(range: Run, element: number, decisive: boolean, predicate: Run): Run {
  const conditionCost = decisive ? 3 : 2;
  return (frame) => {
    const elements = elementsOf(range(frame));
    if (elements instanceof ErrorValue) return elements;
    const { length } = elements;
    let result: Value = !decisive;
    for (let index = 0; index < length; index++) {
      frame.checkLimit();
      frame.cost += conditionCost;
      if (result === decisive) break;
      frame.slots[element] = elements[index];
      frame.cost += 1;
      const value = predicate(frame);
      if (value === decisive) result = decisive;
      else if (value !== !decisive) result = strongest(result instanceof ErrorValue ? result : undefined, value);
    }
    frame.slots[element] = undefined;
    frame.cost += 1;
    return result;
  };
}

export function planExistsOne(range: Run, element: number, predicate: Run): Run {
  return (frame) => {
    const elements = elementsOf(range(frame));
    if (elements instanceof ErrorValue) return elements;
    const { length } = elements;
    let count = 0;
    let failure: ErrorValue | undefined;
    for (let index = 0; index < length; index++) {
      frame.checkLimit();
      frame.slots[element] = elements[index];
      const value = predicate(frame);
      if (value === true) {
        count++;
        frame.cost += 2;
      } else if (value !== false) failure = errorOf(value);
    }
    frame.slots[element] = undefined;
    frame.cost += 2;
    return failure ?? count === 1;
  };
}

/** `constant`: the transformation is constant, so cel-go builds its list literal without cost. */
export function planCollection(
  range: Run,
  element: number,
  predicate: Run | undefined,
  transform: Run,
  constant: boolean,
): Run {
  const listCost = constant ? 0 : LIST_COST;
  return (frame) => {
    const elements = elementsOf(range(frame));
    if (elements instanceof ErrorValue) return elements;
    const { length } = elements;
    const collected: Value[] = [];
    let failure: ErrorValue | undefined;
    for (let index = 0; index < length; index++) {
      frame.checkLimit();
      frame.slots[element] = elements[index];
      if (predicate !== undefined) {
        const chosen = predicate(frame);
        if (chosen === false) continue;
        if (chosen !== true) {
          failure = errorOf(chosen);
          continue;
        }
      }
      frame.cost += 1;
      const value = transform(frame);
      frame.charge(listCost);
      frame.cost += 1;
      if (value instanceof ErrorValue) failure ??= value;
      else if (failure === undefined) collected.push(value);
    }
    frame.slots[element] = undefined;
    frame.cost += 1;
    return failure ?? collected;
  };
}

function elementsOf(range: Value): ListValue | ErrorValue {
  if (Array.isArray(range)) return range;
  if (range instanceof ErrorValue) return range;
  return isMap(range) ? [...range.keys()] : notIterable(range, false);
}

function errorOf(value: Value): ErrorValue {
  return value instanceof ErrorValue ? value : noSuchOverload();
}
