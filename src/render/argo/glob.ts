// Glob dialects of Argo CD: `directory.include`, git generators and values files each have their own rules.
import { compileRegex } from '../../go/regexp/regex.ts';

/**
 * `glob`: github.com/gobwas/glob without separators, so `*` also matches `/`. `path`: Go's `path.Match`. `pathspec`: patterns of `git
 * ls-files`. `doublestar`: `**` matches folders.
 */
export type GlobStyle = 'glob' | 'path' | 'pathspec' | 'doublestar';

export type PathMatcher = (path: string) => boolean;

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

/** The character that is literal at the start of a class, although other dialects use it for negation. */
const LITERAL_MARK: Readonly<Partial<Record<GlobStyle, string>>> = { path: '!', glob: '^' };

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
      const [, mark = '', characters = ''] = found;
      const isNegated = mark !== '' && mark !== LITERAL_MARK[style];
      const literal = isNegated || mark === '' ? '' : `\\${mark}`;
      expression += `[${isNegated ? '^' : ''}${literal}${classText(characters)}]`;
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
