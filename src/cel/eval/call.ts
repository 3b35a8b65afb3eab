// Calls of functions, by number of arguments (cel-go `evalUnary`, `evalBinary`, `evalVarArgs`).
import { COPIED } from '../../go/meter.ts';
import { noSuchOverload } from '../library/no-such-overload.ts';
import { add } from '../library/standard-arithmetic.ts';
import { equals } from '../value/equality.ts';
import { HostList } from '../value/host-container.ts';
import { MutableList } from '../value/mutable.ts';
import { ErrorValue, type ListValue, type Value } from '../value/value.ts';
import { type Charge, chargeCall } from './call-cost.ts';
import type { Callee } from './callee.ts';
import type { Frame, Run } from './frame.ts';

export function planInvocation(callee: Callee, args: readonly Run[], charge: Charge): Run {
  const { evaluate, nonStrict, variadic } = callee;
  const [first, second] = args;
  if (first === undefined) return planZeroArity(evaluate, charge);
  if (variadic) return planVariadic(evaluate, args, charge);
  if (second === undefined) return planUnary(evaluate, nonStrict, first, charge);
  return planBinary(evaluate, nonStrict, first, second, charge);
}

type Evaluate = Callee['evaluate'];

function planZeroArity(evaluate: Evaluate, charge: Charge): Run {
  return (frame) => {
    const result = evaluate();
    chargeCall(frame, charge, [], result);
    return result;
  };
}

function planUnary(evaluate: Evaluate, nonStrict: boolean, argument: Run, charge: Charge): Run {
  return (frame) => {
    const value = argument(frame);
    const result = value instanceof ErrorValue && !nonStrict ? value : evaluate(value);
    if (charge.kind === 'unit') frame.cost += 1;
    else chargeCall(frame, charge, [value], result);
    return result;
  };
}

function planBinary(evaluate: Evaluate, nonStrict: boolean, left: Run, right: Run, charge: Charge): Run {
  return (frame) => {
    const leftValue = left(frame);
    const rightValue = right(frame);
    let result: Value;
    if (leftValue instanceof ErrorValue && !nonStrict) result = leftValue;
    else if (rightValue instanceof ErrorValue && !nonStrict) result = rightValue;
    else result = evaluate(leftValue, rightValue);
    if (charge.kind === 'unit') frame.cost += 1;
    else if (charge.kind === 'priced') frame.charge(charge.cost(frame, leftValue, rightValue, result));
    else chargeCall(frame, charge, [leftValue, rightValue], result);
    return result;
  };
}

/** `key in map` with a string key and a plain map takes a fast path. Other containers may need work, so `evaluate` handles them. */
export function planContainment(evaluate: Evaluate, element: Run, container: Run, charge: Charge): Run {
  return (frame) => {
    const key = element(frame);
    const values = container(frame);
    let result: Value;
    if (typeof key === 'string' && values instanceof Map) result = values.has(key);
    else if (key instanceof ErrorValue) result = key;
    else if (values instanceof ErrorValue) result = values;
    else if (typeof key === 'object' && Array.isArray(values)) result = containsContainer(frame, key, values);
    else result = evaluate(key, values);
    if (charge.kind === 'unit') frame.cost += 1;
    else chargeCall(frame, charge, [key, values], result);
    return result;
  };
}

function containsContainer(frame: Frame, element: Value, list: ListValue): Value {
  if (list instanceof HostList) return list.contains(element, frame.meter);
  return list.some((other) => equals(element, other, frame.meter));
}

/** If an argument other than the last fails, cel-go's cost tracker finds no arguments and charges nothing. */
export function planVariadic(evaluate: Evaluate, args: readonly Run[], charge: Charge): Run {
  const [first, second] = args;
  if (args.length === 2 && first !== undefined && second !== undefined) {
    return planVariadicPair(evaluate, first, second, charge);
  }
  const last = args.length - 1;
  return (frame) => {
    const values: Value[] = [];
    let failure: ErrorValue | undefined;
    for (const argument of args) {
      const value = argument(frame);
      values.push(value);
      if (value instanceof ErrorValue) {
        if (values.length <= last) return value;
        failure = value;
      }
    }
    const result = failure ?? evaluate(...values);
    chargeCall(frame, charge, values, result);
    return result;
  };
}

function planVariadicPair(evaluate: Evaluate, first: Run, second: Run, charge: Charge): Run {
  return (frame) => {
    const left = first(frame);
    if (left instanceof ErrorValue) return left;
    const right = second(frame);
    const result = right instanceof ErrorValue ? right : evaluate(left, right);
    if (charge.kind === 'priced') frame.charge(charge.cost(frame, left, right, result));
    else chargeCall(frame, charge, [left, right], result);
    return result;
  };
}

/** `_+_` must not copy lists repeatedly: it appends to a fold's own list in place. */
export function planAddition(left: Run, right: Run, charge: Charge): Run {
  return (frame) => {
    const leftValue = left(frame);
    const rightValue = right(frame);
    const result = addition(frame, leftValue, rightValue);
    if (charge.kind === 'unit') frame.cost += 1;
    else if (charge.kind === 'priced') frame.charge(charge.cost(frame, leftValue, rightValue, result));
    else chargeCall(frame, charge, [leftValue, rightValue], result);
    return result;
  };
}

function addition(frame: Frame, left: Value, right: Value): Value {
  if (left instanceof ErrorValue) return left;
  if (right instanceof ErrorValue) return right;
  if (Array.isArray(left)) {
    if (Array.isArray(right)) frame.meter.spend(right.length * COPIED);
    if (left instanceof MutableList) return Array.isArray(right) ? left.append(right) : noSuchOverload();
    frame.meter.spend(left.length * COPIED);
  }
  return add(left, right);
}
