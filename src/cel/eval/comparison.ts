// `==`, `!=`, and `< <= > >=` on integers.
import { codePointLength } from '../../go/strings/string-order.ts';
import type { CallCost } from '../declaration/library.ts';
import { traversal } from '../library/standard-prices.ts';
import { equalsOrError } from '../value/equality.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import { equalityCost } from './call-cost.ts';
import type { Frame, Run } from './frame.ts';

/** `literal`: the right-hand side, if it is a literal. */
export function planEquality(
  functionName: '_==_' | '_!=_',
  left: Run,
  right: Run,
  literal: Value | undefined,
  hook: CallCost | undefined,
): Run {
  const negated = functionName === '_!=_';
  const overloadId = negated ? 'not_equals' : 'equals';
  const general = (frame: Frame, leftValue: Value, rightValue: Value): Value => {
    const result = compareValues(frame, leftValue, rightValue, negated);
    frame.charge(equalityCost(hook, functionName, overloadId, leftValue, rightValue, result));
    return result;
  };
  if (typeof literal === 'string') return equalsText(left, literal, negated, general);
  if (literal !== undefined && (typeof literal === 'bigint' || typeof literal === 'boolean')) {
    return equalsScalar(left, literal, negated, general);
  }
  return (frame) => general(frame, left(frame), right(frame));
}

type General = (frame: Frame, left: Value, right: Value) => Value;

function compareValues(frame: Frame, left: Value, right: Value, negated: boolean): Value {
  if (left instanceof ErrorValue) return left;
  if (right instanceof ErrorValue) return right;
  // Only containers can need enough work to measure.
  const meter = typeof left === 'object' && left !== null ? frame.meter : undefined;
  const result = equalsOrError(left, right, meter);
  return negated ? result !== true : result;
}

function equalsText(left: Run, literal: string, negated: boolean, general: General): Run {
  const size = codePointLength(literal);
  const fullCost = traversal(size);
  return (frame) => {
    const value = left(frame);
    if (typeof value !== 'string') return general(frame, value, literal);
    const same = value === literal;
    // Up to ten characters cost one unit, so only longer texts must be measured.
    if (same || fullCost === 0) frame.charge(fullCost);
    else if (value.length <= 10) frame.cost += value === '' ? 0 : 1;
    else frame.charge(fullCost === 1 ? 1 : traversal(Math.min(codePointLength(value), size)));
    return same !== negated;
  };
}

function equalsScalar(left: Run, literal: bigint | boolean, negated: boolean, general: General): Run {
  const type = typeof literal;
  return (frame) => {
    const value = left(frame);
    if (typeof value !== type) return general(frame, value, literal);
    frame.cost += 1;
    return (value === literal) !== negated;
  };
}

const INT_RELATIONS: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '_<_': (left, right) => left < right,
  '_<=_': (left, right) => left <= right,
  '_>_': (left, right) => left > right,
  '_>=_': (left, right) => left >= right,
};

/** Undefined if the function is not one of `< <= > >=`. The function must cost one unit. */
export function planOrdering(
  functionName: string,
  evaluate: (left: Value, right: Value) => Value,
  left: Run,
  right: Run,
): Run | undefined {
  const holds = INT_RELATIONS[functionName];
  if (holds === undefined) return undefined;
  return (frame) => {
    const leftValue = left(frame);
    const rightValue = right(frame);
    frame.cost += 1;
    if (typeof leftValue === 'bigint' && typeof rightValue === 'bigint') return holds(leftValue, rightValue);
    if (leftValue instanceof ErrorValue) return leftValue;
    return rightValue instanceof ErrorValue ? rightValue : evaluate(leftValue, rightValue);
  };
}
