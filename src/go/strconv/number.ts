// Parses numbers like Go's strconv, and formats them as sigs.k8s.io/yaml does for keys.

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** Maximum number of digits of a 64-bit number in any base. */
const MAX_DIGITS = 64;

/** go-yaml's `yamlStyleFloat`. */
const DECIMAL_FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** `strconv.ParseInt(text, 0, 64)`, otherwise `ParseUint`: `0x`, `0o`, `0b` and octal with a leading zero; no underscores. */
export function parseInteger(text: string): bigint | undefined {
  const sign = text.charAt(0);
  const isSigned = sign === '-' || sign === '+';
  return withSign(sign, parseMagnitude(isSigned ? text.slice(1) : text));
}

/** `strconv.ParseInt(text, 2, 64)`, otherwise `ParseUint`, for the text after go-yaml's `0b`. */
export function parseBinary(text: string): bigint | undefined {
  const sign = text.charAt(0);
  const isSigned = sign === '-' || sign === '+';
  return withSign(sign, parseDigits(isSigned ? text.slice(1) : text, 2));
}

/** A number above int64 must not have a sign, because `ParseUint` accepts none. */
function withSign(sign: string, magnitude: bigint | undefined): bigint | undefined {
  if (magnitude === undefined) return undefined;
  if (sign === '-') return magnitude <= MAX_INT64 + 1n ? -magnitude : undefined;
  return magnitude <= (sign === '+' ? MAX_INT64 : MAX_UINT64) ? magnitude : undefined;
}

function parseMagnitude(text: string): bigint | undefined {
  if (text.charAt(0) !== '0') return parseDigits(text, 10);
  const prefix = text.length >= 3 ? text.charAt(1).toLowerCase() : '';
  if (prefix === 'x') return parseDigits(text.slice(2), 16);
  if (prefix === 'o') return parseDigits(text.slice(2), 8);
  if (prefix === 'b') return parseDigits(text.slice(2), 2);
  return text === '0' ? 0n : parseDigits(text.slice(1), 8);
}

/** Undefined for invalid digits and for more than 64 bits. */
function parseDigits(text: string, base: 2 | 8 | 10 | 16): bigint | undefined {
  if (text === '') return undefined;
  let significant = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = digitValue(text.charCodeAt(index));
    if (digit >= base) return undefined;
    if (significant > 0 || digit > 0) significant++;
  }
  if (significant === 0) return 0n;
  if (significant > MAX_DIGITS) return undefined;
  const digits = text.slice(text.length - significant);
  const value = BigInt(base === 10 ? digits : `${PREFIXES[base]}${digits}`);
  return value <= MAX_UINT64 ? value : undefined;
}

const PREFIXES = { 2: '0b', 8: '0o', 16: '0x' } as const;

function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : 99;
}

/** A decimal float in go-yaml's syntax after it removed underscores; undefined on overflow (`ErrRange`). */
export function parseDecimalFloat(text: string): number | undefined {
  if (!DECIMAL_FLOAT.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** `strconv.ParseFloat` of a text that starts with a dot. Go's own rule for underscores applies: only between digits. */
export function parseDotFloat(text: string): number | undefined {
  if (!text.includes('_')) return parseDecimalFloat(text);
  return hasUnderscoresBetweenDigits(text) ? parseDecimalFloat(text.replaceAll('_', '')) : undefined;
}

function hasUnderscoresBetweenDigits(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charAt(index) !== '_') continue;
    if (digitValue(text.charCodeAt(index - 1)) > 9 || digitValue(text.charCodeAt(index + 1)) > 9) return false;
  }
  return true;
}

/** `strconv.FormatFloat(value, 'g', -1, 32)`, which converts float keys to strings. Infinities and NaN are in YAML's notation. */
export function formatFloatKey(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return '.nan';
  if (single === Number.POSITIVE_INFINITY) return '.inf';
  if (single === Number.NEGATIVE_INFINITY) return '-.inf';
  return formatGeneral(single, shortestSingle(single));
}

/** Formats a float64 like `%#v` of `fmt`. */
export function formatFloatGo(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return formatGeneral(value, Math.abs(value).toExponential());
}

/** The shortest digits that parse to the same float32, without sign, in JavaScript's exponential form. */
function shortestSingle(value: number): string {
  const magnitude = Math.abs(value);
  for (let digits = 0; digits < 9; digits++) {
    const text = roundHalfToEven(magnitude, digits);
    if (Math.fround(Number(text)) === magnitude) return text;
  }
  return magnitude.toExponential();
}

/** `toExponential` with Go's rounding: ties go to the even digit instead of up. */
function roundHalfToEven(value: number, digits: number): string {
  const text = value.toExponential(digits);
  const [mantissa = '', exponent = ''] = text.split('e');
  const last = Number(mantissa.charAt(mantissa.length - 1));
  const beyond = value
    .toExponential(100)
    .replace('.', '')
    .slice(digits + 1, 101);
  return last % 2 === 1 && /^50*$/.test(beyond) ? `${mantissa.slice(0, -1)}${last - 1}e${exponent}` : text;
}

/** Go's `%g` with the shortest digits: exponential below 1e-4 and from 1e+06, with at least two exponent digits. */
function formatGeneral(value: number, exponential: string): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponentText = ''] = exponential.split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.replace('.', '');
  if (exponent < -4 || exponent >= 6) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}
