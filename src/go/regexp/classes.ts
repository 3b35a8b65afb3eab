// Named character classes: `\d`, `\pL`, `[:alpha:]`.
import { type CodePointRanges, complement } from '../unicode/unicode.ts';

const DIGIT: CodePointRanges = [0x30, 0x39];
const UPPER: CodePointRanges = [0x41, 0x5a];
const LOWER: CodePointRanges = [0x61, 0x7a];
const WORD: CodePointRanges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

const POSIX: Readonly<Record<string, CodePointRanges>> = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  ascii: [0x00, 0x7f],
  blank: [0x09, 0x09, 0x20, 0x20],
  cntrl: [0x00, 0x1f, 0x7f, 0x7f],
  digit: DIGIT,
  graph: [0x21, 0x7e],
  lower: LOWER,
  print: [0x20, 0x7e],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [0x09, 0x0d, 0x20, 0x20],
  upper: UPPER,
  word: WORD,
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

const PERL: Readonly<Record<string, CodePointRanges>> = {
  d: DIGIT,
  // Without the vertical tab, unlike [:space:].
  s: [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20],
  w: WORD,
};

/** `name` is the text between `[:` and `:]`; a leading `^` means the complement. */
export function posixClass(name: string): CodePointRanges | undefined {
  const negated = name.startsWith('^');
  const plain = negated ? name.slice(1) : name;
  if (!Object.hasOwn(POSIX, plain)) return undefined;
  const ranges = POSIX[plain] as CodePointRanges;
  return negated ? complement(ranges) : ranges;
}

/** `letter` follows the backslash; a capital letter means the complement. */
export function perlClass(letter: string): CodePointRanges | undefined {
  const lower = letter.toLowerCase();
  if (!Object.hasOwn(PERL, lower)) return undefined;
  const ranges = PERL[lower] as CodePointRanges;
  return lower === letter ? ranges : complement(ranges);
}
