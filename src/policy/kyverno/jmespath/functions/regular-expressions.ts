// Kyverno's functions with regular expressions, in Go's syntax and with Go's replacement templates.
import { WorkExceeded } from '../../../../go/meter.ts';
import type { RegexMatch } from '../../../../go/regexp/regex.ts';
import type { FunctionCall } from '../interpreter.ts';
import { SearchError, searchFailure } from '../search-error.ts';
import type { SearchValue } from '../search-value.ts';
import { argumentText, functionError, type QueryFunction, textAt } from './function-table.ts';

const TEXT_OR_NUMBER = ['string', 'number'] as const;

export const REGEX_FUNCTIONS: readonly QueryFunction[] = [
  {
    name: 'regex_match',
    parameters: [['string'], TEXT_OR_NUMBER],
    handler: (values, call) => {
      const text = textArgument('regex_match', values, 1);
      const regex = call.environment.regexes.compile(textAt(values, 0));
      if ('error' in regex)
        throw regex.unsupported ? new SearchError('limit', regex.error) : searchFailure(regex.error);
      return bounded(call, text, () => regex.matches(text));
    },
  },
  {
    name: 'regex_replace_all',
    parameters: [['string'], TEXT_OR_NUMBER, TEXT_OR_NUMBER],
    handler: (values, call) => replace('regex_replace_all', values, call, expandTemplate),
  },
  {
    name: 'regex_replace_all_literal',
    parameters: [['string'], TEXT_OR_NUMBER, TEXT_OR_NUMBER],
    handler: (values, call) => replace('regex_replace_all_literal', values, call, (replacement) => replacement),
  },
];

function textArgument(name: string, values: readonly SearchValue[], index: number): string {
  const text = argumentText(values[index] as SearchValue);
  return text ?? functionError(name, `argument #${index + 1} is not of type String or Real`);
}

function replace(
  name: string,
  values: readonly SearchValue[],
  call: FunctionCall,
  expand: (template: string, match: RegexMatch) => string,
): string {
  const text = textArgument(name, values, 1);
  const replacement = textArgument(name, values, 2);
  const regex = call.environment.regexes.compile(textAt(values, 0));
  if ('error' in regex) {
    if (regex.unsupported) throw new SearchError('limit', regex.error);
    return functionError(name, regex.error);
  }
  return bounded(call, text, () =>
    regex.replaceAll(text, (match) => {
      const expanded = expand(replacement, match);
      call.budget.spend(1 + expanded.length / 16);
      return expanded;
    }),
  );
}

function bounded<T>({ budget }: FunctionCall, text: string, work: () => T): T {
  budget.spend(10 + text.length / 4);
  try {
    return work();
  } catch (error) {
    if (error instanceof WorkExceeded) {
      throw new SearchError('limit', 'a regular expression that exceeds the work limit');
    }
    throw error;
  }
}

const REFERENCE = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;

/** Go `Regexp.Expand`: `$1`, `$name`, `${name}`, `$$`. An unknown group is empty; any other `$` stays. */
function expandTemplate(template: string, match: RegexMatch): string {
  if (!template.includes('$')) return template;
  return template.replace(REFERENCE, (written, braced: string | undefined, bare: string | undefined) => {
    const name = braced ?? bare;
    if (name === undefined) return written === '$$' ? '$' : written;
    if (/^[0-9]+$/.test(name) && (name.length === 1 || !name.startsWith('0')) && name.length < 9) {
      return match.group(Number(name)) ?? '';
    }
    return match.group(name) ?? '';
  });
}
