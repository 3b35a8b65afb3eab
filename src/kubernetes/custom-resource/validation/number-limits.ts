// Checks limits on numbers with kube-openapi's arithmetic (`pkg/validation/validate/values.go`, go-openapi `swag`).
import { formatDouble, formatDoublePlain } from '../../../go/strconv/float-text.ts';
import type { ValueValidation } from '../schema/schema.ts';

type NumberValue = bigint | number;

export type NumberLimits = Pick<
  ValueValidation,
  'maximum' | 'exclusiveMaximum' | 'minimum' | 'exclusiveMinimum' | 'multipleOf'
>;

/** The declared type of a number; `format` only if it is valid for the type. */
export interface NumberType {
  readonly type: 'integer' | 'number' | '';
  readonly format: string;
}

export type NumberFault =
  /** The number or a limit is out of the type's range; `what` is the server's word for it. */
  | { readonly kind: 'range'; readonly what: string }
  /** A violated limit: the number as the server prints it, and the text after `spec.size in body `. */
  | { readonly kind: 'limit'; readonly value: NumberValue; readonly text: string }
  /** `multipleOf` itself is invalid. */
  | { readonly kind: 'factor'; readonly value: NumberValue };

const MAX_INT32 = 0x7fff_ffffn;
const MIN_INT64 = -0x8000_0000_0000_0000n;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
/** From this value on, rounding exceeds the largest 32-bit float. */
const BEYOND_FLOAT32 = 3.4028235677973366e38;
const EPSILON = 1e-9;

/** In the server's order. Without a `type`, the server does not check ranges. */
export function numberFaults(value: NumberValue, limits: NumberLimits, type: NumberType): readonly NumberFault[] {
  const faults: NumberFault[] = [];
  if (isOutOfRange(value, type)) faults.push({ kind: 'range', what: 'Checked' });
  const check = (what: string, limit: number | undefined, find: Check): void => {
    if (limit === undefined) return;
    const fits = !isOutOfRange(limit, type);
    if (!fits) faults.push({ kind: 'range', what });
    // Compare an integer with the truncated limit if the limit is in range.
    const isExact = fits && typeof value === 'bigint';
    const fault = isExact ? find(value, truncate(limit)) : find(Number(value), limit);
    if (fault !== undefined) faults.push(fault);
  };
  check('MultipleOf', limits.multipleOf, multipleFault);
  check('Minimum boundary', limits.minimum, minimumFault(limits.exclusiveMinimum));
  check('Maximum boundary', limits.maximum, maximumFault(limits.exclusiveMaximum));
  return faults;
}

/** Both numbers have the same JavaScript type. */
type Check = (value: NumberValue, limit: NumberValue) => NumberFault | undefined;

function minimumFault(exclusive: boolean): Check {
  return (value, limit) => {
    if (exclusive ? value > limit : value >= limit) return undefined;
    const text = `should be greater than ${exclusive ? '' : 'or equal to '}${goNumberText(limit)}`;
    return { kind: 'limit', value, text };
  };
}

function maximumFault(exclusive: boolean): Check {
  return (value, limit) => {
    if (exclusive ? value < limit : value <= limit) return undefined;
    return {
      kind: 'limit',
      value,
      text: `should be less than ${exclusive ? '' : 'or equal to '}${goNumberText(limit)}`,
    };
  };
}

const multipleFault: Check = (value, factor) => {
  if (factor <= 0) return { kind: 'factor', value: factor };
  if (isMultiple(value, factor)) return undefined;
  return { kind: 'limit', value, text: `should be a multiple of ${goNumberText(factor)}` };
};

function isOutOfRange(value: NumberValue, { type, format }: NumberType): boolean {
  if (type === 'number') return format === 'float' && Math.abs(Number(value)) >= BEYOND_FLOAT32;
  if (type === '') return false;
  // Fast path for most numbers, without a conversion to text.
  if (typeof value === 'bigint' && value <= MAX_INT32 && value >= -MAX_INT32) return false;
  const text = typeof value === 'bigint' ? String(value) : formatDoublePlain(value);
  if (!/^-?[0-9]+$/.test(text)) return true;
  const integer = BigInt(text);
  return BigInt.asIntN(format === 'int32' ? 32 : 64, integer) !== integer;
}

/** Go's conversion of a float64 to int64 on amd64. */
function truncate(value: number): bigint {
  if (!Number.isFinite(value)) return MIN_INT64;
  const integer = BigInt(Math.trunc(value));
  return integer < MIN_INT64 || integer > MAX_INT64 ? MIN_INT64 : integer;
}

function isMultiple(value: NumberValue, factor: NumberValue): boolean {
  if (typeof value === 'bigint' && typeof factor === 'bigint') return value % factor === 0n;
  const [double, divisor] = [Number(value), Number(factor)];
  return isJsonInteger(divisor < 1 ? (1 / divisor) * double : double / divisor);
}

/** `swag.IsFloat64AJSONInteger`: a whole number, or slightly more than one. */
export function isJsonInteger(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  // Here Go converts a negative number to a huge one, and between zero and one no number is within its tolerance.
  if (value < 0 || whole === 0) return false;
  return (value - whole) / (value + whole) < EPSILON;
}

export function goNumberText(value: NumberValue): string {
  return typeof value === 'bigint' ? String(value) : formatDouble(value);
}
