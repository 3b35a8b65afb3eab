// Path patterns of CODEOWNERS. Matching takes at most pattern times path steps, because a pull request may write the patterns.

/** Counts steps, so that a caller can stop. */
export interface MatchWork {
  steps: number;
}

/** `?`. */
const ANY: unique symbol = Symbol('?');
/** `*`. */
const SOME: unique symbol = Symbol('*');

/** A string is one character. */
type Part = string | typeof ANY | typeof SOME | CharacterSet;

interface CharacterSet {
  readonly isNegated: boolean;
  /** Pairs of first and last character. */
  readonly ranges: readonly (readonly [string, string])[];
}

/** A path segment: a plain text, or its parts. */
type Segment = string | readonly Part[];
/** Zero or more segments. */
const DEEP: unique symbol = Symbol('**');

export interface OwnerPattern {
  readonly segments: readonly (Segment | typeof DEEP)[];
}

/** Longer than any path that Git tools support. */
const MAX_LENGTH = 4096;

export type CompiledPattern = { readonly pattern: OwnerPattern } | { readonly problem: string };

/**
 * The patterns of gitignore with GitHub's exceptions: no `!`, no `[ ]`, no `\#`, and `dir/*` matches only files directly in `dir`. A
 * pattern that ends with a name matches files with this name and everything in folders with this name.
 */
export function githubPattern(text: string): CompiledPattern {
  if (text.length > MAX_LENGTH) return { problem: 'the pattern is too long' };
  if (text.startsWith('!')) return { problem: 'GitHub does not support `!`' };
  if (/[[\]]/.test(text)) return { problem: 'GitHub does not support `[ ]`' };
  if (text.startsWith('\\#')) return { problem: 'GitHub does not support `\\#`' };
  if (text.includes('***')) return { problem: 'the pattern has three asterisks in a row' };
  const isInside = text.endsWith('/');
  const names = text.split('/').filter((part) => part !== '');
  const last = names.at(-1);
  if (last === undefined) return { problem: 'the pattern matches no file' };
  // Without `/` at the start or in the middle, the pattern matches at any depth.
  const segments: (Segment | typeof DEEP)[] = text.slice(0, -1).includes('/') ? [] : [DEEP];
  for (const name of names) segments.push(deepOr(name === '**', name, false));
  if (isInside && last !== '**') segments.push(DEEP);
  if (isInside || last === '**') segments.push([ANY, SOME]);
  else if (last !== '*' || names.length === 1) segments.push(DEEP);
  return { pattern: { segments } };
}

/** The patterns of GitLab: `File.fnmatch` with `FNM_DOTMATCH` and `FNM_PATHNAME`; without `/` at the start, at any depth. */
export function gitlabPattern(text: string): CompiledPattern {
  if (text.length > MAX_LENGTH) return { problem: 'the pattern is too long' };
  if (text === '*') return { pattern: { segments: [DEEP, [ANY, SOME]] } };
  const names = text.replace(/^\\#/, '#').split('/');
  const segments: (Segment | typeof DEEP)[] = text.startsWith('/') ? [] : [DEEP];
  const isInside = names.at(-1) === '';
  const written = names.filter((name) => name !== '');
  for (const [index, name] of written.entries()) {
    // `**` recurses only before a `/`; at the end it is an ordinary `*`.
    const isLast = index === written.length - 1 && !isInside;
    segments.push(deepOr(name === '**' && !isLast, name, true));
  }
  if (isInside) segments.push(DEEP, [ANY, SOME]);
  return segments.length === 0 ? { problem: 'the pattern matches no file' } : { pattern: { segments } };
}

function deepOr(isDeep: boolean, name: string, hasSets: boolean): Segment | typeof DEEP {
  return isDeep ? DEEP : segmentOf(name, hasSets);
}

function segmentOf(text: string, hasSets: boolean): Segment {
  const chars = [...text];
  const parts: Part[] = [];
  for (let index = 0; index < chars.length; index++) {
    const char = chars[index] as string;
    const set = hasSets && char === '[' ? characterSet(chars, index) : undefined;
    if (char === '\\' && index + 1 < chars.length) {
      index += 1;
      parts.push(chars[index] as string);
    } else if (set !== undefined) {
      parts.push(set.set);
      index = set.end;
    } else if (char === '?') parts.push(ANY);
    else if (char !== '*') parts.push(char);
    else if (parts.at(-1) !== SOME) parts.push(SOME);
  }
  return plainText(parts) ?? parts;
}

function plainText(parts: readonly Part[]): string | undefined {
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

/** `end`: index of the closing bracket. Undefined: the bracket is an ordinary character. */
function characterSet(
  chars: readonly string[],
  start: number,
): { readonly set: CharacterSet; readonly end: number } | undefined {
  const isNegated = chars[start + 1] === '!' || chars[start + 1] === '^';
  const ranges: [string, string][] = [];
  for (let index = start + (isNegated ? 2 : 1); index < chars.length; index++) {
    if (chars[index] === ']' && ranges.length > 0) return { set: { isNegated, ranges }, end: index };
    if (chars[index] === '\\') index += 1;
    const first = chars[index] ?? '';
    const last = chars[index + 1] === '-' && chars[index + 2] !== ']' ? chars[index + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) index += 2;
  }
  return undefined;
}

/** `path`: the segments of a path. Case matters. */
export function matchesPattern({ segments }: OwnerPattern, path: readonly string[], work: MatchWork): boolean {
  return matchesGlob(
    segments,
    path,
    (segment) => segment === DEEP,
    (segment, name) => segment !== DEEP && matchesSegment(segment, name, work),
    work,
  );
}

function matchesSegment(segment: Segment, name: string, work: MatchWork): boolean {
  if (typeof segment === 'string') return segment === name;
  return matchesGlob(segment, [...name], (part) => part === SOME, isOneCharacter, work);
}

function isOneCharacter(part: Part, char: string): boolean {
  if (part === ANY) return true;
  if (typeof part !== 'object') return part === char;
  return part.ranges.some(([first, last]) => first <= char && char <= last) !== part.isNegated;
}

/** Returns to the last wildcard only, which is enough because it may take anything. */
function matchesGlob<Wanted, Given>(
  wanted: readonly Wanted[],
  given: readonly Given[],
  isMany: (wanted: Wanted) => boolean,
  isOne: (wanted: Wanted, given: Given) => boolean,
  work: MatchWork,
): boolean {
  let [at, from] = [0, 0];
  let [manyAt, manyFrom] = [-1, 0];
  while (from < given.length) {
    work.steps += 1;
    const next = wanted[at];
    if (at < wanted.length && isMany(next as Wanted)) {
      [manyAt, manyFrom] = [at, from];
      at += 1;
    } else if (at < wanted.length && isOne(next as Wanted, given[from] as Given)) {
      at += 1;
      from += 1;
    } else if (manyAt >= 0) {
      manyFrom += 1;
      from = manyFrom;
      at = manyAt + 1;
    } else return false;
  }
  while (at < wanted.length && isMany(wanted[at] as Wanted)) at += 1;
  return at === wanted.length;
}

/** Key of the pattern in the index: all paths that it matches contain the key. */
export type RequiredText =
  | { readonly by: 'folder' | 'name' | 'ending'; readonly text: string }
  | { readonly by: 'nothing' };

export function requiredText({ segments }: OwnerPattern): RequiredText {
  const plain: string[] = [];
  for (const segment of segments) {
    if (typeof segment !== 'string') break;
    plain.push(segment);
  }
  if (plain.length > 0) return { by: 'folder', text: plain.join('/') };
  for (const segment of segments) {
    if (typeof segment === 'string') return { by: 'name', text: segment };
    if (segment === DEEP) continue;
    const ending = endingOf(segment);
    if (ending !== undefined) return { by: 'ending', text: ending };
  }
  return { by: 'nothing' };
}

/** `.yaml` for `*.yaml`: the part from the last dot, if it is plain. */
function endingOf(segment: readonly Part[]): string | undefined {
  const dot = segment.lastIndexOf('.');
  return dot < 0 ? undefined : plainText(segment.slice(dot));
}
