// Checked 64-bit integer arithmetic (cel-go `common/types/overflow.go`).
import { Uint } from './scalar.ts';
import { ErrorValue } from './value.ts';

export const MIN_INT = -0x8000_0000_0000_0000n;
export const MAX_INT = 0x7fff_ffff_ffff_ffffn;
export const MAX_UINT = 0xffff_ffff_ffff_ffffn;

export const intOverflow = (): ErrorValue => new ErrorValue('integer overflow');
export const uintOverflow = (): ErrorValue => new ErrorValue('unsigned integer overflow');

export function checkedInt(value: bigint): bigint | ErrorValue {
  return value >= MIN_INT && value <= MAX_INT ? value : intOverflow();
}

export function checkedUint(value: bigint): Uint | ErrorValue {
  return value >= 0n && value <= MAX_UINT ? new Uint(value) : uintOverflow();
}

/** Rounds towards zero. */
export function divideInt(dividend: bigint, divisor: bigint): bigint | ErrorValue {
  if (divisor === 0n) return new ErrorValue('division by zero');
  return checkedInt(dividend / divisor);
}

/** Takes the sign of the dividend. */
export function moduloInt(dividend: bigint, divisor: bigint): bigint | ErrorValue {
  if (divisor === 0n) return new ErrorValue('modulus by zero');
  if (dividend === MIN_INT && divisor === -1n) return intOverflow();
  return dividend % divisor;
}

export function divideUint(dividend: bigint, divisor: bigint): Uint | ErrorValue {
  return divisor === 0n ? new ErrorValue('division by zero') : new Uint(dividend / divisor);
}

export function moduloUint(dividend: bigint, divisor: bigint): Uint | ErrorValue {
  return divisor === 0n ? new ErrorValue('modulus by zero') : new Uint(dividend % divisor);
}

/** Truncates; the limits of int64 are out of range, as in cel-go. */
export function intFromDouble(value: number): bigint | ErrorValue {
  if (!Number.isFinite(value) || value <= -0x8000_0000_0000_0000 || value >= 0x8000_0000_0000_0000)
    return intOverflow();
  return BigInt(Math.trunc(value));
}

export function uintFromDouble(value: number): Uint | ErrorValue {
  if (!Number.isFinite(value) || value < 0 || value >= 0x1_0000_0000_0000_0000) return uintOverflow();
  return new Uint(BigInt(Math.trunc(value)));
}
