// Parses character classes: `[a-z]`, `\d`, `\p{Greek}`.
import { type CodePointRanges, complement, propertyName, propertyRanges } from '../unicode/unicode.ts';
import { perlClass, posixClass } from './classes.ts';
import type { PatternReader } from './pattern-reader.ts';
import { TOO_LARGE } from './regex-error.ts';
import { normalizeRanges } from './syntax.ts';

export class ClassParser {
  readonly #reader: PatternReader;
  /** End of the last `:]`; no `[:name:]` can end later. */
  readonly #lastNameEnd: number;
  /** Number of ranges written for `\p` and of characters to fold one by one. This work is not visible in the pattern's length. */
  #hiddenWork = 0;
  readonly #properties = new Map<string, CodePointRanges>();

  constructor(reader: PatternReader) {
    this.#reader = reader;
    this.#lastNameEnd = reader.text.lastIndexOf(':]');
  }

  /** Parses a bracket expression; the reader must be at the `[`. Undefined after a failure, or if case folding determines the class. */
  takeBracketed(fold: boolean): CodePointRanges | undefined {
    const reader = this.#reader;
    const start = reader.position;
    reader.position++;
    const negated = reader.looksAt('^');
    if (negated) reader.position++;
    const items: (readonly [number, number])[] = [];
    let first = true;
    while (first || !reader.looksAt(']')) {
      first = false;
      if (reader.atEnd) {
        // If another failure occurred before, that one stays the reported error.
        return reader.fail('missing closing ]', reader.text.slice(start));
      }
      const named = this.#takePosix() ?? this.takeEscaped(fold, true);
      if (named !== undefined) {
        for (let i = 0; i < named.length; i += 2) items.push([named[i] as number, named[i + 1] as number]);
      } else {
        const range = this.#takeRange(start);
        if (range === undefined) return undefined;
        items.push(range);
        if (fold) this.#spend(range[0] <= MIN_FOLD && range[1] >= MAX_FOLD ? 0 : range[1] - range[0]);
      }
    }
    reader.position++;
    if (fold) return undefined;
    const ranges = normalizeRanges(items);
    return negated ? complement(ranges) : ranges;
  }

  /** Parses `\d`, `\pL` and similar classes. Undefined, without consuming text, if there is none. */
  takeEscaped(fold: boolean, bracketed: boolean): CodePointRanges | undefined {
    const reader = this.#reader;
    if (reader.looksAt('\\p') || reader.looksAt('\\P')) return this.#takeProperty(fold, bracketed);
    if (!reader.looksAt('\\')) return undefined;
    const ranges = perlClass(reader.text.charAt(reader.position + 1));
    if (ranges !== undefined) reader.position += 2;
    return ranges;
  }

  #takeProperty(fold: boolean, bracketed: boolean): CodePointRanges | undefined {
    const reader = this.#reader;
    const start = reader.position;
    let negated = reader.looksAt('\\P');
    reader.position += 2;
    let written = reader.take();
    if (written === '{') {
      const end = reader.text.indexOf('}', reader.position);
      if (end < 0) return reader.fail(INVALID_RANGE, reader.text.slice(start));
      written = reader.text.slice(reader.position, end);
      reader.position = end + 1;
    }
    if (written.startsWith('^')) {
      negated = !negated;
      written = written.slice(1);
    }
    const name = propertyName(written);
    if (name === undefined) return reader.fail(INVALID_RANGE, reader.since(start));
    const ranges = this.#rangesOf(name, negated);
    this.#spend(ranges.length);
    if (fold || (bracketed && ranges.length === 0)) {
      reader.replaceSince(start, `\\${negated ? 'P' : 'p'}{${name}}`);
    } else {
      reader.replaceSince(start, bracketed ? writeRanges(ranges) : `[${writeRanges(ranges) || NOTHING}]`);
    }
    return ranges;
  }

  #rangesOf(property: string, negated: boolean): CodePointRanges {
    const key = negated ? `^${property}` : property;
    const known = this.#properties.get(key);
    if (known !== undefined) return known;
    const ranges = negated ? complement(propertyRanges(property)) : propertyRanges(property);
    this.#properties.set(key, ranges);
    return ranges;
  }

  #spend(work: number): void {
    this.#hiddenWork += work;
    if (this.#hiddenWork > MAX_HIDDEN_WORK) this.#reader.giveUp(TOO_LARGE);
  }

  /** `[:name:]` inside brackets. */
  #takePosix(): CodePointRanges | undefined {
    const reader = this.#reader;
    if (!reader.looksAt('[:') || reader.position + 2 > this.#lastNameEnd) return undefined;
    const start = reader.position;
    const end = reader.text.indexOf(':]', start + 2);
    reader.position = end + 2;
    const ranges = posixClass(reader.text.slice(start + 2, end));
    return ranges ?? reader.fail(INVALID_RANGE, reader.since(start));
  }

  #takeRange(classStart: number): readonly [number, number] | undefined {
    const reader = this.#reader;
    const start = reader.position;
    const first = this.#takeCharacter(classStart);
    if (first === undefined) return undefined;
    // In [a-], the hyphen is a literal.
    const next = reader.text.charAt(reader.position + 1);
    if (!reader.looksAt('-') || next === ']' || next === '') return [first, first];
    reader.position++;
    const last = this.#takeCharacter(classStart);
    if (last === undefined) return undefined;
    if (last < first) return reader.fail(INVALID_RANGE, reader.since(start));
    return [first, last];
  }

  #takeCharacter(classStart: number): number | undefined {
    const reader = this.#reader;
    if (reader.atEnd) return reader.fail('missing closing ]', reader.text.slice(classStart));
    if (reader.looksAt('\\')) return reader.takeEscape();
    const start = reader.position;
    const character = reader.take();
    // Escape it in the copy, so that re2js does not read `[:` as the start of a class name.
    if (character === '[') reader.replaceSince(start, '\\[');
    return character.codePointAt(0);
  }
}

const MAX_HIDDEN_WORK = 500_000;
/** Go `regexp/syntax` does not fold a range that starts before the first and ends after the last character with case. */
const MIN_FOLD = 0x41;
const MAX_FOLD = 0x1e943;
const INVALID_RANGE = 'invalid character class range';
/** Content of a bracket expression that matches no character. */
const NOTHING = '^\\x{0}-\\x{10FFFF}';

function writeRanges(ranges: CodePointRanges): string {
  let text = '';
  for (let i = 0; i < ranges.length; i += 2) {
    text += `\\x{${(ranges[i] as number).toString(16)}}-\\x{${(ranges[i + 1] as number).toString(16)}}`;
  }
  return text;
}
