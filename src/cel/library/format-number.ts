// Formats doubles like `format`, which uses golang.org/x/text's number formatting for en_US.
import { trimRight } from '../../go/strings/trim.ts';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Maximum number of non-zero decimals of a double. */
const MAX_FRACTION = 1074;
/** Output of x/text for an unsupported width or precision. */
const NO_VERB = '%!(NOVERB)';
/** Fixed, because cel-go passes the precision of `%e` as a width. */
const SCIENTIFIC_FRACTION = 6;

/** `%.<precision>f`, with commas between thousands. */
export function formatFixed(value: number, precision: number): string {
  if (isTooLarge(precision)) return NO_VERB;
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  // x/text stores the maximum as int16 and the minimum as uint8.
  const maxFraction = (precision << 16) >> 16;
  const minFraction = precision & 0xff;
  const digits = maxFraction < 0 ? shortestDigits(value) : roundedDigits(value, Math.min(maxFraction, MAX_FRACTION));
  const fraction = trimRight(digits.fraction, '0').padEnd(minFraction, '0');
  const integer = digits.integer.replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `%<width>e`, e.g. `1.500000×10⁰⁰`. A width of zero means no width. */
export function formatScientific(value: number, width: number): string {
  if (isTooLarge(width)) return NO_VERB;
  return (formatSpecial(value) ?? scientific(value)).padStart(width & 0xffff, ' ');
}

function scientific(value: number): string {
  const { digits, exponent } = scientificDigits(value, SCIENTIFIC_FRACTION);
  const power = String(Math.abs(exponent)).padStart(2, '0');
  const superscript = [...power].map((digit) => SUPERSCRIPTS.charAt(Number(digit))).join('');
  const sign = value < 0 ? '-' : '';
  return `${sign}${digits.charAt(0)}.${digits.slice(1)}×10${exponent < 0 ? '⁻' : ''}${superscript}`;
}

/** One digit before the point and `fraction` digits after it, with the power of ten. */
export function scientificDigits(value: number, fraction: number): { digits: string; exponent: number } {
  const exponent = value === 0 ? 0 : Number(value.toExponential().split('e')[1]);
  const computed = Math.min(fraction, MAX_FRACTION);
  const digits = String(roundScaled(Math.abs(value), computed - exponent)).padEnd(computed + 1, '0');
  const zeros = '0'.repeat(fraction - computed);
  if (digits.length === computed + 1) return { digits: digits + zeros, exponent };
  return { digits: digits.slice(0, -1) + zeros, exponent: exponent + 1 };
}

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? '∞' : '-∞';
}

/** x/text stops reading a number once its value exceeds a million. */
export function isTooLarge(count: number): boolean {
  return Math.floor(count / 10) > 1_000_000;
}

interface DecimalDigits {
  readonly integer: string;
  readonly fraction: string;
}

export function roundedDigits(value: number, places: number): DecimalDigits {
  const computed = Math.min(places, MAX_FRACTION);
  const digits = String(roundScaled(Math.abs(value), computed)).padStart(computed + 1, '0');
  const point = digits.length - computed;
  return { integer: digits.slice(0, point), fraction: digits.slice(point) + '0'.repeat(places - computed) };
}

/** The shortest digits that parse to the value, without exponent. */
function shortestDigits(value: number): DecimalDigits {
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  if (exponent < 0) return { integer: '0', fraction: '0'.repeat(-exponent - 1) + digits };
  return { integer: digits.slice(0, exponent + 1).padEnd(exponent + 1, '0'), fraction: digits.slice(exponent + 1) };
}

/** `value` times ten to the power of `places` as an integer, rounded half to even from the exact value. */
function roundScaled(value: number, places: number): bigint {
  const { mantissa, exponent } = decompose(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (places >= 0) numerator *= 10n ** BigInt(places);
  else denominator *= 10n ** BigInt(-places);
  const quotient = numerator / denominator;
  const twiceRest = (numerator % denominator) * 2n;
  const up = twiceRest > denominator || (twiceRest === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** A positive double as `mantissa` times two to the power of `exponent`. */
function decompose(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const fraction = raw & 0xf_ffff_ffff_ffffn;
  const biased = Number(raw >> 52n);
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10_0000_0000_0000n, exponent: biased - 1075 };
}
