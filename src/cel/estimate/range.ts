// Ranges of sizes and costs, with arithmetic that saturates at uint64 (cel-go `checker.SizeEstimate`, `CostEstimate`).

/** Both bounds are inclusive. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

export const NOTHING: Range = { min: 0n, max: 0n };
export const ANYTHING: Range = { min: 0n, max: MAX_UINT64 };
/** Neutral element of `union`. */
export const NO_RANGE: Range = { min: MAX_UINT64, max: 0n };
export const ONE: Range = { min: 1n, max: 1n };

export function exactly(value: bigint | number): Range {
  const exact = BigInt(value);
  return { min: exact, max: exact };
}

export function sum(...ranges: readonly Range[]): Range {
  return ranges.reduce(
    (total, { min, max }) => ({ min: limited(total.min + min), max: limited(total.max + max) }),
    NOTHING,
  );
}

export function product(left: Range, right: Range): Range {
  return { min: limited(left.min * right.min), max: limited(left.max * right.max) };
}

/** Rounded up. */
export function scaled({ min, max }: Range, factor: number): Range {
  return { min: scaledBound(min, factor), max: scaledBound(max, factor) };
}

/** The smallest range that contains both. */
export function union(left: Range, right: Range): Range {
  return { min: lesser(left.min, right.min), max: -lesser(-left.max, -right.max) };
}

export function lesser(left: bigint, right: bigint): bigint {
  if (left < right) return left;
  return right;
}

/** Wraps an integer overflow as Go does. */
export function wrapped(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function limited(value: bigint): bigint {
  return lesser(value, MAX_UINT64);
}

function scaledBound(bound: bigint, factor: number): bigint {
  const scaledUp = Math.ceil(Number(bound) * factor);
  return scaledUp >= Number(MAX_UINT64) ? MAX_UINT64 : BigInt(scaledUp);
}
