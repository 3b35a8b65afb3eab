// cel-go's `ext.Strings`: functions on strings as sequences of code points.
import { WorkExceeded } from '../../go/meter.ts';
import { codePointLength } from '../../go/strings/string-order.ts';
import type { FunctionDeclaration, Library, Overload } from '../declaration/library.ts';
import { type Price, UNIT } from '../declaration/price.ts';
import { goText } from '../value/go-text.ts';
import { ErrorValue, type ListValue, type Value } from '../value/value.ts';
import { formatString } from './format.ts';
import { FORMATTING, QUOTING } from './standard-prices.ts';
import { findLastText, findText } from './text-search.ts';

/** Longer results are rejected, because they approach JavaScript's own limit. */
const MAX_LENGTH = 2 ** 26;
const MAX_PARTS = 2 ** 22;

const SURROGATE = /[\ud800-\udfff]/;

function charAt(text: string, index: bigint): string | ErrorValue {
  const length = codePointLength(text);
  if (index < 0n || index > length) return outOfRange(index);
  return index === BigInt(length) ? '' : slice(text, Number(index), Number(index) + 1);
}

/** From cel-go 0.29, an empty text is found at the offset or at the end. */
function clampedIndexOf(text: string, part: string, offset = 0n): bigint | ErrorValue {
  return part === '' ? clamped(text, offset) : indexOf(text, part, offset);
}

function clampedLastIndexOf(text: string, part: string, offset?: bigint): bigint | ErrorValue {
  return part === '' && offset !== undefined ? clamped(text, offset) : lastIndexOf(text, part, offset);
}

function clamped(text: string, offset: bigint): bigint | ErrorValue {
  if (offset < 0n) return outOfRange(offset);
  const length = BigInt(codePointLength(text));
  return offset > length ? length : offset;
}

function indexOf(text: string, part: string, offset = 0n): bigint | ErrorValue {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  if (offset >= codePointLength(text)) return -1n;
  return codePointIndex(text, findText(text, part, unitOffset(text, Number(offset))));
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint | ErrorValue {
  const length = BigInt(codePointLength(text));
  if (part === '') return offset ?? length;
  if (offset === undefined) return codePointIndex(text, findLastText(text, part, text.length));
  if (offset < 0n) return outOfRange(offset);
  if (offset >= length) return -1n;
  return codePointIndex(text, findLastText(text, part, unitOffset(text, Number(offset))));
}

function substring(text: string, start: bigint, end?: bigint): string | ErrorValue {
  if (end !== undefined && start > end) {
    return new ErrorValue(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const length = codePointLength(text);
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end);
  return slice(text, Number(start), end === undefined ? length : Number(end));
}

function outOfRange(index: bigint): ErrorValue {
  return new ErrorValue(`index out of range: ${index}`);
}

/** `start` and `end` count code points and must be within the text. */
function slice(text: string, start: number, end: number): string {
  const from = unitOffset(text, start);
  return text.slice(from, from + unitOffset(text.slice(from), end - start));
}

/** The UTF-16 offset after `count` code points. */
function unitOffset(text: string, count: number): number {
  if (!SURROGATE.test(text)) return count;
  let offset = 0;
  for (let passed = 0; passed < count; passed++) offset += isSupplementary(text, offset) ? 2 : 1;
  return offset;
}

function isSupplementary(text: string, offset: number): boolean {
  return (text.codePointAt(offset) ?? 0) > 0xffff;
}

function codePointIndex(text: string, offset: number): bigint {
  return BigInt(offset < 0 ? offset : codePointLength(text.slice(0, offset)));
}

/** Go `strings.Replace`; an empty `old` matches before every code point and at the end. */
function replace(text: string, old: string, replacement: string, limit = -1n): string {
  if (limit === 0n) return text;
  if (old !== '') return joinParts(split(text, old, limit < 0n ? limit : limit + 1n), replacement);
  const parts = ['', ...split(text, '', limit)];
  if (limit < 0n || limit > codePointLength(text)) parts.push('');
  return joinParts(parts, replacement);
}

/** Go `strings.SplitN`; an empty separator splits after every code point. */
function split(text: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return [];
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const parts: string[] = [];
  const add = (part: string): void => {
    if (parts.push(part) > MAX_PARTS) throw new WorkExceeded();
  };
  let start = 0;
  if (separator === '') {
    while (start < text.length && parts.length < most - 1) {
      const end = start + (isSupplementary(text, start) ? 2 : 1);
      add(text.slice(start, end));
      start = end;
    }
    if (start < text.length) parts.push(text.slice(start));
    return parts;
  }
  while (parts.length < most - 1) {
    const found = findText(text, separator, start);
    if (found < 0) break;
    add(text.slice(start, found));
    start = found + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

function join(list: ListValue, separator = ''): string | ErrorValue {
  for (const element of list) {
    if (typeof element !== 'string') return new ErrorValue(`join: invalid input: ${goText(element)}`);
  }
  return joinParts(list as readonly string[], separator);
}

function joinParts(parts: readonly string[], separator: string): string {
  let length = separator.length * parts.length;
  for (const part of parts) length += part.length;
  if (length > MAX_LENGTH) throw new WorkExceeded();
  return parts.join(separator);
}

/** Go `strings.TrimSpace`. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && GO_SPACE.test(text.charAt(start))) start++;
  while (end > start && GO_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Unicode's White_Space. JavaScript's `\s` includes U+FEFF and lacks U+0085. */
const GO_SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Quotes as a CEL literal; other unprintable characters are kept. */
function quote(text: string): string {
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => QUOTE_ESCAPES[character] as string)}"`;
}

const QUOTE_ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Functions whose results can be much longer than their arguments. */
const GROWING: ReadonlySet<string> = new Set(['join', 'replace']);

/** One implementation for all overloads; missing arguments are undefined. A call costs one unit unless its row specifies another price. */
function declare(
  name: string,
  implementation: (...args: never[]) => Value,
  ...rows: readonly (readonly [id: string, signature: string, price?: Price])[]
): FunctionDeclaration {
  const evaluate = implementation as Overload['evaluate'];
  const textWork = GROWING.has(name) ? 1 : 0;
  return {
    name,
    overloads: rows.map(([id, signature, price = UNIT]) => ({ id, signature, evaluate, price, textWork })),
  };
}

function functionsWith(first: typeof indexOf, last: typeof lastIndexOf): readonly FunctionDeclaration[] {
  return [
    declare('charAt', charAt, ['string_char_at_int', 'string.charAt(int) -> string']),
    declare(
      'indexOf',
      first,
      ['string_index_of_string', 'string.indexOf(string) -> int'],
      ['string_index_of_string_int', 'string.indexOf(string, int) -> int'],
    ),
    declare(
      'lastIndexOf',
      last,
      ['string_last_index_of_string', 'string.lastIndexOf(string) -> int'],
      ['string_last_index_of_string_int', 'string.lastIndexOf(string, int) -> int'],
    ),
    declare(
      'join',
      join,
      ['list_join', 'list(string).join() -> string'],
      ['list_join_string', 'list(string).join(string) -> string'],
    ),
    declare('lowerAscii', lowerAscii, ['string_lower_ascii', 'string.lowerAscii() -> string']),
    declare(
      'replace',
      replace,
      ['string_replace_string_string', 'string.replace(string, string) -> string'],
      ['string_replace_string_string_int', 'string.replace(string, string, int) -> string'],
    ),
    declare(
      'split',
      split,
      ['string_split_string', 'string.split(string) -> list(string)'],
      ['string_split_string_int', 'string.split(string, int) -> list(string)'],
    ),
    declare(
      'substring',
      substring,
      ['string_substring_int', 'string.substring(int) -> string'],
      ['string_substring_int_int', 'string.substring(int, int) -> string'],
    ),
    declare('trim', trim, ['string_trim', 'string.trim() -> string']),
    declare('upperAscii', upperAscii, ['string_upper_ascii', 'string.upperAscii() -> string']),
  ];
}

const FORMAT: FunctionDeclaration = {
  name: 'format',
  overloads: [
    {
      id: 'string_format',
      signature: 'string.format(list(dyn)) -> string',
      evaluate: formatString,
      price: FORMATTING,
      variadic: true,
      textWork: 10,
    },
  ],
};

const QUOTE = declare('strings.quote', quote, ['strings_quote', 'strings.quote(string) -> string', QUOTING]);

const VERSION_0 = functionsWith(indexOf, lastIndexOf);

/** `ext.StringsVersion(0)`: Kubernetes before 1.29. The error messages of `join` are those of version 2. */
export const STRINGS_0: Library = { name: 'cel.lib.ext.strings', functions: VERSION_0 };

/** `ext.StringsVersion(2)`: Kubernetes from 1.29. Used with `FORMAT_VALIDATOR`. */
export const STRINGS_2: Library = { name: 'cel.lib.ext.strings', functions: [...VERSION_0, FORMAT, QUOTE] };

/** `ext.StringsVersion(2)` from cel-go 0.29. */
export const STRINGS_2_CLAMPED: Library = {
  name: 'cel.lib.ext.strings',
  functions: [...functionsWith(clampedIndexOf, clampedLastIndexOf), FORMAT, QUOTE],
};
