// `regex.replace`, `regex.extract`, `regex.extractAll` (cel-go `ext/regex.go`, version 1).
import type { Library } from '../../../../cel/declaration/library.ts';
import { ErrorValue, Optional, type Value } from '../../../../cel/value/value.ts';
import type { RegexMatch } from '../../../../go/regexp/regex.ts';
import type { RegexCache } from '../../../../go/regexp/regex-cache.ts';
import { goQuote } from '../../../../go/strconv/quote.ts';
import { declarationsOf } from '../../../../kubernetes/cel/library/declaration.ts';

export function regexExtensionLibrary(regexes: RegexCache): Library {
  const replace = (text: string, pattern: string, replacement: string, limit: bigint): Value => {
    const regex = regexes.compile(pattern);
    if ('error' in regex) return new ErrorValue(`given regex is invalid: ${regex.error}`);
    let problem: string | undefined;
    let left = limit;
    const replaced = regex.replaceAll(text, (match) => {
      if (limit >= 0n && left-- <= 0n) return match.group(0) ?? '';
      const expanded = expand(replacement, match);
      if (typeof expanded === 'string') return expanded;
      problem ??= expanded.error;
      return '';
    });
    return problem === undefined ? replaced : new ErrorValue(problem);
  };
  const found = (text: string, pattern: string): readonly string[] | ErrorValue => {
    const regex = regexes.compile(pattern);
    if ('error' in regex) return new ErrorValue(`given regex is invalid: ${regex.error}`);
    const matches: string[] = [];
    let tooMany = false;
    regex.replaceAll(text, (match) => {
      if (match.group(2) !== undefined) tooMany = true;
      matches.push(match.group(1) ?? match.group(0) ?? '');
      return '';
    });
    return tooMany
      ? new ErrorValue(`regular expression has more than one capturing group: ${goQuote(pattern)}`)
      : matches;
  };
  return {
    name: 'cel.lib.ext.regex',
    functions: declarationsOf([
      [
        'regex.replace',
        'regex_replaceAll_string_string_string',
        'regex.replace(string, string, string) -> string',
        'unit',
        (text: string, pattern: string, replacement: string) => replace(text, pattern, replacement, -1n),
      ],
      [
        'regex.replace',
        'regex_replaceCount_string_string_string_int',
        'regex.replace(string, string, string, int) -> string',
        'unit',
        replace,
      ],
      [
        'regex.extract',
        'regex_extract_string_string',
        'regex.extract(string, string) -> optional_type(string)',
        'unit',
        (text: string, pattern: string) => {
          const matches = found(text, pattern);
          if (matches instanceof ErrorValue) return matches;
          return matches[0] === undefined ? Optional.none : Optional.of(matches[0]);
        },
      ],
      [
        'regex.extractAll',
        'regex_extractAll_string_string',
        'regex.extractAll(string, string) -> list(string)',
        'unit',
        found,
      ],
    ]),
  };
}

/** `\1` is a group and `\\` a backslash. Any other escape is an error. */
function expand(template: string, match: RegexMatch): string | { readonly error: string } {
  let expanded = '';
  for (let at = 0; at < template.length; at++) {
    const character = template[at] as string;
    if (character !== '\\') {
      expanded += character;
      continue;
    }
    const next = template[++at];
    if (next === undefined) return { error: "invalid replacement string: '\\' not allowed at end" };
    if (next === '\\') expanded += '\\';
    else if (/[0-9]/.test(next)) expanded += match.group(Number(next)) ?? '';
    else return { error: "invalid replacement string: '\\' must be followed by a digit or '\\'" };
  }
  return expanded;
}
