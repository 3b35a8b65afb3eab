// Formats doubles like Go.

/** Go's `%g` and `%v`, `strconv.FormatFloat(value, 'g', -1, 64)`. */
export function formatDouble(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const { sign, digits, exponent } = decompose(value);
  if (exponent < -4 || exponent >= 6) return `${sign}${scientific(digits, exponent)}`;
  return `${sign}${positional(digits, exponent)}`;
}

/** `strconv.FormatFloat(value, 'f', -1, 64)`: shortest digits, never an exponent. */
export function formatDoublePlain(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const { sign, digits, exponent } = decompose(value);
  return `${sign}${positional(digits, exponent)}`;
}

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  return undefined;
}

/** The shortest digits that parse to the value, and the power of ten of the first digit. */
function decompose(value: number): { sign: string; digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return { sign: value < 0 ? '-' : '', digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const magnitude = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${magnitude}`;
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits + '0'.repeat(exponent + 1 - digits.length);
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
