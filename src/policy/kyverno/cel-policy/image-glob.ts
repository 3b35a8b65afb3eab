// Globs of `matchImageReferences` (github.com/gobwas/glob without separators): `*` also matches `/`.
import { compileRegex } from '../../../go/regexp/regex.ts';

/** Undefined if the glob is invalid. */
export function imageGlob(glob: string): ((image: string) => boolean) | undefined {
  const expression = expressionOf(glob);
  const regex = expression === undefined ? undefined : compileRegex(`(?s)^(?:${expression})$`);
  return regex === undefined || 'error' in regex ? undefined : (image) => regex.matches(image);
}

const RANGE = /^\[(!?)(?:([^\]])-([^\]])|((?:\\.|[^\]\\])+))\]/s;

function expressionOf(glob: string): string | undefined {
  let expression = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '*') expression += '.*';
    else if (character === '?') expression += '.';
    else if (character === '\\' && at + 1 < glob.length) expression += quoted(glob.charAt(++at));
    else if (character === '{') {
      braces++;
      expression += '(?:';
    } else if (character === '}' && braces > 0) {
      braces--;
      expression += ')';
    } else if (character === ',' && braces > 0) expression += '|';
    else if (character === '[') {
      const [whole = '', not = '', low, high, listed = ''] = RANGE.exec(glob.slice(at)) ?? [];
      if (whole === '' || (low !== undefined && high !== undefined && low >= high)) return undefined;
      const members = low === undefined || high === undefined ? unescaped(listed) : `${quoted(low)}-${quoted(high)}`;
      expression += `[${not === '' ? '' : '^'}${members}]`;
      at += whole.length - 1;
    } else expression += quoted(character);
  }
  return braces > 0 ? undefined : expression;
}

function unescaped(listed: string): string {
  return listed.replace(/\\?(.)/gs, (_, character: string) => quoted(character));
}

function quoted(character: string): string {
  return /[\\.+*?()|[\]{}^$&~-]/.test(character) ? `\\${character}` : character;
}
