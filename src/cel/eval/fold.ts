// The general comprehension (cel-go `evalFold`).
import { isMap } from '../value/equality.ts';
import { toImmutable } from '../value/mutable.ts';
import { goTypeOf } from '../value/type-of.ts';
import { ErrorValue, type KeyedMapValue, type ListValue, type MapValue, type Value } from '../value/value.ts';
import type { Frame, Run } from './frame.ts';

export interface Fold {
  readonly range: Run;
  readonly accumulator: { readonly slot: number; readonly initial: Value | undefined };
  readonly element: number;
  /** Slot of the second variable; the first variable then holds the index or key. */
  readonly second: number | undefined;
  readonly condition: Run;
  readonly step: Run;
  readonly result: Run;
}

/** Called for every element, runs its step and returns the result. */
export type ObserveElement = ((frame: Frame, key: Value, value: Value, step: Run) => Value) | undefined;

export function planFold(fold: Fold, observeElement: ObserveElement): Run {
  const { range: rangeRun, accumulator, condition, result, second } = fold;
  const step = observeElement === undefined ? runStep(fold) : observedStep(fold, observeElement);
  return (frame) => {
    const range = rangeRun(frame);
    if (range instanceof ErrorValue) return range;
    const pairs = entriesOf(range);
    if (pairs === undefined) return notIterable(range, second !== undefined);
    frame.slots[accumulator.slot] = accumulator.initial;
    for (const [key, value] of pairs) {
      frame.checkLimit();
      frame.slots[fold.element] = second !== undefined || isMap(range) ? key : value;
      if (second !== undefined) frame.slots[second] = value;
      const proceed = condition(frame);
      if (proceed === false) break;
      frame.slots[accumulator.slot] = step(frame, key, value);
    }
    const value = result(frame);
    frame.slots[accumulator.slot] = undefined;
    frame.slots[fold.element] = undefined;
    return toImmutable(value);
  };
}

type Step = (frame: Frame, key: Value, value: Value) => Value;

function runStep({ step }: Fold): Step {
  return (frame) => step(frame);
}

function observedStep({ step }: Fold, observe: NonNullable<ObserveElement>): Step {
  return (frame, key, value) => observe(frame, key, value, step);
}

/** Undefined if the value cannot be iterated over. */
function entriesOf(range: Value): Iterable<readonly [Value, Value]> | undefined {
  if (Array.isArray(range)) return listEntries(range);
  return isMap(range) ? mapEntries(range) : undefined;
}

/** Read the length once, because an accumulator can grow during its own iteration. */
function* listEntries(list: ListValue): Iterable<readonly [Value, Value]> {
  const length = list.length;
  for (let index = 0; index < length; index++) yield [BigInt(index), list[index] as Value];
}

function mapEntries(map: MapValue): Iterable<readonly [Value, Value]> {
  return map instanceof Map ? map.entries() : (map as KeyedMapValue).entries();
}

export function notIterable(range: Value, twoVariables: boolean): ErrorValue {
  const type = goTypeOf(range);
  if (twoVariables) return new ErrorValue(`unsupported comprehension range type: ${type}`);
  return new ErrorValue(`got '${type}', expected iterable type`);
}
