// `&&` and `||`.
import { noSuchOverload } from '../library/no-such-overload.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import type { Run } from './frame.ts';

/**
 * `decisive` is the value that decides the result: false for `&&`, true for `||`. A decisive value on the right
 * overrides an error on the left. Without one, the first error is the result. A value that is not a bool is an error.
 */
export function planLogical(decisive: boolean, terms: readonly Run[]): Run {
  const [first, second] = terms;
  if (terms.length === 2 && first !== undefined && second !== undefined) return planPair(decisive, first, second);
  return (frame) => {
    let failure: ErrorValue | undefined;
    for (const term of terms) {
      const value = term(frame);
      if (value === decisive) return decisive;
      if (value !== !decisive) failure ??= errorOf(value);
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
    if (left !== other) return errorOf(left);
    return right === other ? other : errorOf(right);
  };
}

function errorOf(value: Value): ErrorValue {
  return value instanceof ErrorValue ? value : noSuchOverload();
}
