// The tree of a regular expression, as needed for limits and for the choice of the engine.
import { type CodePointRanges, complement, MAX_CODE_POINT } from '../unicode/unicode.ts';

/**
 * `size` is an upper bound on the number of compiled instructions, and `height` is the height of the tree, both as in Go's `regexp/syntax`.
 */
export type Syntax = { readonly size: number; readonly height: number } & (
  | { readonly kind: 'empty' }
  /** One character of a set; `ranges` is undefined if case folding determines the set. */
  | { readonly kind: 'character'; readonly ranges: CodePointRanges | undefined }
  | { readonly kind: 'assertion'; readonly at: Assertion }
  | { readonly kind: 'group'; readonly body: Syntax }
  /** `max` is Infinity for `*`, `+` and `{n,}`; `counted`: written with braces. */
  | {
      readonly kind: 'repeat';
      readonly body: Syntax;
      readonly min: number;
      readonly max: number;
      readonly counted: boolean;
    }
  | { readonly kind: 'sequence'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly options: readonly Syntax[] }
);

export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary';

export function emptySyntax(): Syntax {
  return { kind: 'empty', size: 1, height: 1 };
}

export function characterSyntax(ranges: CodePointRanges | undefined): Syntax {
  return { kind: 'character', ranges, size: 1, height: 1 };
}

export function assertionSyntax(at: Assertion): Syntax {
  return { kind: 'assertion', at, size: 1, height: 1 };
}

export function groupSyntax(body: Syntax): Syntax {
  return { kind: 'group', body, size: 2 + body.size, height: 1 + body.height };
}

export function repeatSyntax(body: Syntax, min: number, max: number, counted: boolean): Syntax {
  let size: number;
  if (max !== Number.POSITIVE_INFINITY && counted) size = max * body.size + (max - min);
  else if (min === 0 && max !== 1) size = 2 + body.size;
  else size = 1 + Math.max(min, 1) * body.size;
  return { kind: 'repeat', body, min, max, counted, size: Math.max(1, size), height: 1 + body.height };
}

/** Flattens nested sequences and choices (from non-capturing groups), as Go does. */
export function sequenceSyntax(written: readonly Syntax[]): Syntax {
  if (written.length === 1) return written[0] as Syntax;
  if (written.length === 0) return emptySyntax();
  const parts = written.flatMap((part) => (part.kind === 'sequence' ? part.parts : [part]));
  // Go joins characters to one literal.
  const height = parts.every(isLiteral) ? 1 : 1 + maxHeight(parts);
  return { kind: 'sequence', parts, size: sumOfSizes(parts), height };
}

export function choiceSyntax(written: readonly Syntax[]): Syntax {
  if (written.length === 1) return written[0] as Syntax;
  const options = written.flatMap((option) => (option.kind === 'choice' ? option.options : [option]));
  const size = sumOfSizes(options) + options.length - 1;
  // Go joins characters and classes to one class.
  const height = options.every(({ kind }) => kind === 'character') ? 1 : 1 + maxHeight(options);
  return { kind: 'choice', options, size, height };
}

/** Go `repeatIsValid`: nested counted repetitions make at most `limit` copies of any part. */
export function repeatsAtMost(syntax: Syntax, limit: number): boolean {
  switch (syntax.kind) {
    case 'repeat': {
      if (!syntax.counted) return repeatsAtMost(syntax.body, limit);
      if (syntax.max === 0) return true;
      const copies = syntax.max === Number.POSITIVE_INFINITY ? syntax.min : syntax.max;
      if (copies > limit) return false;
      return repeatsAtMost(syntax.body, copies > 0 ? Math.floor(limit / copies) : limit);
    }
    case 'group':
      return repeatsAtMost(syntax.body, limit);
    case 'sequence':
      return syntax.parts.every((part) => repeatsAtMost(part, limit));
    case 'choice':
      return syntax.options.every((option) => repeatsAtMost(option, limit));
    default:
      return true;
  }
}

/** Sorts ranges and joins adjacent ones. */
export function normalizeRanges(ranges: readonly (readonly [number, number])[]): CodePointRanges {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const joined: number[] = [];
  for (const [first, last] of sorted) {
    const end = joined.at(-1);
    if (end !== undefined && first <= end + 1) joined[joined.length - 1] = Math.max(end, last);
    else joined.push(first, last);
  }
  return joined;
}

export const ANY_CHARACTER: CodePointRanges = [0, MAX_CODE_POINT];
export const NO_NEWLINE: CodePointRanges = complement([0x0a, 0x0a]);

function isLiteral(syntax: Syntax): boolean {
  if (syntax.kind !== 'character') return false;
  const { ranges } = syntax;
  return ranges === undefined || (ranges.length === 2 && ranges[0] === ranges[1]);
}

function sumOfSizes(parts: readonly Syntax[]): number {
  let sum = 0;
  for (const part of parts) sum += part.size;
  return sum;
}

function maxHeight(parts: readonly Syntax[]): number {
  let height = 0;
  for (const part of parts) height = Math.max(height, part.height);
  return height;
}
