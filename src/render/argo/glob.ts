// Globs of Argo CD: of `directory.include`, of git generators, of values files; each has rules of its own.
import { compileRegex } from '../../go/regexp/regex.ts';

/**
 * `glob`: github.com/gobwas/glob without separators, so that `*` also takes `/`. `path`: Go's `path.Match`. `pathspec`: what `git
 * ls-files` takes. `doublestar`: `**` takes folders.
 */
export type GlobStyle = 'glob' | 'path' | 'pathspec' | 'doublestar';

export type PathMatcher = (path: string) => boolean;

/** Undefined if the pattern cannot be read. */
export function pathMatcher(pattern: string, style: GlobStyle): PathMatcher | undefined {
  const expression = expressionOf(pattern, style);
  const regex = expression === undefined ? undefined : compileRegex(`(?s)^(?:${expression})$`);
  if (regex === undefined || 'error' in regex) return undefined;
  if (style !== 'pathspec') return (path) => regex.matches(path);
  const folder = pattern.endsWith('/') ? pattern : `${pattern}/`;
  return (path) => path === pattern || path.startsWith(folder) || pattern === '.' || regex.matches(path);
}

export function isGlob(path: string): boolean {
  return /[*?[]/.test(path);
}

function expressionOf(pattern: string, style: GlobStyle): string | undefined {
  const stopsAtSlash = style === 'path' || style === 'doublestar';
  const hasBraces = style === 'glob' || style === 'doublestar';
  const [one, many] = stopsAtSlash ? ['[^/]', '[^/]*'] : ['.', '.*'];
  let expression = '';
  let braces = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '*') {
      const stars = /^\*+/.exec(pattern.slice(at))?.[0].length ?? 1;
      at += stars - 1;
      if (style === 'doublestar' && stars > 1 && pattern.charAt(at + 1) === '/') {
        expression += '(?:.*/)?';
        at++;
      } else expression += style === 'doublestar' && stars > 1 ? '.*' : many;
    } else if (character === '?') expression += one;
    else if (character === '[') {
      const found = /^\[([!^]?)((?:\\.|[^\]\\])(?:\\.|[^\]\\])*)\]/s.exec(pattern.slice(at));
      if (found === null) return undefined;
      const isNegated = found[1] === '^' || (found[1] === '!' && style !== 'path');
      const literal = found[1] === '!' && style === 'path' ? '!' : '';
      expression += `[${isNegated ? '^' : ''}${literal}${classText(found[2] as string)}]`;
      at += found[0].length - 1;
    } else if (character === '\\' && at + 1 < pattern.length) expression += quoted(pattern.charAt(++at));
    else if (hasBraces && character === '{') {
      braces++;
      expression += '(?:';
    } else if (hasBraces && character === '}' && braces > 0) {
      braces--;
      expression += ')';
    } else expression += hasBraces && character === ',' && braces > 0 ? '|' : quoted(character);
  }
  return braces > 0 ? undefined : expression;
}

function classText(text: string): string {
  return text.replace(/\\(.)|([[\]^&~])/gs, (_, escaped?: string, special?: string) =>
    quoted(escaped ?? special ?? ''),
  );
}

function quoted(character: string): string {
  return /[\\.+*?()|[\]{}^$&~-]/.test(character) ? `\\${character}` : character;
}
