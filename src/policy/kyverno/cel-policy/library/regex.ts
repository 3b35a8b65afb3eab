// `regex.replace`, `regex.extract`, `regex.extractAll` (cel-go `ext/regex.go`, version 1).
import type { Library } from '../../../../cel/declaration/library.ts';
import { ErrorValue, Optional, type Value } from '../../../../cel/value/value.ts';
import type { RegexMatch } from '../../../../go/regexp/regex.ts';
import type { RegexCache } from '../../../../go/regexp/regex-cache.ts';
import { goQuote } from '../../../../go/strconv/quote.ts';
import { declarationsOf } from '../../../../kubernetes/cel/library/declaration.ts';

export function regexExtensionLibrary(regexes: RegexCache): Library {
  const replace = (text: string, pattern: string, replacement: string, limit: bigint): Value => {
    if (limit === 0n) return text;
    const regex = regexes.compile(pattern);
    if ('error' in regex) return new ErrorValue(regex.error);
    let problem: string | undefined;
    let left = limit;
    const replaced = regex.replaceAll(text, (match) => {
      if (problem !== undefined || (limit > 0n && left-- <= 0n)) return match.group(0) ?? '';
      const expanded = expand(replacement, match, regex.groupCount);
      if (typeof expanded === 'string') return expanded;
      problem = expanded.error;
      return '';
    });
    return problem === undefined ? replaced : new ErrorValue(problem);
  };
  /** The group of each match, or the whole match of a pattern without a group. Empty groups are dropped. */
  const extract = (text: string, pattern: string, most: number): readonly string[] | ErrorValue => {
    const regex = regexes.compile(pattern);
    if ('error' in regex) return new ErrorValue(regex.error);
    if (regex.groupCount > 1) {
      return new ErrorValue(`regular expression has more than one capturing group: ${goQuote(pattern)}`);
    }
    const extracted: string[] = [];
    let matches = 0;
    regex.replaceAll(text, (match) => {
      if (matches++ >= most) return '';
      const part = match.group(regex.groupCount) ?? '';
      if (part !== '' || regex.groupCount === 0) extracted.push(part);
      return '';
    });
    return extracted;
  };
  return {
    name: 'cel.lib.ext.regex',
    functions: declarationsOf([
      [
        'regex.replace',
        'regex_replace_string_string_string',
        'regex.replace(string, string, string) -> string',
        'unit',
        (text: string, pattern: string, replacement: string) => replace(text, pattern, replacement, -1n),
      ],
      [
        'regex.replace',
        'regex_replace_string_string_string_int',
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
          const extracted = extract(text, pattern, 1);
          if (extracted instanceof ErrorValue) return extracted;
          return extracted[0] === undefined ? Optional.none : Optional.of(extracted[0]);
        },
      ],
      [
        'regex.extractAll',
        'regex_extractAll_string_string',
        'regex.extractAll(string, string) -> list(string)',
        'unit',
        (text: string, pattern: string) => extract(text, pattern, Number.POSITIVE_INFINITY),
      ],
    ]),
  };
}

/** `\1` is a group and `\\` a backslash. Any other escape is an error. */
function expand(template: string, match: RegexMatch, groupCount: number): string | { readonly error: string } {
  let expanded = '';
  const invalid = (problem: string): { readonly error: string } => ({
    error: `invalid replacement string: '${template}' \\ ${problem}`,
  });
  for (let at = 0; at < template.length; at++) {
    const character = template[at] as string;
    if (character !== '\\') {
      expanded += character;
      continue;
    }
    const next = template[++at];
    if (next === undefined) return invalid('not allowed at end');
    if (next === '\\') expanded += '\\';
    else if (!/[0-9]/.test(next)) return invalid('must be followed by a digit or \\');
    else if (Number(next) > groupCount) {
      return { error: `replacement string references group ${next} but regex has only ${groupCount} group(s)` };
    } else expanded += match.group(Number(next)) ?? '';
  }
  return expanded;
}
