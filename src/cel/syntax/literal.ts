// The values of literal tokens (cel-go `parser/unescape.go` and the numeric visitors of `parser/parser.go`).
import { Bytes, Uint } from '../value/scalar.ts';

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** `text` is decimal or hexadecimal digits; undefined if the number is not an int64. */
export function intLiteral(text: string, negative: boolean): bigint | undefined {
  const magnitude = integerLiteral(text);
  if (magnitude === undefined) return undefined;
  const value = negative ? -magnitude : magnitude;
  return value >= INT_MIN && value <= INT_MAX ? value : undefined;
}

/** `text` ends in `u` or `U`; undefined if the number is not a uint64. */
export function uintLiteral(text: string): Uint | undefined {
  const value = integerLiteral(text.slice(0, -1));
  return value !== undefined && value <= UINT_MAX ? new Uint(value) : undefined;
}

/** Undefined if the number is too large for a double. */
export function doubleLiteral(text: string, negative: boolean): number | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return negative ? -value : value;
}

/** Numbers with more than 20 digits are rejected early: converting them to a bigint is slow, and none fits in 64 bits. */
function integerLiteral(text: string): bigint | undefined {
  if (text.length < 15) return BigInt(Number(text));
  const hexadecimal = text.startsWith('0x');
  const digits = (hexadecimal ? text.slice(2) : text).replace(/^0+/, '') || '0';
  if (digits.length > 20) return undefined;
  return BigInt(hexadecimal ? `0x${digits}` : digits);
}

/** A problem with an escape sequence, in cel-go's words. */
export interface EscapeProblem {
  readonly problem: string;
}

/** `token` is the whole token with prefix and quotes. */
export function stringLiteral(token: string): string | EscapeProblem {
  const { body, raw } = unquote(token);
  if (raw || !body.includes('\\')) return body;
  let value = '';
  let copied = 0;
  for (let at = body.indexOf('\\'); at >= 0; at = body.indexOf('\\', copied)) {
    const { code, length } = escapeSequence(body, at);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return { problem: 'invalid unicode code point' };
    value += body.slice(copied, at) + String.fromCodePoint(code);
    copied = at + length;
  }
  return value + body.slice(copied);
}

/** `token` is the whole token with prefixes and quotes. `\x` and octal escapes are bytes; other text is encoded as UTF-8. */
export function bytesLiteral(token: string): Bytes | EscapeProblem {
  const { body, raw } = unquote(token.slice(1));
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return new Bytes(encoder.encode(body));
  const data: number[] = [];
  let copied = 0;
  for (let at = body.indexOf('\\'); at >= 0; at = body.indexOf('\\', copied)) {
    const letter = body.charAt(at + 1);
    if (letter === 'u' || letter === 'U') return { problem: 'unable to unescape string' };
    const { code, length } = escapeSequence(body, at);
    for (const byte of encoder.encode(body.slice(copied, at))) data.push(byte);
    data.push(code);
    copied = at + length;
  }
  for (const byte of encoder.encode(body.slice(copied))) data.push(byte);
  return new Bytes(Uint8Array.from(data));
}

/** All line endings become LF. */
function unquote(token: string): { body: string; raw: boolean } {
  const normal = token.includes('\r') ? token.replace(/\r\n?/g, '\n') : token;
  const raw = normal.startsWith('r') || normal.startsWith('R');
  const quoted = raw ? normal.slice(1) : normal;
  const width = quoted.length >= 6 && (quoted.startsWith("'''") || quoted.startsWith('"""')) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
};

/** Requires a well-formed sequence, which the lexer guarantees. */
function escapeSequence(body: string, backslash: number): { code: number; length: number } {
  const letter = body.charAt(backslash + 1);
  const digits = backslash + 2;
  switch (letter) {
    case 'x':
    case 'X':
      return { code: Number.parseInt(body.slice(digits, digits + 2), 16), length: 4 };
    case 'u':
      return { code: Number.parseInt(body.slice(digits, digits + 4), 16), length: 6 };
    case 'U':
      return { code: Number.parseInt(body.slice(digits, digits + 8), 16), length: 10 };
    case '0':
    case '1':
    case '2':
    case '3':
      return { code: Number.parseInt(body.slice(backslash + 1, backslash + 4), 8), length: 4 };
    default:
      return { code: SIMPLE_ESCAPES[letter] ?? letter.charCodeAt(0), length: 2 };
  }
}
