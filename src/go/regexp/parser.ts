// Parses patterns with the grammar and the errors of Go's `regexp/syntax`.
import { ClassParser } from './class-parser.ts';
import { PatternReader } from './pattern-reader.ts';
import { type RegexError, TOO_LARGE } from './regex-error.ts';
import {
  ANY_CHARACTER,
  type Assertion,
  assertionSyntax,
  characterSyntax,
  choiceSyntax,
  groupSyntax,
  NO_NEWLINE,
  repeatSyntax,
  repeatsAtMost,
  type Syntax,
  sequenceSyntax,
} from './syntax.ts';

const MAX_HEIGHT = 1000;
const MAX_SIZE = 3_355_443;
const MAX_REPEAT = 1000;
/** A limit of Preadmit, unlike the limits above. */
const MAX_OPEN_GROUPS = 1500;

export interface ParsedPattern {
  readonly syntax: Syntax;
  /** The same expression without capture names and with `\p` written as ranges, so that only Go's Unicode tables apply. */
  readonly expanded: string;
  /** Names of the capturing groups by their number; empty for a group without a name, and for the whole match at 0. Go `SubexpNames`. */
  readonly groupNames: readonly string[];
}

const ASSERTION_ESCAPES: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'text-start'],
  ['z', 'text-end'],
  ['b', 'word-boundary'],
  ['B', 'no-word-boundary'],
]);

interface Flags {
  readonly fold: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** An open group or the whole pattern: its complete alternatives, and the parts of the current one. */
interface Frame {
  readonly capturing: boolean;
  readonly flagsBefore: Flags;
  readonly options: Syntax[];
  parts: Syntax[];
}

export function parsePattern(pattern: string): ParsedPattern | RegexError {
  return new PatternParser(pattern).parse();
}

class PatternParser {
  readonly #reader: PatternReader;
  readonly #classes: ClassParser;
  readonly #outer: Frame[] = [];
  readonly #groupNames: string[] = [''];
  #flags: Flags = { fold: false, multiline: false, dotAll: false };
  #frame: Frame;

  constructor(pattern: string) {
    this.#reader = new PatternReader(pattern);
    this.#classes = new ClassParser(this.#reader);
    this.#frame = this.#newFrame(false);
  }

  parse(): ParsedPattern | RegexError {
    const reader = this.#reader;
    let lastRepeat: number | undefined;
    while (!reader.atEnd) {
      const start = reader.position;
      lastRepeat = this.#takeNext(lastRepeat) ? start : undefined;
    }
    const syntax = this.#finishFrame();
    if (this.#outer.length > 0) reader.fail('missing closing )', reader.text);
    return reader.error ?? { syntax, expanded: reader.expanded(), groupNames: this.#groupNames };
  }

  /** True after a repetition operator; two consecutive ones are an error. */
  #takeNext(lastRepeat: number | undefined): boolean {
    const reader = this.#reader;
    const start = reader.position;
    switch (reader.text.charAt(start)) {
      case '(':
        this.#openGroup();
        return false;
      case ')':
        this.#closeGroup();
        return false;
      case '|':
        reader.position++;
        this.#finishOption();
        return false;
      case '^':
        this.#takeAssertion(1, this.#flags.multiline ? 'line-start' : 'text-start');
        return false;
      case '$':
        this.#takeAssertion(1, this.#flags.multiline ? 'line-end' : 'text-end');
        return false;
      case '.':
        reader.position++;
        this.#push(characterSyntax(this.#flags.dotAll ? ANY_CHARACTER : NO_NEWLINE));
        return false;
      case '[':
        this.#push(characterSyntax(this.#classes.takeBracketed(this.#flags.fold)));
        return false;
      case '*':
        return this.#takeRepeat(1, 0, Number.POSITIVE_INFINITY, false, lastRepeat);
      case '+':
        return this.#takeRepeat(1, 1, Number.POSITIVE_INFINITY, false, lastRepeat);
      case '?':
        return this.#takeRepeat(1, 0, 1, false, lastRepeat);
      case '{':
        return this.#takeCountedRepeat(lastRepeat);
      case '\\':
        this.#takeBackslash();
        return false;
      default:
        this.#pushLiteral(reader.take().codePointAt(0) as number);
        return false;
    }
  }

  #takeAssertion(length: number, at: Assertion): void {
    this.#reader.position += length;
    this.#push(assertionSyntax(at));
  }

  #takeBackslash(): void {
    const reader = this.#reader;
    const start = reader.position;
    const letter = reader.text.charAt(start + 1);
    const assertion = ASSERTION_ESCAPES.get(letter);
    if (assertion !== undefined) {
      this.#takeAssertion(2, assertion);
      return;
    }
    if (letter === 'Q') {
      this.#takeQuoted();
      return;
    }
    if (letter === 'C') reader.fail('invalid escape sequence', '\\C');
    const ranges = this.#classes.takeEscaped(this.#flags.fold, false);
    if (ranges !== undefined) {
      this.#push(characterSyntax(this.#flags.fold ? undefined : ranges));
      return;
    }
    if (reader.atEnd) return;
    const character = reader.takeEscape();
    if (character !== undefined) this.#pushLiteral(character);
  }

  /** `\Q…\E`; without `\E`, the whole rest is literal. */
  #takeQuoted(): void {
    const reader = this.#reader;
    reader.position += 2;
    const end = reader.text.indexOf('\\E', reader.position);
    const literalEnd = end < 0 ? reader.text.length : end;
    while (reader.position < literalEnd) this.#pushLiteral(reader.take().codePointAt(0) as number);
    if (end >= 0 && reader.error === undefined) reader.position = end + 2;
  }

  #takeCountedRepeat(lastRepeat: number | undefined): boolean {
    const reader = this.#reader;
    const counts = /\{(0|[1-9][0-9]*)(,)?(0|[1-9][0-9]*)?\}/y;
    counts.lastIndex = reader.position;
    const [token, low, comma, high] = counts.exec(reader.text) ?? [];
    if (token === undefined || low === undefined || (comma === undefined && high !== undefined)) {
      reader.position++;
      this.#pushLiteral(0x7b);
      return false;
    }
    const min = Number(low);
    const max = high !== undefined ? Number(high) : comma === undefined ? min : Number.POSITIVE_INFINITY;
    const tooLarge = min > MAX_REPEAT || (max > MAX_REPEAT && max !== Number.POSITIVE_INFINITY);
    if (tooLarge || min > max) {
      reader.fail('invalid repeat count', token);
      return false;
    }
    return this.#takeRepeat(token.length, min, max, true, lastRepeat);
  }

  #takeRepeat(length: number, min: number, max: number, counted: boolean, lastRepeat: number | undefined): boolean {
    const reader = this.#reader;
    const start = reader.position;
    reader.position += length;
    if (reader.looksAt('?')) reader.position++;
    if (lastRepeat !== undefined) {
      reader.fail('invalid nested repetition operator', reader.since(lastRepeat));
      return false;
    }
    const body = this.#frame.parts.pop();
    if (body === undefined) {
      reader.fail('missing argument to repetition operator', reader.since(start));
      return false;
    }
    const repeat = repeatSyntax(body, min, max, counted);
    const written = reader.since(start);
    this.#push(repeat);
    if (counted && (min >= 2 || max >= 2) && !repeatsAtMost(repeat, MAX_REPEAT)) {
      reader.fail('invalid repeat count', written);
    }
    return true;
  }

  #openGroup(): void {
    const reader = this.#reader;
    const start = reader.position;
    if (!reader.looksAt('(?')) {
      reader.position++;
      this.#enterGroup('');
    } else if (this.#startsNamedGroup()) {
      const end = reader.text.indexOf('>', start);
      const written = end < 0 ? reader.text.slice(start) : reader.text.slice(start, end + 1);
      if (!/^\(\?P?<[A-Za-z0-9_]+>$/.test(written)) {
        reader.fail('invalid named capture', written);
        return;
      }
      reader.position = end + 1;
      reader.replaceSince(start, '(');
      this.#enterGroup(written.slice(written.indexOf('<') + 1, -1));
    } else {
      this.#takeFlags();
    }
  }

  #startsNamedGroup(): boolean {
    const reader = this.#reader;
    const rest = reader.text.length - reader.position;
    return (reader.looksAt('(?P<') && rest > 4) || (reader.looksAt('(?<') && rest > 3);
  }

  /** `(?i)`, `(?s-m:`, `(?:`. */
  #takeFlags(): void {
    const reader = this.#reader;
    const start = reader.position;
    const flags = { ...this.#flags };
    let negative = false;
    let named = false;
    reader.position += 2;
    while (!reader.atEnd) {
      const character = reader.take();
      if (character === 'i') flags.fold = !negative;
      else if (character === 'm') flags.multiline = !negative;
      else if (character === 's') flags.dotAll = !negative;
      else if (character === '-' && !negative) negative = true;
      else if ((character === ':' || character === ')') && (named || !negative)) {
        if (character === ':') this.#enter(false);
        this.#flags = flags;
        return;
      } else if (character !== 'U') break;
      named = character !== '-';
    }
    reader.fail('invalid or unsupported Perl syntax', reader.since(start));
  }

  #closeGroup(): void {
    const reader = this.#reader;
    const closed = this.#frame;
    const body = this.#finishFrame();
    const outer = this.#outer.pop();
    if (outer === undefined) {
      reader.fail('unexpected )', reader.text);
      return;
    }
    reader.position++;
    this.#frame = outer;
    this.#flags = closed.flagsBefore;
    this.#push(closed.capturing ? groupSyntax(body) : body);
  }

  #enterGroup(name: string): void {
    this.#groupNames.push(name);
    this.#enter(true);
  }

  #enter(capturing: boolean): void {
    if (this.#outer.length >= MAX_OPEN_GROUPS) this.#reader.giveUp(TOO_LARGE);
    this.#outer.push(this.#frame);
    this.#frame = this.#newFrame(capturing);
  }

  #newFrame(capturing: boolean): Frame {
    return { capturing, flagsBefore: this.#flags, options: [], parts: [] };
  }

  #finishOption(): void {
    const option = sequenceSyntax(this.#frame.parts);
    this.#frame.options.push(option);
    this.#frame.parts = [];
    this.#checkLimits(option);
  }

  #finishFrame(): Syntax {
    this.#finishOption();
    const choice = choiceSyntax(this.#frame.options);
    this.#checkLimits(choice);
    return choice;
  }

  #pushLiteral(codePoint: number): void {
    this.#push(characterSyntax(this.#flags.fold ? undefined : [codePoint, codePoint]));
  }

  #push(syntax: Syntax): void {
    this.#frame.parts.push(syntax);
    this.#checkLimits(syntax);
  }

  #checkLimits(syntax: Syntax): void {
    const reader = this.#reader;
    if (syntax.size > MAX_SIZE) reader.fail('expression too large', reader.text);
    if (syntax.height > MAX_HEIGHT) reader.fail('expression nests too deeply', reader.text);
  }
}
