// `find` and `findAll` (apiserver `pkg/cel/library/regex.go`).

import type { Library, LiteralPattern } from '../../../cel/declaration/library.ts';
import { type NamePrice, UNIT } from '../../../cel/declaration/price.ts';
import { estimatedSize } from '../../../cel/estimate/cost-model.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { matchingCost } from '../../../cel/library/standard-prices.ts';
import { ErrorValue, type Value } from '../../../cel/value/value.ts';
import { compileRegex, type Regex } from '../../../go/regexp/regex.ts';
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import { actualSize, patternCost } from './prices.ts';

/** `regexes` caches patterns that are known only at run time. */
export function regexLibrary(regexes: RegexCache): Library {
  const withPattern = (pattern: string, use: (regex: Regex) => Value): Value => {
    const regex = regexes.compile(pattern);
    return 'error' in regex ? new ErrorValue(`Illegal regex: ${regex.error}`) : use(regex);
  };
  return {
    name: 'kubernetes.regex',
    functions: [
      {
        name: 'find',
        price: FIND,
        overloads: [
          {
            id: 'string_find_string',
            signature: 'string.find(string) -> string',
            evaluate: (text: string, pattern: string) => withPattern(pattern, (regex) => find(regex, text)),
            price: UNIT,
            literalPattern: FIND_LITERAL,
          },
        ],
      },
      {
        name: 'findAll',
        price: FIND,
        overloads: [
          {
            id: 'string_find_all_string',
            signature: 'string.findAll(string) -> list(string)',
            evaluate: (text: string, pattern: string) => withPattern(pattern, (regex) => findAll(regex, text)),
            price: UNIT,
            literalPattern: FIND_ALL_LITERAL,
          },
          {
            id: 'string_find_all_string_int',
            signature: 'string.findAll(string, int) -> list(string)',
            evaluate: (text: string, pattern: string, limit: bigint) =>
              withPattern(pattern, (regex) => findAll(regex, text, limit)),
            price: UNIT,
            literalPattern: FIND_ALL_LITERAL,
          },
        ],
      },
    ],
  };
}

const FIND: NamePrice = {
  run: ([text, pattern]) =>
    text === undefined || pattern === undefined ? undefined : patternCost(text, actualSize(pattern)),
  estimate: ({ target, args: [pattern] }, model) => {
    if (target === undefined || pattern === undefined) return undefined;
    const text = estimatedSize(target, model);
    return { cost: matchingCost(text, estimatedSize(pattern, model)), resultSize: { min: 0n, max: text.max } };
  },
};

const FIND_LITERAL: LiteralPattern = literalPattern(find);
const FIND_ALL_LITERAL: LiteralPattern = literalPattern(findAll);

/** An invalid literal pattern makes program creation fail, with the error of the regular expression library. */
function literalPattern(use: (regex: Regex, text: string, limit?: Value) => Value): LiteralPattern {
  return {
    index: 1,
    compile: (pattern) => {
      const regex = compileRegex(pattern);
      if ('error' in regex) return new ErrorValue(regex.error);
      return (text: Value, _pattern: Value, limit?: Value) =>
        typeof text === 'string' ? use(regex, text, limit) : noSuchOverload();
    },
  };
}

function find(regex: Regex, text: string): Value {
  return regex.find(text) ?? '';
}

function findAll(regex: Regex, text: string, limit: Value = -1n): Value {
  return typeof limit === 'bigint' ? regex.findAll(text, Number(limit)) : noSuchOverload();
}
