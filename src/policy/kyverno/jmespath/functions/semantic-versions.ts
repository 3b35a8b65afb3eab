// Matches versions against ranges such as `>=1.2.0 <2.0.0 || 3.x` (github.com/blang/semver/v4 `range.go`).

import {
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
} from '../../../../go/semver/semantic-version.ts';
import { goQuote } from '../../../../go/strconv/quote.ts';
import { searchFailure } from '../search-error.ts';
import { type QueryFunction, textAt } from './function-table.ts';

export const VERSION_FUNCTIONS: readonly QueryFunction[] = [
  {
    name: 'semver_compare',
    parameters: [['string'], ['string']],
    handler: (values, { budget }) => {
      const version = parseSemanticVersion(textAt(values, 0));
      budget.spend(textAt(values, 1).length / 4);
      const range = parseRange(textAt(values, 1));
      // An invalid version counts as 0.0.0.
      return matchesRange('error' in version ? ZERO : version, range);
    },
  },
];

const ZERO: SemanticVersion = { major: 0n, minor: 0n, patch: 0n, prerelease: [], build: [] };

interface Bound {
  readonly version: SemanticVersion;
  readonly accepts: (order: -1 | 0 | 1) => boolean;
}

/** Alternatives; in each, all bounds must hold. */
type Range = readonly (readonly Bound[])[];

const COMPARATORS: ReadonlyMap<string, (order: -1 | 0 | 1) => boolean> = new Map([
  ['', (order) => order === 0],
  ['=', (order) => order === 0],
  ['==', (order) => order === 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['!', (order) => order !== 0],
  ['!=', (order) => order !== 0],
]);

function matchesRange(version: SemanticVersion, range: Range): boolean {
  return range.some((bounds) =>
    bounds.every((bound) => bound.accepts(compareSemanticVersions(version, bound.version))),
  );
}

/** Throws `SearchError`. */
function parseRange(text: string): Range {
  return splitAlternatives(splitParts(text))
    .map((parts) => parts.flatMap(expandWildcard))
    .map((parts) => parts.map(parseBound));
}

/** Splits at blanks, except after an operator. Upstream loses parts of one character. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let last = 0;
  let previous = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character !== ' ') previous = character;
    else if (!'><='.includes(previous) || previous === '') {
      if (last < at - 1) parts.push(text.slice(last, at));
      last = at + 1;
    }
  }
  if (last < text.length - 1) parts.push(text.slice(last));
  return parts.map((part) => part.replaceAll(' ', ''));
}

function splitAlternatives(parts: readonly string[]): readonly (readonly string[])[] {
  const alternatives: string[][] = [];
  let current: string[] = [];
  parts.forEach((part, index) => {
    if (part !== '||') {
      current.push(part);
      return;
    }
    if (index === 0) throw searchFailure("First element in range is '||'");
    alternatives.push(current);
    current = [];
  });
  if (parts.length === 0 || parts.at(-1) === '||') throw searchFailure("Last element in range is '||'");
  alternatives.push(current);
  return alternatives;
}

function splitComparator(part: string): readonly [string, string] {
  const at = part.search(/\p{Nd}/u);
  if (at < 0) throw searchFailure(`Could not get version from string: ${goQuote(part)}`);
  return [part.slice(0, at).trim(), part.slice(at)];
}

/** `>1.2.x` becomes `>=1.3.0`. `1.x` becomes `>=1.0.0` and `<2.0.0`. */
function expandWildcard(part: string): readonly string[] {
  if (!part.includes('x')) return [part];
  const [operator, written] = splitComparator(part);
  const flat = withoutWildcards(written);
  const next = incremented(flat, written);
  switch (operator) {
    case '>':
      return [`>=${next}`];
    case '>=':
      return [`>=${flat}`];
    case '<':
      return [`<${flat}`];
    case '<=':
      return [`<${next}`];
    case '':
    case '=':
    case '==':
      return [`>=${flat}`, `<${next}`];
    case '!':
    case '!=':
      return [`<${flat}`, `>=${next}`];
    default:
      return [flat];
  }
}

function withoutWildcards(version: string): string {
  const flat = version.replace('.x.x', '.x').replace('.x', '.0');
  return flat.split('.').length === 2 ? `${flat}.0` : flat;
}

/** The first version after the wildcard. Empty if the version does not end with a wildcard. */
function incremented(flat: string, written: string): string {
  const parts = written.split('.');
  if (parts.at(-1) !== 'x' || parts.length < 2 || parts.length > 3) return '';
  const numbers = flat.split('.');
  const position = parts.length === 3 ? 1 : 0;
  const number = numbers[position] ?? '';
  if (!/^[-+]?[0-9]{1,18}$/.test(number)) return '';
  numbers[position] = String(BigInt(number.replace(/^\+/, '')) + 1n);
  return numbers.join('.');
}

function parseBound(part: string): Bound {
  const [operator, written] = splitComparator(part);
  const where = goQuote(operator + written);
  const fail = (reason: string): never => {
    throw searchFailure(`Could not parse Range ${goQuote(part)}: ${reason}`);
  };
  const accepts = COMPARATORS.get(operator);
  if (accepts === undefined) return fail(`Could not parse comparator ${goQuote(operator)} in ${where}`);
  const version = parseSemanticVersion(written);
  if ('error' in version) return fail(`Could not parse version ${goQuote(written)} in ${where}: ${version.error}`);
  return { version, accepts };
}
