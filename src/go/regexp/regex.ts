// Regular expressions with Go's (RE2) syntax, semantics and error texts.
import { MeteredText } from './metered-text.ts';
import { type NativeMatcher, nativeMatcher } from './native.ts';
import { parsePattern } from './parser.ts';
import { compileRe2, type Re2 } from './re2.ts';
import { type RegexError, TOO_LARGE } from './regex-error.ts';

/**
 * A compiled pattern. A search that exceeds the work limit throws `WorkExceeded`. The API server has no such limit, so
 * the result is unknown.
 */
export interface Regex {
  readonly pattern: string;
  /** Number of capturing groups; Go `regexp.NumSubexp`. */
  readonly groupCount: number;
  /** Unanchored, like Go `regexp.MatchString`. */
  matches(text: string): boolean;
  /** The leftmost-first match, undefined if there is none; Go `regexp.FindString`. */
  find(text: string): string | undefined;
  /** At most `limit` successive matches, all if negative; Go `regexp.FindAllString`. */
  findAll(text: string, limit: number): string[];
  /** Replaces every match by the result of `replacement`; Go `regexp.ReplaceAllStringFunc`, with access to groups. */
  replaceAll(text: string, replacement: (match: RegexMatch) => string): string;
}

export interface RegexMatch {
  /**
   * A group by number or name; 0 is the whole match. Undefined if there is no such group or it did not participate. Of several groups with
   * the same name, the first that participated.
   */
  group(name: number | string): string | undefined;
}

/** Far above real patterns. A pattern of this size needs about ten megabytes and 200 ms. */
const MAX_INSTRUCTIONS = 100_000;

/** Work below which a search is not metered. */
const UNWATCHED_WORK = 2 ** 24;
/** JavaScript's backtracking stack is limited as well. */
const MAX_NATIVE_LENGTH = 2 ** 20;

/** `maxWork` limits a search, in instructions times characters read; the default takes up to ten seconds. */
export function compileRegex(pattern: string, maxWork = 2 ** 31): Regex | RegexError {
  const parsed = parsePattern(pattern);
  if ('error' in parsed) return parsed;
  const { syntax, expanded, groupNames } = parsed;
  if (syntax.size > MAX_INSTRUCTIONS) return TOO_LARGE;
  const native = nativeMatcher(syntax);
  if (native !== undefined) return new CompiledRegex(pattern, expanded, groupNames, native, maxWork);
  const re2 = compileRe2(expanded);
  return 'error' in re2 ? re2 : new CompiledRegex(pattern, re2, groupNames, undefined, maxWork);
}

class CompiledRegex implements Regex {
  readonly pattern: string;
  /** If there is a native matcher: the pattern until it is compiled on first use. */
  #re2: Re2 | string;
  readonly #groupNames: readonly string[];
  readonly #native: NativeMatcher | undefined;
  readonly #maxWork: number;

  constructor(
    pattern: string,
    re2: Re2 | string,
    groupNames: readonly string[],
    native: NativeMatcher | undefined,
    maxWork: number,
  ) {
    this.pattern = pattern;
    this.#re2 = re2;
    this.#groupNames = groupNames;
    this.#native = native;
    this.#maxWork = maxWork;
  }

  get #engine(): Re2 {
    if (typeof this.#re2 !== 'string') return this.#re2;
    const re2 = compileRe2(this.#re2);
    if ('error' in re2) throw new Error(`\`${this.pattern}\`: ${re2.error}`);
    this.#re2 = re2;
    return re2;
  }

  get groupCount(): number {
    return this.#groupNames.length - 1;
  }

  matches(text: string): boolean {
    const native = this.#native;
    if (native !== undefined && text.length <= MAX_NATIVE_LENGTH && native.stepsFor(text.length) <= UNWATCHED_WORK) {
      return native.test(text);
    }
    return this.#engine.test(this.#watched(text, text.length));
  }

  find(text: string): string | undefined {
    const matcher = this.#engine.matcher(this.#watched(text, text.length));
    return matcher.find() ? text.slice(matcher.start(), matcher.end()) : undefined;
  }

  findAll(text: string, limit: number): string[] {
    const found: string[] = [];
    // Each match may read all the text after it.
    const matcher = this.#engine.matcher(this.#watched(text, text.length ** 2));
    let position = 0;
    let previousEnd = -1;
    while (found.length !== limit && position <= text.length && matcher.find(position)) {
      const start = matcher.start();
      const end = matcher.end();
      // Skip an empty match at the end of the previous match.
      if (end > position || start !== previousEnd) found.push(text.slice(start, end));
      position = end > position ? end : position + codePointLength(text, position);
      previousEnd = end;
    }
    return found;
  }

  replaceAll(text: string, replacement: (match: RegexMatch) => string): string {
    const names = this.#groupNames;
    const matcher = this.#engine.matcher(this.#watched(text, text.length ** 2));
    const numbered = (index: number): string | undefined => {
      if (index >= names.length) return undefined;
      const start = matcher.start(index);
      return start < 0 ? undefined : text.slice(start, matcher.end(index));
    };
    const group = (name: number | string): string | undefined => {
      if (typeof name === 'number') return numbered(name);
      for (const [index, each] of names.entries()) {
        const found = each === name && index > 0 ? numbered(index) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    };
    let replaced = '';
    let previousEnd = 0;
    let position = 0;
    while (position <= text.length && matcher.find(position)) {
      const start = matcher.start();
      const end = matcher.end();
      replaced += text.slice(previousEnd, start);
      // Skip an empty match directly after another match.
      if (end > previousEnd || start === 0) replaced += replacement({ group });
      previousEnd = end;
      position = end > position ? end : position + codePointLength(text, position);
    }
    return replaced + text.slice(previousEnd);
  }

  /** Meters the text if running the program `steps` times could take long. */
  #watched(text: string, steps: number): string {
    const instructions = this.#engine.programSize();
    if (steps * instructions <= UNWATCHED_WORK) return text;
    const metered: unknown = new MeteredText(text, instructions, this.#maxWork);
    return metered as string;
  }
}

function codePointLength(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}
