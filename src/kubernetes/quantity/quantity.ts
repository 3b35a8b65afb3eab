// resource.Quantity: the numbers in `resources.limits`, with suffixes and canonical text (apimachinery `pkg/api/resource`).
import {
  type Amount,
  addAmounts,
  compareAmounts,
  fitsInt64,
  kibisIn,
  NANO,
  negated,
  roundedUp,
  signOf,
  subtractAmounts,
} from './quantity-amount.ts';

/** `12e6`, `12Mi`, `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

export interface Quantity {
  readonly amount: Amount;
  readonly format: QuantityFormat;
  /** The source text, kept only if upstream considers it canonical; `formatQuantity` then returns it. */
  readonly text?: string;
}

const ERROR_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const ERROR_NUMERIC = 'unable to parse numeric part of quantity';
const ERROR_SUFFIX = "unable to parse quantity's suffix";

const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const BINARY_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

const MAX_BINARY: Amount = { form: 'decimal', value: 2n ** 63n - 1n, scale: 0 };
const ONE: Amount = { form: 'decimal', value: 1n, scale: 0 };

interface QuantityParts {
  readonly negative: boolean;
  /** Digits before the decimal point without leading zeros, at least one. */
  readonly integer: string;
  readonly fraction: string;
  /** False if the text has no digit: `Ki`, `.`. */
  readonly hasDigits: boolean;
  readonly suffix: string;
}

/** Characters that no quantity contains. A fast check, because most texts are names. */
const FOREIGN = /[^-+.0-9eEinumkKMGTP]/;

/** Cannot backtrack: nothing follows the last group. */
const PARTS = /^([+-]?)([0-9]*)((?:\.[0-9]*)?)([eEinumkKMGTP]*[-+]?[0-9]*)/;

function splitQuantity(text: string): QuantityParts | undefined {
  if (FOREIGN.test(text)) return undefined;
  const [all = '', sign, integer = '', point = '', suffix = ''] = PARTS.exec(text) ?? [];
  if (all.length < text.length) return undefined;
  const fraction = point.slice(1);
  return {
    negative: sign === '-',
    integer: integer.startsWith('0') ? integer.replace(/^0+/, '') || '0' : integer || '0',
    fraction,
    hasDigits: integer !== '' || fraction !== '',
    suffix,
  };
}

interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function readSuffix(suffix: string): Suffix | undefined {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { exponent: decimal, format: 'DecimalSI' };
  const binary = BINARY_SUFFIXES.get(suffix);
  if (binary !== undefined) return { exponent: binary, format: 'BinarySI' };
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix.slice(1).replace(/^\+/, ''));
  // Upstream parses an int64 and keeps its low 32 bits.
  return fitsInt64(exponent) ? { exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' } : undefined;
}

/** `resource.ParseQuantity`: no white space around the text (JSON decoding trims it first). */
export function parseQuantity(text: string): Quantity | { readonly error: string } {
  if (text === '') return { error: ERROR_FORMAT };
  if (text === '0') return { amount: { form: 'int64', value: 0n, scale: 0 }, format: 'DecimalSI', text };
  const parts = splitQuantity(text);
  if (parts === undefined) return { error: ERROR_FORMAT };
  const suffix = readSuffix(parts.suffix);
  if (suffix === undefined) return { error: ERROR_SUFFIX };
  return parseSmall(text, parts, suffix) ?? (parts.hasDigits ? parseBig(parts, suffix) : { error: ERROR_NUMERIC });
}

/** The fast path for amounts that fit int64. Also decides whether the text is canonical. */
function parseSmall(text: string, parts: QuantityParts, { exponent, format }: Suffix): Quantity | undefined {
  const { integer, fraction } = parts;
  const binary = format === 'BinarySI';
  if (binary && fraction !== '') return undefined;
  const room = binary ? 14 - integer.length - (exponent * 3) / 10 : 18 - integer.length - fraction.length;
  const scale = binary ? 0 : (exponent - fraction.length) | 0;
  if (room < 0 || scale < NANO) return undefined;
  const digits = integer + fraction;
  const mantissa = BigInt(digits);
  const magnitude = binary ? mantissa << BigInt(exponent) : mantissa;
  if (!fitsInt64(magnitude)) return undefined;
  const amount: Amount = { form: 'int64', value: parts.negative ? -magnitude : magnitude, scale };
  const canonical = binary
    ? (mantissa & 7n) !== 0n
    : scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return canonical ? { amount, format, text } : { amount, format };
}

/** The slow path: rounds away from zero to whole nanos and caps binary quantities at the largest int64. */
function parseBig(parts: QuantityParts, suffix: Suffix): Quantity {
  const binary = suffix.format === 'BinarySI';
  const digits = BigInt(parts.integer + parts.fraction);
  let format = suffix.format;
  let amount: Amount = {
    form: 'decimal',
    value: binary ? digits << BigInt(suffix.exponent) : digits,
    scale: binary ? -parts.fraction.length : (suffix.exponent - parts.fraction.length) | 0,
  };
  if (amount.value !== 0n) amount = roundedUp(amount, NANO);
  if (binary && compareAmounts(amount, MAX_BINARY) > 0) amount = MAX_BINARY;
  if (binary && amount.value !== 0n && compareAmounts(amount, ONE) < 0) format = 'DecimalSI';
  return { amount: parts.negative ? negated(amount) : amount, format };
}

/** `Quantity.String`: the source text if it is canonical, else the canonical text. */
export function formatQuantity(quantity: Quantity): string {
  return quantity.text ?? canonicalText(quantity);
}

function canonicalText({ amount, format }: Quantity): string {
  if (amount.value === 0n) return '0';
  const whole = format === 'BinarySI' && !isBelowKibi(amount) ? roundedUp(amount, 0) : undefined;
  if (whole !== undefined && compareAmounts(whole, amount) === 0) {
    const times = kibisIn(whole.value);
    return `${whole.value / 1024n ** BigInt(times)}${suffixOf(BINARY_SUFFIXES, times * 10)}`;
  }
  const digits = amount.value.toString();
  let zeros = 0;
  while (digits.charAt(digits.length - 1 - zeros) === '0') zeros++;
  const exponent = amount.scale + zeros;
  const excess = ((exponent % 3) + 3) % 3;
  const mantissa = digits.slice(0, digits.length - zeros) + '0'.repeat(excess);
  const step = exponent - excess;
  if (format !== 'DecimalExponent') return `${mantissa}${suffixOf(DECIMAL_SUFFIXES, step)}`;
  return step === 0 ? `${mantissa}` : `${mantissa}e${step}`;
}

function isBelowKibi(amount: Amount): boolean {
  return compareAmounts(amount, { ...ONE, value: 1024n }) < 0 && compareAmounts(amount, { ...ONE, value: -1024n }) > 0;
}

/** Upstream prints no suffix if none matches: 1000E becomes `1`. */
function suffixOf(suffixes: ReadonlyMap<string, number>, exponent: number): string {
  for (const [suffix, value] of suffixes) if (value === exponent) return suffix;
  return '';
}

/** Undefined as in `addAmounts`. A zero takes the format of the other quantity. */
export function addQuantities(a: Quantity, b: Quantity): Quantity | undefined {
  return combined(a, b, addAmounts(a.amount, b.amount));
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity | undefined {
  return combined(a, b, subtractAmounts(a.amount, b.amount));
}

function combined(a: Quantity, b: Quantity, amount: Amount | undefined): Quantity | undefined {
  if (amount === undefined) return undefined;
  return { amount, format: signOf(a.amount) === 0 ? b.format : a.format };
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  return compareAmounts(a.amount, b.amount);
}
