// Parses floating-point texts like Go's `strconv.ParseFloat`.

const DECIMAL = /^[+-]?(?:[0-9_]+\.?[0-9_]*|\.[0-9_]+)(?:[eE][+-]?[0-9][0-9_]*)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F_]*)\.?([0-9a-fA-F_]*)[pP]([+-]?[0-9][0-9_]*)$/;
const SPECIAL = /^([+-]?)(?:inf|infinity)$/i;

/** Undefined if the text is not a number or its value is out of range. */
export function parseGoFloat(text: string): number | undefined {
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinite = SPECIAL.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (text.includes('_') && !underscoresSeparateDigits(text)) return undefined;
  const value = HEXADECIMAL.test(text) ? parseHexadecimal(text) : parseDecimal(text);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function parseDecimal(text: string): number | undefined {
  return DECIMAL.test(text) && /[0-9]/.test(text) ? Number(text.replaceAll('_', '')) : undefined;
}

function parseHexadecimal(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = HEXADECIMAL.exec(text.replaceAll('_', '')) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const mantissa = BigInt(`0x${whole}${fraction}`);
  if (mantissa === 0n) return sign === '-' ? -0 : 0;
  // Reduce to 64 significant bits and keep the rest as a sticky bit, so that only one rounding occurs.
  const excess = Math.max(0, mantissa.toString(2).length - 64);
  const head = mantissa >> BigInt(excess);
  const sticky = head << BigInt(excess) === mantissa ? head : head | 1n;
  const power = Number(exponent) - 4 * fraction.length + excess;
  const magnitude = scale(Number(sticky), power);
  return sign === '-' ? -magnitude : magnitude;
}

/** `value * 2**power` without intermediate overflow. */
function scale(value: number, power: number): number {
  let scaled = value;
  let rest = Math.max(-4000, Math.min(4000, power));
  for (; rest > 1000; rest -= 1000) scaled *= 2 ** 1000;
  for (; rest < -1000; rest += 1000) scaled *= 2 ** -1000;
  return scaled * 2 ** rest;
}

/** Go `underscoreOK`: underscores are permitted between digits, and between the base prefix and a digit. */
function underscoresSeparateDigits(text: string): boolean {
  const hexadecimal = /^[+-]?0[xX]/.test(text);
  const body = text.replace(/^[+-]/, '').replace(/^0[xX]/, '0');
  const digit = hexadecimal ? /[0-9a-fA-F]/ : /[0-9]/;
  for (let at = body.indexOf('_'); at >= 0; at = body.indexOf('_', at + 1)) {
    if (!digit.test(body.charAt(at - 1)) || !digit.test(body.charAt(at + 1))) return false;
  }
  return true;
}
