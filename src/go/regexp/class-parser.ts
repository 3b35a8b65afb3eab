// Reads what stands for one of several characters: `[a-z]`, `\d`, `\p{Greek}`.
import { type CodePointRanges, complement, propertyName, propertyRanges } from '../unicode/unicode.ts';
import { perlClass, posixClass } from './classes.ts';
import type { PatternReader } from './pattern-reader.ts';
import { TOO_LARGE } from './regex-error.ts';
import { normalizeRanges } from './syntax.ts';

export class ClassParser {
  readonly #reader: PatternReader;
  /** No `[:name:]` can end after this. */
  readonly #lastNameEnd: number;
  /** Ranges written for `\p`, and characters that will have to be folded one by one: work that the length does not show. */
  #hiddenWork = 0;
  readonly #properties = new Map<string, CodePointRanges>();

  constructor(reader: PatternReader) {
    this.#reader = reader;
    this.#lastNameEnd = reader.text.lastIndexOf(':]');
  }

  /** A bracket expression; the reader is at the `[`. Undefined after a failure and where folding decides. */
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
        // Also after any other failure, which then stays the one reported.
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

  /** `\d`, `\pL` and their like; undefined, with nothing read, if there is none. */
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

  /** `[:name:]` within brackets. */
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
    // In [a-] the hyphen stands for itself.
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
    // Written out, so that no other reader takes `[:` for the start of a name.
    if (character === '[') reader.replaceSince(start, '\\[');
    return character.codePointAt(0);
  }
}

const MAX_HIDDEN_WORK = 500_000;
/** Go `regexp/syntax`: a range from before the first to behind the last character with a case is not folded. */
const MIN_FOLD = 0x41;
const MAX_FOLD = 0x1e943;
const INVALID_RANGE = 'invalid character class range';
/** The inside of a bracket expression that matches no character. */
const NOTHING = '^\\x{0}-\\x{10FFFF}';

function writeRanges(ranges: CodePointRanges): string {
  let text = '';
  for (let i = 0; i < ranges.length; i += 2) {
    text += `\\x{${(ranges[i] as number).toString(16)}}-\\x{${(ranges[i + 1] as number).toString(16)}}`;
  }
  return text;
}
