// Compiles globs with minimatch; `path-filter.ts` handles the common forms without it.
import { Minimatch } from 'minimatch';

const MAXIMUM_BRACE_ALTERNATIVES = 1_000;

/** Throws if the braces are nested too deeply. */
export function compileAnyGlob(pattern: string): (path: string) => boolean {
  const compiled = minimatch(pattern);
  return (path) => compiled.match(path);
}

/** Describes a problem with the pattern's braces as a predicate, e.g. "is nested too deeply". */
export function braceProblem(pattern: string): string | undefined {
  try {
    if (minimatch(pattern).globSet.length >= MAXIMUM_BRACE_ALTERNATIVES) return 'has too many `{…}` alternatives';
  } catch {
    return 'is nested too deeply';
  }
  return undefined;
}

function minimatch(pattern: string): Minimatch {
  return new Minimatch(pattern, {
    dot: true,
    nonegate: true,
    nocomment: true,
    platform: 'linux',
    braceExpandMax: MAXIMUM_BRACE_ALTERNATIVES,
  });
}
