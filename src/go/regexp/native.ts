// Selects the patterns that JavaScript's own RegExp can run safely.
import type { CodePointRanges } from '../unicode/unicode.ts';
import { emptySyntax, normalizeRanges, type Syntax } from './syntax.ts';

/**
 * Tests whether a pattern matches anywhere in a text, many times faster than RE2, but only for patterns with both of these properties.
 *
 * Equal results. A match is membership in a regular language: RE2 decides it by simulation, JavaScript by backtracking, and both agree if
 * each element has the same meaning. The permitted elements are character sets (as code points, with the `u` flag unless all are ASCII),
 * sequence, choice, repetition of one character, `x?`, `^` at the start, and `$`, which without flags is the end of the text in both.
 * Captures, which JavaScript resets in loops, are not used.
 *
 * Linear time. `Effort` bounds the backtracking steps from one start position, computed from the end of the pattern. If the character of a
 * repetition cannot start the rest of the pattern, backtracking into the repetition fails at once. Any other repetition may end at every
 * position, where the rest is tried again; this is accepted only if the rest contains no repetition. So two loops never multiply. A pattern
 * that can start anywhere must not contain an unbounded loop.
 */
export class NativeMatcher {
  readonly #expression: RegExp;
  readonly #effort: Effort;
  readonly #anchored: boolean;

  constructor(expression: RegExp, effort: Effort, anchored: boolean) {
    this.#expression = expression;
    this.#effort = effort;
    this.#anchored = anchored;
  }

  /** Upper bound on the steps of `test` for a text of this length. */
  stepsFor(length: number): number {
    const { fixed, perCharacter } = this.#effort;
    return this.#anchored ? fixed + perCharacter * length : fixed * (length + 1);
  }

  test(text: string): boolean {
    return this.#expression.test(text);
  }
}

/** Larger patterns gain nothing, and JavaScript rejects very large ones. */
const MAX_SIZE = 1000;

/** Undefined for a pattern that requires RE2. */
export function nativeMatcher(pattern: Syntax): NativeMatcher | undefined {
  if (pattern.size > MAX_SIZE) return undefined;
  const afterStart = withoutTextStart(pattern);
  const anchored = afterStart !== undefined;
  const body = withoutIdleRepeats(afterStart ?? pattern, anchored);
  const effort = effortOf(body, NOTHING_MORE);
  if (effort === undefined || (!anchored && effort.perCharacter > 0)) return undefined;
  const flags = isAscii(body) ? '' : 'u';
  const source = write(body, flags);
  return new NativeMatcher(new RegExp(anchored ? `^(?:${source})` : source, flags), effort, anchored);
}

/** Steps from one start position: `fixed` plus `perCharacter` times the length of the text. */
interface Effort {
  readonly fixed: number;
  readonly perCharacter: number;
  readonly first: CodePointRanges;
  /** Steps until a wrong first character is detected. */
  readonly firstTests: number;
  readonly repeats: boolean;
}

const NOTHING_MORE: Effort = { fixed: 1, perCharacter: 0, first: [], firstTests: 1, repeats: false };

/** Effort of `syntax` followed by the pattern of `rest`. */
function effortOf(syntax: Syntax, rest: Effort): Effort | undefined {
  switch (syntax.kind) {
    case 'empty':
      return rest;
    case 'character':
      if (syntax.ranges === undefined || syntax.ranges.length === 0) return undefined;
      return { ...rest, fixed: rest.fixed + 1, first: syntax.ranges, firstTests: 1 };
    case 'assertion':
      return syntax.at === 'text-end' && rest === NOTHING_MORE ? { ...rest, fixed: 2 } : undefined;
    case 'group':
      return effortOf(syntax.body, rest);
    case 'sequence':
      return syntax.parts.reduceRight<Effort | undefined>(
        (following, part) => following && effortOf(part, following),
        rest,
      );
    case 'choice':
      return eitherOf(syntax.options.map((option) => effortOf(option, rest)));
    case 'repeat':
      return effortOfRepeat(syntax, rest);
  }
}

function eitherOf(options: readonly (Effort | undefined)[]): Effort | undefined {
  let either: Effort | undefined;
  for (const option of options) {
    if (option === undefined) return undefined;
    either = either === undefined ? option : combine(either, option);
  }
  return either;
}

/** If both options can start with the same character, both may be tried completely. */
function combine(one: Effort, other: Effort): Effort {
  const both = intersects(one.first, other.first);
  const total = (a: number, b: number): number => (both ? a + b : Math.max(a, b));
  const firstTests = one.firstTests + other.firstTests;
  return {
    fixed: total(one.fixed, other.fixed) + firstTests,
    perCharacter: total(one.perCharacter, other.perCharacter),
    first: union(one.first, other.first),
    firstTests,
    repeats: one.repeats || other.repeats,
  };
}

function effortOfRepeat({ body, min, max }: Syntax & { kind: 'repeat' }, rest: Effort): Effort | undefined {
  if (max === 0) return rest;
  if (max === 1) return min === 1 ? effortOf(body, rest) : eitherOf([effortOf(body, rest), rest]);
  const inner = body.kind === 'group' ? body.body : body;
  if (inner.kind !== 'character' || inner.ranges === undefined || inner.ranges.length === 0) return undefined;
  const first = min > 0 ? inner.ranges : union(inner.ranges, rest.first);
  const firstTests = min > 0 ? 1 : 1 + rest.firstTests;
  if (min === max) return { ...rest, fixed: rest.fixed + max, first, firstTests };
  const givesBack = intersects(inner.ranges, rest.first);
  if (givesBack && rest.repeats) return undefined;
  const perPosition = 1 + (givesBack ? rest.fixed : rest.firstTests);
  if (max === Number.POSITIVE_INFINITY) {
    const perCharacter = rest.perCharacter + perPosition;
    return { fixed: rest.fixed + 1, perCharacter, first, firstTests, repeats: true };
  }
  return { ...rest, fixed: rest.fixed + max * perPosition, first, firstTests, repeats: true };
}

/** The pattern after its leading `^`; undefined if it has none. */
function withoutTextStart(syntax: Syntax): Syntax | undefined {
  switch (syntax.kind) {
    case 'assertion':
      return syntax.at === 'text-start' ? emptySyntax() : undefined;
    case 'group':
      return withoutTextStart(syntax.body);
    case 'sequence': {
      const first = withoutTextStart(syntax.parts[0] as Syntax);
      return first && { ...syntax, parts: [first, ...syntax.parts.slice(1)] };
    }
    case 'choice': {
      const options: Syntax[] = [];
      for (const option of syntax.options) {
        const rest = withoutTextStart(option);
        if (rest === undefined) return undefined;
        options.push(rest);
      }
      return { ...syntax, options };
    }
    default:
      return undefined;
  }
}

/** A repetition at the end, or at the start of an unanchored pattern, matters only up to its minimum. */
function withoutIdleRepeats(syntax: Syntax, anchored: boolean): Syntax {
  if (syntax.kind !== 'sequence') return atMinimum(syntax);
  const parts = [...syntax.parts];
  while (isIdle(parts.at(-1))) parts.pop();
  while (!anchored && isIdle(parts[0])) parts.shift();
  const last = parts.length - 1;
  return {
    ...syntax,
    parts: parts.map((part, index) => (index === last || (index === 0 && !anchored) ? atMinimum(part) : part)),
  };
}

function isIdle(part: Syntax | undefined): boolean {
  return part?.kind === 'repeat' && part.min === 0;
}

function atMinimum(part: Syntax): Syntax {
  return part.kind === 'repeat' ? { ...part, max: part.min } : part;
}

function isAscii(syntax: Syntax): boolean {
  switch (syntax.kind) {
    case 'character':
      return (syntax.ranges?.at(-1) ?? 0) < 0x80;
    case 'group':
    case 'repeat':
      return isAscii(syntax.body);
    case 'sequence':
      return syntax.parts.every(isAscii);
    case 'choice':
      return syntax.options.every(isAscii);
    default:
      return true;
  }
}

function write(syntax: Syntax, flags: '' | 'u'): string {
  switch (syntax.kind) {
    case 'empty':
      return '';
    case 'assertion':
      return '$';
    case 'character':
      return writeCharacter(syntax.ranges ?? [], flags);
    case 'group':
      return `(?:${write(syntax.body, flags)})`;
    case 'sequence':
      return syntax.parts.map((part) => writePart(part, flags)).join('');
    case 'choice':
      return syntax.options.map((option) => write(option, flags)).join('|');
    case 'repeat': {
      const max = syntax.max === Number.POSITIVE_INFINITY ? '' : syntax.max;
      return `(?:${write(syntax.body, flags)}){${syntax.min},${max}}`;
    }
  }
}

function writePart(part: Syntax, flags: '' | 'u'): string {
  return part.kind === 'choice' ? `(?:${write(part, flags)})` : write(part, flags);
}

function writeCharacter(ranges: CodePointRanges, flags: '' | 'u'): string {
  let set = '';
  for (let index = 0; index < ranges.length; index += 2) {
    set += `${escaped(ranges[index] as number, flags)}-${escaped(ranges[index + 1] as number, flags)}`;
  }
  return `[${set}]`;
}

function escaped(codePoint: number, flags: '' | 'u'): string {
  const digits = codePoint.toString(16);
  return flags === 'u' ? `\\u{${digits}}` : `\\x${digits.padStart(2, '0')}`;
}

function intersects(one: CodePointRanges, other: CodePointRanges): boolean {
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    if ((one[i + 1] as number) < (other[j] as number)) i += 2;
    else if ((other[j + 1] as number) < (one[i] as number)) j += 2;
    else return true;
  }
  return false;
}

function union(one: CodePointRanges, other: CodePointRanges): CodePointRanges {
  if (one.length === 0) return other;
  return other.length === 0 ? one : normalizeRanges([...pairsOf(one), ...pairsOf(other)]);
}

function* pairsOf(ranges: CodePointRanges): Iterable<readonly [number, number]> {
  for (let index = 0; index < ranges.length; index += 2) {
    yield [ranges[index] as number, ranges[index + 1] as number];
  }
}
