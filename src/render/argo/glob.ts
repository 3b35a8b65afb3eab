// Glob dialects of Argo CD: `directory.include`, git generators and values files each have their own rules.
import { compileRegex } from '../../go/regexp/regex.ts';
import { shellPattern } from '../../go/strings/path-match.ts';
import { doublestarExpression } from './doublestar-glob.ts';
import { gobwasExpression } from './gobwas-glob.ts';

/**
 * `glob`: github.com/gobwas/glob without separators, so `*` also matches `/`. `path`: Go's `path.Match`. `pathspec`: patterns of `git
 * ls-files`. `doublestar`: `**` matches folders.
 */
export type GlobStyle = 'glob' | 'path' | 'pathspec' | 'doublestar';

export type PathMatcher = (path: string) => boolean;

/** Undefined if the pattern is invalid. */
export function pathMatcher(pattern: string, style: GlobStyle): PathMatcher | undefined {
  if (style === 'path') return shellPattern(pattern, { slash: 'kept' });
  const expression = EXPRESSIONS[style](pattern);
  const regex = expression === undefined ? undefined : compileRegex(`(?s)^(?:${expression})$`);
  if (regex === undefined || 'error' in regex) return undefined;
  if (style !== 'pathspec') return (path) => regex.matches(path);
  const folder = pattern.endsWith('/') ? pattern : `${pattern}/`;
  return (path) => path === pattern || path.startsWith(folder) || pattern === '.' || regex.matches(path);
}

export function isGlob(path: string): boolean {
  return /[*?[]/.test(path);
}

const EXPRESSIONS: Readonly<Record<Exclude<GlobStyle, 'path'>, (pattern: string) => string | undefined>> = {
  glob: gobwasExpression,
  doublestar: doublestarExpression,
  pathspec: pathspecExpression,
};

function pathspecExpression(pattern: string): string | undefined {
  let expression = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '*') expression += '.*';
    else if (character === '?') expression += '.';
    else if (character === '[') {
      const found = /^\[([!^]?)((?:\\.|[^\]\\])(?:\\.|[^\]\\])*)\]/s.exec(pattern.slice(at));
      if (found === null) return undefined;
      const [, mark = '', characters = ''] = found;
      expression += `[${mark === '' ? '' : '^'}${classText(characters)}]`;
      at += found[0].length - 1;
    } else if (character === '\\' && at + 1 < pattern.length) expression += quoted(pattern.charAt(++at));
    else expression += quoted(character);
  }
  return expression;
}

function classText(text: string): string {
  return text.replace(/\\(.)|([[\]^&~])/gs, (_, escaped?: string, special?: string) =>
    quoted(escaped ?? special ?? ''),
  );
}

function quoted(character: string): string {
  return /[\\.+*?()|[\]{}^$&~-]/.test(character) ? `\\${character}` : character;
}
