// Globs over repository-relative paths, with the same meaning in Git, outside Git, in the configuration and on the command line.
import { braceProblem, compileAnyGlob } from './any-glob.ts';

export type PathFilter = (path: string) => boolean;

/** An invalid pattern that was not checked by `globProblem` before. */
export class GlobError extends Error {
  readonly hint = 'patterns are relative to the root of the repository, e.g. `clusters/**/*.yaml`';
}

const MAXIMUM_PATTERN_LENGTH = 1_000;
const WILDCARD = /[*?[\]{}()!+@\\]/;

/**
 * True for paths that match at least one pattern; an empty list matches nothing. A pattern without wildcards, or with a final `/`, also
 * matches everything in that folder. Wildcards match dot files; `!` and `#` are literal. Throws GlobError for an invalid pattern.
 */
export function compileGlobs(patterns: readonly string[]): PathFilter {
  const filters = patterns.map(compileGlob);
  return (path) => filters.some((filter) => filter(path));
}

/** Describes a problem with a pattern as a predicate, e.g. "is empty"; undefined if the pattern is valid. */
export function globProblem(pattern: string): string | undefined {
  const normal = normalize(pattern);
  if (normal === '') return 'is empty';
  if (normal.length > MAXIMUM_PATTERN_LENGTH) return `is longer than ${MAXIMUM_PATTERN_LENGTH} characters`;
  if (normal.split('/').includes('..')) return 'leaves the repository';
  return isUsual(normal) ? undefined : braceProblem(normal);
}

/** True for patterns whose braces need no check: none, or one pair with a letter for each comma. */
function isUsual(pattern: string): boolean {
  return pattern === EVERYTHING || !WILDCARD.test(pattern) || ENDINGS.test(pattern) || FOLDER.test(pattern);
}

function compileGlob(pattern: string): PathFilter {
  const problem = globProblem(pattern);
  if (problem !== undefined) {
    throw new GlobError(`the pattern \`${pattern.slice(0, 100)}\` ${problem}`);
  }
  const normal = normalize(pattern);
  if (normal === '.' || normal === EVERYTHING) return () => true;
  if (normal.endsWith('/')) return matcher(`${normal}**`);
  if (!WILDCARD.test(normal)) return (path) => path === normal || path.startsWith(`${normal}/`);
  return matcher(normal);
}

/** Fast paths for the most common patterns, because every path of a repository is matched. */
const EVERYTHING = '**';
const ENDINGS = /^\*\*\/\*\.(?:([a-z]+)|\{([a-z]+(?:,[a-z]+)+)\})$/;
const FOLDER = /^\*\*\/([\w-]+)\/\*\*$/;

function matcher(pattern: string): PathFilter {
  const [, ending, list = ending] = ENDINGS.exec(pattern) ?? [];
  if (list !== undefined) {
    const endings = list.split(',').map((each) => `.${each}`);
    return (path) => endings.some((each) => path.endsWith(each));
  }
  const folder = FOLDER.exec(pattern)?.[1];
  if (folder !== undefined) return (path) => path.startsWith(`${folder}/`) || path.includes(`/${folder}/`);
  return compileAnyGlob(pattern);
}

/** `./a`, `/a` and `a` are the same path. */
function normalize(pattern: string): string {
  const relative = pattern.trim().replace(/^(?:\.?\/)+/, '');
  return relative === '' && pattern.trim() !== '' ? '.' : relative;
}
