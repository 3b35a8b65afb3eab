// Globs over paths from the repository root: one meaning in and out of Git, in the configuration and on the command line.
import { braceProblem, compileAnyGlob } from './any-glob.ts';

export type PathFilter = (path: string) => boolean;

/** A pattern that cannot be used was given where nothing had looked at it before (`globProblem`). */
export class GlobError extends Error {
  readonly hint = 'patterns are relative to the top of the repository, e.g. `clusters/**/*.yaml`';
}

const MAXIMUM_PATTERN_LENGTH = 1_000;
const WILDCARD = /[*?[\]{}()!+@\\]/;

/**
 * True for paths that at least one pattern matches; no pattern, no path. A pattern without wildcards, or one ending in
 * `/`, also stands for everything below that folder. Dot files need no dot in the pattern; `!` and `#` have no meaning.
 * Throws GlobError for a pattern that cannot be used.
 */
export function compileGlobs(patterns: readonly string[]): PathFilter {
  const filters = patterns.map(compileGlob);
  return (path) => filters.some((filter) => filter(path));
}

/** What is wrong with a pattern, in words that follow its name; undefined if it can be used. */
export function globProblem(pattern: string): string | undefined {
  const normal = normalize(pattern);
  if (normal === '') return 'is empty';
  if (normal.length > MAXIMUM_PATTERN_LENGTH) return `is longer than ${MAXIMUM_PATTERN_LENGTH} characters`;
  if (normal.split('/').includes('..')) return 'leaves the repository';
  return isUsual(normal) ? undefined : braceProblem(normal);
}

/** Of these there is nothing to find out: no braces, or one pair with a letter for every comma at least. */
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

/** By far the most usual patterns, for every path of a repository. */
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

/** `./a`, `/a` and `a` are the same place. */
function normalize(pattern: string): string {
  const relative = pattern.trim().replace(/^(?:\.?\/)+/, '');
  return relative === '' && pattern.trim() !== '' ? '.' : relative;
}
