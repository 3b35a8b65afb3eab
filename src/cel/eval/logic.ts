// `&&`, `||`, `==` and `!=`.
import { noSuchOverload } from '../library/no-such-overload.ts';
import type { CallCost } from '../library.ts';
import { equals } from '../value/equality.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import { equalityCost } from './call-cost.ts';
import type { Run } from './frame.ts';

/**
 * `decisive` is the value that settles the matter: false for `&&`, true for `||`. An error gives way to a decisive value further
 * right; without one the first error is the result. A value that is no bool counts as an error.
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

export function planEquality(functionName: '_==_' | '_!=_', left: Run, right: Run, hook: CallCost | undefined): Run {
  const negated = functionName === '_!=_';
  const overloadId = negated ? 'not_equals' : 'equals';
  return (frame) => {
    const leftValue = left(frame);
    const rightValue = right(frame);
    let result: Value;
    if (leftValue instanceof ErrorValue) result = leftValue;
    else if (rightValue instanceof ErrorValue) result = rightValue;
    else result = equals(leftValue, rightValue, frame.meter) !== negated;
    frame.charge(equalityCost(hook, functionName, overloadId, leftValue, rightValue, result));
    return result;
  };
}
