// Character properties as in Go's `unicode` package.
import { CATEGORY_ALIASES, CATEGORY_NAMES, CATEGORY_RUNS, SCRIPT_NAMES, SCRIPT_RUNS } from './tables.generated.ts';

/** First and last code points of sorted, disjoint ranges: `[65, 90, 97, 122]`. */
export type CodePointRanges = readonly number[];

export const MAX_CODE_POINT = 0x10ffff;

interface Runs {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly index: readonly number[];
}

let decoded: Runs | undefined;

/** Decoded on first use, because most texts contain only plain letters. */
function categories(): Runs {
  decoded ??= decodeRuns(CATEGORY_RUNS);
  return decoded;
}

const SPECIAL_PROPERTIES = ['Any', 'Ascii', 'Assigned', 'Cn', 'Lc'];
const PRINTABLE = CATEGORY_NAMES.map((name) => 'LMNPS'.includes(name.charAt(0)));

/** Go `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the plain space. */
export function isPrintable(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  const { first: starts, last, index } = categories();
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((last[middle] as number) < codePoint) low = middle + 1;
    else high = middle;
  }
  const first = starts[low];
  return first !== undefined && first <= codePoint && PRINTABLE[index[low] as number] === true;
}

/**
 * The property that Go's regexp finds for `\p{name}`: a category, a script, `Any`, `Ascii` or `Assigned`; undefined if
 * there is none. Like Go 1.25 and later, ignores case, spaces, hyphens and underscores in `name`, and therefore does
 * not find scripts with an underscore in their name.
 */
export function propertyName(name: string): string | undefined {
  const folded = name.replaceAll(/[_ -]/g, '').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const canonical = folded.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  if (SPECIAL_PROPERTIES.includes(canonical) || SCRIPT_NAMES.includes(canonical)) return canonical;
  if (canonical.length > 0 && CATEGORY_NAMES.some((category) => canonical === category.slice(0, canonical.length))) {
    return canonical;
  }
  return Object.hasOwn(CATEGORY_ALIASES, folded) ? CATEGORY_ALIASES[folded] : undefined;
}

/** The characters of a property; `name` must come from `propertyName`. */
export function propertyRanges(name: string): CodePointRanges {
  if (name === 'Any') return [0, MAX_CODE_POINT];
  if (name === 'Ascii') return [0, 0x7f];
  const assigned = rangesOf(categories(), () => true);
  if (name === 'Assigned') return assigned;
  if (name === 'Cn') return complement(assigned);
  // Unlike other one-letter categories, C includes characters without a run: those of Cn.
  if (name === 'C') return complement(rangesOf(categories(), (index) => !nameOf(index).startsWith('C')));
  if (name === 'Lc' || name === 'LC') return rangesOf(categories(), (index) => /^L[ltu]$/.test(nameOf(index)));
  const script = SCRIPT_NAMES.indexOf(name);
  if (script >= 0) return rangesOf(decodeRuns(SCRIPT_RUNS), (index) => index === script);
  return rangesOf(categories(), (index) => nameOf(index).startsWith(name));
}

export function complement(ranges: CodePointRanges): CodePointRanges {
  const rest: number[] = [];
  let next = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    if (next < (ranges[i] as number)) rest.push(next, (ranges[i] as number) - 1);
    next = (ranges[i + 1] as number) + 1;
  }
  if (next <= MAX_CODE_POINT) rest.push(next, MAX_CODE_POINT);
  return rest;
}

function nameOf(index: number): string {
  return CATEGORY_NAMES[index] as string;
}

function rangesOf(runs: Runs, wanted: (index: number) => boolean): CodePointRanges {
  const ranges: number[] = [];
  for (let i = 0; i < runs.first.length; i++) {
    if (!wanted(runs.index[i] as number)) continue;
    const first = runs.first[i] as number;
    const last = runs.last[i] as number;
    if (ranges.at(-1) === first - 1) ranges[ranges.length - 1] = last;
    else ranges.push(first, last);
  }
  return ranges;
}

function decodeRuns(text: string): Runs {
  const runs = { first: [] as number[], last: [] as number[], index: [] as number[] };
  let next = 0;
  for (const run of text.split(' ')) {
    const [skipped, length, index] = run.split(',').map((digits) => Number.parseInt(digits, 36)) as [
      number,
      number,
      number,
    ];
    const first = next + skipped;
    next = first + length;
    runs.first.push(first);
    runs.last.push(next - 1);
    runs.index.push(index);
  }
  return runs;
}
