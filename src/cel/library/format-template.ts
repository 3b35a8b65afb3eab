// Parses a format string clause by clause (cel-go `ext/formatting.go: parseFormatString`).
import { goQuote } from '../../go/strconv/quote.ts';
import { ErrorValue } from '../value/value.ts';

export interface Clause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  /** Precision of e.g. `%.3f`; undefined if none is written. */
  readonly precision: number | undefined;
}

export interface ClauseSource {
  readonly argCount: number;
  /** True if a missing argument is reported before the clause is parsed. */
  readonly fetchesFirst: boolean;
  /** The text for a clause; the caller adds a prefix to an error's message. */
  format(clause: Clause, argIndex: number): string | ErrorValue;
}

/** Stops at the first error. */
export function fillTemplate(template: string, source: ClauseSource): string | ErrorValue {
  let filled = '';
  let argIndex = 0;
  let copiedTo = 0;
  for (let start = template.indexOf('%'); start >= 0; start = template.indexOf('%', copiedTo)) {
    filled += template.slice(copiedTo, start);
    if (template.charAt(start + 1) === '%') {
      filled += '%';
      copiedTo = start + 2;
      continue;
    }
    const missing = argIndex >= source.argCount;
    if (missing && source.fetchesFirst) return argumentMissing(argIndex);
    if (start + 1 === template.length) return new ErrorValue('unexpected end of string');
    if (missing) return argumentMissing(argIndex);
    const clause = parseClause(template, start + 1);
    if (typeof clause === 'string') return new ErrorValue(`could not parse formatting clause: ${clause}`);
    const text = source.format(clause, argIndex);
    if (text instanceof ErrorValue) return new ErrorValue(`error during formatting: ${text.message}`);
    filled += text;
    argIndex++;
    copiedTo = clause.end;
  }
  return filled + template.slice(copiedTo);
}

/** Number of arguments that a valid template requires. */
export function countClauses(template: string): number {
  return template.replaceAll('%%', '').split('%').length - 1;
}

function argumentMissing(index: number): ErrorValue {
  return new ErrorValue(`index ${index} out of range`);
}

/** `start` is after the `%` and before the end. Returns a string for an invalid clause: the problem. */
function parseClause(template: string, start: number): (Clause & { readonly end: number }) | string {
  let end = start;
  let precision: number | undefined;
  if (template.charAt(start) === '.') {
    end++;
    while (/^[0-9]$/.test(template.charAt(end))) end++;
    if (end === template.length) return 'error while parsing precision: could not find end of precision specifier';
    const digits = template.slice(start + 1, end);
    const problem = digits === '' ? 'invalid syntax' : BigInt(digits) > MAX_INT ? 'value out of range' : undefined;
    if (problem !== undefined) {
      const parsing = `strconv.Atoi: parsing ${goQuote(digits)}: ${problem}`;
      return `error while parsing precision: error while converting precision to integer: ${parsing}`;
    }
    precision = Number(digits);
  }
  const letter = template.charAt(end);
  if (isVerb(letter)) return { verb: letter, precision, end: end + 1 };
  return `unrecognized formatting clause "${firstByte(template, end)}"`;
}

const MAX_INT = 0x7fff_ffff_ffff_ffffn;

function isVerb(letter: string): letter is Clause['verb'] {
  return /^[sdfebxXo]$/.test(letter);
}

/** cel-go reports the first UTF-8 byte as if it were the character. */
function firstByte(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset) as number;
  if (codePoint < 0x80) return text.charAt(offset);
  if (codePoint < 0x800) return String.fromCodePoint(0xc0 | (codePoint >> 6));
  if (codePoint < 0x1_0000) return String.fromCodePoint(0xe0 | (codePoint >> 12));
  return String.fromCodePoint(0xf0 | (codePoint >> 18));
}
