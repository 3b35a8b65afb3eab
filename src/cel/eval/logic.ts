// `&&` and `||`.
import { noSuchOverload } from '../library/no-such-overload.ts';
import { ErrorValue, UnknownValue, type Value } from '../value/value.ts';
import type { Run } from './frame.ts';

/**
 * `decisive` is the value that decides the result: false for `&&`, true for `||`. A decisive value on the right
 * overrides an error on the left. Without one, the first unknown or else the first error is the result. A value that is
 * not a bool is an error.
 */
export function planLogical(decisive: boolean, terms: readonly Run[]): Run {
  const [first, second] = terms;
  if (terms.length === 2 && first !== undefined && second !== undefined) return planPair(decisive, first, second);
  return (frame) => {
    let failure: ErrorValue | undefined;
    for (const term of terms) {
      const value = term(frame);
      if (value === decisive) return decisive;
      if (value !== !decisive) failure = strongest(failure, value);
    }
    return failure ?? !decisive;
  };
}

function planPair(decisive: boolean, first: Run, second: Run): Run {
  const other = !decisive;
  return (frame) => {
    const left = first(frame);
    if (left === decisive) return decisive;
    const right = second(frame);
    if (right === decisive) return decisive;
    if (left !== other) return right === other ? errorOf(left) : strongest(errorOf(left), right);
    return right === other ? other : errorOf(right);
  };
}

/** An unknown value may be decisive, so it outranks errors. */
export function strongest(failure: ErrorValue | undefined, value: Value): ErrorValue {
  if (failure === undefined) return errorOf(value);
  return value instanceof UnknownValue && !(failure instanceof UnknownValue) ? value : failure;
}

function errorOf(value: Value): ErrorValue {
  return value instanceof ErrorValue ? value : noSuchOverload();
}
