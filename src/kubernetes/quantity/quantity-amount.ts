// Exact decimal numbers in the two forms of apimachinery's Quantity (`pkg/api/resource/amount.go`, `gopkg.in/inf.v0`).

/**
 * `value` × 10^`scale`. Upstream uses int64 and switches to big decimals on overflow. The form is visible in CEL: only
 * int64 amounts have an `asInteger()`.
 */
export interface Amount {
  readonly form: 'int64' | 'decimal';
  readonly value: bigint;
  readonly scale: number;
}

export const NANO = -9;

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** 10^10^6 is still fast to compute; beyond this limit a text like `1e999999999` would need gigabytes. */
const MAX_ADDED_DIGITS = 1_000_000;

export function fitsInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64;
}

/** `value` × 10^`exponent`, or undefined if it overflows int64. */
function scaledUp(value: bigint, exponent: number): bigint | undefined {
  if (value === 0n) return 0n;
  if (exponent > 18) return undefined;
  const result = value * 10n ** BigInt(exponent);
  return fitsInt64(result) ? result : undefined;
}

/** The whole number of an int64 amount. Like upstream, does not drop trailing zeros of a fraction. */
export function toInt64(amount: Amount): bigint | undefined {
  if (amount.form === 'decimal' || amount.scale < 0) return undefined;
  return scaledUp(amount.value, amount.scale);
}

export function toDecimal(amount: Amount): Amount {
  return amount.form === 'decimal' ? amount : { ...amount, form: 'decimal' };
}

export function signOf(amount: Amount): -1 | 0 | 1 {
  return amount.value === 0n ? 0 : amount.value < 0n ? -1 : 1;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The number of decimal digits, or up to two more. Uses hexadecimal, which is much faster for long numbers. */
function digitsAtMost(value: bigint): number {
  return Math.floor(magnitude(value).toString(16).length * Math.log10(16)) + 1;
}

/** Numeric order. Expands powers of ten only if both numbers have similar lengths, so any exponent is safe. */
export function compareAmounts(a: Amount, b: Amount): -1 | 0 | 1 {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign < signOf(b) ? -1 : 1;
  if (sign === 0) return 0;
  const difference = a.scale === b.scale ? 0 : digitsAtMost(a.value) + a.scale - (digitsAtMost(b.value) + b.scale);
  if (Math.abs(difference) > 2) return difference * sign < 0 ? -1 : 1;
  const scale = Math.min(a.scale, b.scale);
  const left = a.value * 10n ** BigInt(a.scale - scale);
  const right = b.value * 10n ** BigInt(b.scale - scale);
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Undefined if the sum has too many digits (`1e999999999` + 1); the API server would compute it for hours. */
export function addAmounts(a: Amount, b: Amount): Amount | undefined {
  if (a.form === 'int64' && b.form === 'int64') {
    const sum = addInt64(a, b);
    if (sum !== undefined) return sum;
  }
  const scale = Math.min(a.scale, b.scale);
  if (Math.max(a.scale, b.scale) - scale > MAX_ADDED_DIGITS) return undefined;
  const value = a.value * 10n ** BigInt(a.scale - scale) + b.value * 10n ** BigInt(b.scale - scale);
  return { form: 'decimal', value, scale };
}

/** Undefined as in `addAmounts`. Only decimals have a negative of the lowest int64. */
export function subtractAmounts(a: Amount, b: Amount): Amount | undefined {
  const difference = a.form === 'int64' && b.form === 'int64' ? addInt64(a, negated(b)) : undefined;
  return difference ?? addAmounts(a, negated(toDecimal(b)));
}

function addInt64(a: Amount, b: Amount): Amount | undefined {
  if (b.value === 0n) return a;
  if (a.value === 0n) return b;
  const scale = Math.min(a.scale, b.scale);
  const left = scaledUp(a.value, a.scale - scale);
  const right = scaledUp(b.value, b.scale - scale);
  if (left === undefined || right === undefined || !fitsInt64(left + right)) return undefined;
  return { form: 'int64', value: left + right, scale };
}

/** As in Go, the lowest int64 is its own negative. */
export function negated(amount: Amount): Amount {
  const value = amount.form === 'int64' ? BigInt.asIntN(64, -amount.value) : -amount.value;
  return { ...amount, value };
}

/** Rounds away from zero to a multiple of 10^`scale`; pads with zeros if the amount is coarser. */
export function roundedUp(amount: Amount, scale: number): Amount {
  const shift = amount.scale - scale;
  if (shift >= 0) {
    // Without padding, the amount is numerically the same.
    if (shift > MAX_ADDED_DIGITS) return amount;
    return { ...amount, value: amount.value * 10n ** BigInt(shift), scale };
  }
  const sign = BigInt(signOf(amount));
  if (-shift > digitsAtMost(amount.value)) return { ...amount, value: sign, scale };
  const divisor = 10n ** BigInt(-shift);
  const remainder = amount.value % divisor;
  const value = amount.value / divisor + (remainder === 0n ? 0n : sign);
  return { ...amount, value, scale };
}

/** How many times the value is divisible by 1024. */
export function kibisIn(value: bigint): number {
  let times = 0;
  for (let rest = value; rest !== 0n && rest % 1024n === 0n; rest /= 1024n) times++;
  return times;
}

const POWERS_OF_TEN: readonly number[] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31,
];
const POWERS_OF_TEN_TO_32: readonly number[] = [1, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288];
const NEGATIVE_POWERS_OF_TEN_TO_32: readonly number[] = [
  1, 1e-32, 1e-64, 1e-96, 1e-128, 1e-160, 1e-192, 1e-224, 1e-256, 1e-288, 1e-320,
];

/** Go `math.Pow10`, which rounds differently from `10 ** exponent`. */
function pow10(exponent: number): number {
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  if (exponent < -323) return 0;
  const table = exponent < 0 ? NEGATIVE_POWERS_OF_TEN_TO_32 : POWERS_OF_TEN_TO_32;
  const size = Math.abs(exponent);
  const coarse = table[Math.floor(size / 32)] as number;
  const fine = POWERS_OF_TEN[size % 32] as number;
  return exponent < 0 ? coarse / fine : coarse * fine;
}

/** `Quantity.AsApproximateFloat64`. */
export function toApproximateDouble(amount: Amount): number {
  const base = Number(amount.value);
  return amount.scale === 0 ? base : base * pow10(amount.scale);
}
