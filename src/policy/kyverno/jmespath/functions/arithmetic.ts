// Arithmetic on numbers, quantities and durations (`pkg/engine/jmespath/arithmetic.go`).

import { formatDouble } from '../../../../go/strconv/float-text.ts';
import { durationOf, formatGoDuration, parseGoDuration, secondsOf } from '../../../../go/time/duration.ts';
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../../../kubernetes/quantity/quantity.ts';
import { type Amount, toApproximateDouble } from '../../../../kubernetes/quantity/quantity-amount.ts';
import type { JsonValue } from '../../../../source/json/json.ts';
import { SearchError, searchFailure } from '../search-error.ts';
import { isPlainList, type SearchValue } from '../search-value.ts';
import { functionError, numberAt, type QueryFunction } from './function-table.ts';

const ANY_TWO = [['any'], ['any']] as const;

export const ARITHMETIC_FUNCTIONS: readonly QueryFunction[] = [
  { name: 'add', parameters: ANY_TWO, handler: ([left, right]) => add('add', left, right) },
  { name: 'sum', parameters: [['array']], handler: sum },
  { name: 'subtract', parameters: ANY_TWO, handler: ([left, right]) => subtract(left, right) },
  { name: 'multiply', parameters: ANY_TWO, handler: ([left, right]) => multiply(left, right) },
  { name: 'divide', parameters: ANY_TWO, handler: ([left, right]) => divide(left, right) },
  { name: 'modulo', parameters: ANY_TWO, handler: ([left, right]) => modulo(left, right) },
  { name: 'round', parameters: [['number'], ['number']], handler: round },
];

type Operand =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'quantity'; readonly value: Quantity }
  /** In nanoseconds. */
  | { readonly kind: 'duration'; readonly value: bigint };

function readOperand(name: string, value: SearchValue | undefined): Operand {
  if (typeof value === 'number') return { kind: 'scalar', value };
  if (typeof value === 'string') {
    const quantity = parseQuantity(value);
    if (!('error' in quantity)) return { kind: 'quantity', value: quantity };
    const duration = parseGoDuration(value);
    if (typeof duration === 'bigint') return { kind: 'duration', value: duration };
  }
  return functionError(name, 'invalid operand');
}

function readOperands(
  name: string,
  left: SearchValue | undefined,
  right: SearchValue | undefined,
): readonly [Operand, Operand] {
  return [readOperand(name, left), readOperand(name, right)];
}

function mismatch(name: string): never {
  return functionError(name, 'Types mismatch');
}

function tooLarge(): never {
  throw new SearchError('limit', 'a quantity with too many digits');
}

function add(name: string, leftValue: SearchValue | undefined, rightValue: SearchValue | undefined): JsonValue {
  const [left, right] = readOperands(name, leftValue, rightValue);
  if (left.kind === 'scalar' && right.kind === 'scalar') return left.value + right.value;
  if (left.kind === 'duration' && right.kind === 'duration') {
    return formatGoDuration(BigInt.asIntN(64, left.value + right.value));
  }
  if (left.kind !== 'quantity' || right.kind !== 'quantity') return mismatch(name);
  return formatQuantity(addQuantities(left.value, right.value) ?? tooLarge());
}

function sum(values: readonly SearchValue[]): SearchValue {
  const list = values[0] as SearchValue;
  if (!isPlainList(list)) return mismatch('sum');
  const [first, ...rest] = list;
  if (first === undefined) return functionError('sum', 'at least one element in the array is required');
  return rest.reduce<JsonValue>((total, item) => add('sum', total, item), first);
}

function subtract(leftValue: SearchValue | undefined, rightValue: SearchValue | undefined): JsonValue {
  const [left, right] = readOperands('subtract', leftValue, rightValue);
  if (left.kind === 'scalar' && right.kind === 'scalar') return left.value - right.value;
  if (left.kind === 'duration' && right.kind === 'duration') {
    return formatGoDuration(BigInt.asIntN(64, left.value - right.value));
  }
  if (left.kind !== 'quantity' || right.kind !== 'quantity') return mismatch('subtract');
  return formatQuantity(subtractQuantities(left.value, right.value) ?? tooLarge());
}

function multiply(leftValue: SearchValue | undefined, rightValue: SearchValue | undefined): JsonValue {
  const [left, right] = readOperands('multiply', leftValue, rightValue);
  if (left.kind === 'scalar') return right.kind === 'scalar' ? left.value * right.value : scaled(right, left.value);
  return right.kind === 'scalar' ? scaled(left, right.value) : mismatch('multiply');
}

function scaled(operand: Exclude<Operand, { kind: 'scalar' }>, factor: number): string {
  if (operand.kind === 'duration') return formatGoDuration(durationOf(secondsOf(operand.value) * factor * 1e9));
  const { amount, format } = operand.value;
  const times = quantityOf(factor).amount;
  return formatQuantity({ amount: decimal(amount.value * times.value, amount.scale + times.scale), format });
}

function decimal(value: bigint, scale: number): Amount {
  return { form: 'decimal', value, scale };
}

function quantityOf(value: number): Quantity {
  const quantity = parseQuantity(formatDouble(value));
  if ('error' in quantity) throw searchFailure(quantity.error);
  return quantity;
}

function divide(leftValue: SearchValue | undefined, rightValue: SearchValue | undefined): JsonValue {
  const [left, right] = readOperands('divide', leftValue, rightValue);
  if (right.kind === 'scalar') {
    if (right.value === 0) return zeroDivisor('divide');
    if (left.kind === 'scalar') return left.value / right.value;
    if (left.kind === 'duration') return formatGoDuration(durationOf((secondsOf(left.value) / right.value) * 1e9));
    return dividedQuantity(left.value, quantityOf(right.value).amount);
  }
  if (left.kind === 'quantity' && right.kind === 'quantity') {
    const divisor = toApproximateDouble(right.value.amount);
    if (divisor === 0) return zeroDivisor('divide');
    return toApproximateDouble(left.value.amount) / divisor;
  }
  if (left.kind !== 'duration' || right.kind !== 'duration') return mismatch('divide');
  const seconds = secondsOf(right.value);
  return seconds === 0 ? zeroDivisor('divide') : secondsOf(left.value) / seconds;
}

function zeroDivisor(name: string): never {
  return functionError(name, 'Zero divisor passed');
}

/** Truncated to the scale of the finer operand. */
function dividedQuantity({ amount, format }: Quantity, divisor: Amount): string {
  if (divisor.value === 0n) return zeroDivisor('divide');
  const scale = Math.min(amount.scale, divisor.scale);
  const shift = amount.scale - divisor.scale - scale;
  if (Math.abs(shift) > 100_000) return tooLarge();
  const value =
    shift >= 0
      ? (amount.value * 10n ** BigInt(shift)) / divisor.value
      : amount.value / (divisor.value * 10n ** BigInt(-shift));
  return formatQuantity({ amount: decimal(value, scale), format });
}

function modulo(leftValue: SearchValue | undefined, rightValue: SearchValue | undefined): JsonValue {
  const [left, right] = readOperands('modulo', leftValue, rightValue);
  if (left.kind === 'duration' && right.kind === 'duration') {
    return right.value === 0n ? zeroDivisor('modulo') : formatGoDuration(left.value % right.value);
  }
  if (left.kind === 'scalar' && right.kind === 'scalar') return Number(wholeModulo(left.value, right.value));
  if (left.kind !== 'quantity' || right.kind !== 'quantity') return mismatch('modulo');
  const value = wholeModulo(toApproximateDouble(left.value.amount), toApproximateDouble(right.value.amount));
  return formatQuantity({ amount: { form: 'int64', value, scale: 0 }, format: left.value.format });
}

function wholeModulo(left: number, right: number): bigint {
  const [dividend, divisor] = [left, right].map((value) => {
    const isWhole = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
    return isWhole ? BigInt(value) : functionError('modulo', 'Non-integer argument(s) passed for modulo');
  }) as [bigint, bigint];
  return divisor === 0n ? zeroDivisor('modulo') : dividend % divisor;
}

function round(values: readonly SearchValue[]): number {
  const digits = numberAt(values, 1);
  if (!Number.isInteger(digits) || digits < -(2 ** 63) || digits >= 2 ** 63) {
    return functionError('round', 'Non-integer argument(s) passed for round off');
  }
  // Kyverno omits the arguments of this format string.
  if (digits < 0) return functionError('round', '%!d(MISSING) argument is out of bounds (%!d(MISSING))');
  const shift = 10 ** digits;
  return roundHalfAway(numberAt(values, 0) * shift) / shift;
}

/** Go `math.Round`. */
function roundHalfAway(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}
