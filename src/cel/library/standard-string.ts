// `contains`, `endsWith`, `startsWith` and `matches`.
import { compileRegex } from '../../go/regexp/regex.ts';
import type { RegexCache } from '../../go/regexp/regex-cache.ts';
import type { FunctionDeclaration, LiteralPattern, Overload } from '../declaration/library.ts';
import { type Price, UNIT } from '../declaration/price.ts';
import { ErrorValue, Optional, TypeValue, type Value } from '../value/value.ts';
import { noSuchOperand, noSuchOverload } from './no-such-overload.ts';
import { AFFIX, MATCHING, SEARCH } from './standard-prices.ts';
import { findText } from './text-search.ts';

export function stringFunctions(regexes: RegexCache): readonly FunctionDeclaration[] {
  return [
    test('contains', 'contains_string', SEARCH, (text, part) => findText(text, part) >= 0),
    test('endsWith', 'ends_with_string', AFFIX, (text, suffix) => text.endsWith(suffix)),
    // In V8, this is twice as fast as `startsWith`.
    test('startsWith', 'starts_with_string', AFFIX, (text, prefix) => text.lastIndexOf(prefix, 0) === 0),
    matches(regexes),
  ];
}

function test(
  name: string,
  id: string,
  price: Price,
  holds: (text: string, other: string) => boolean,
): FunctionDeclaration {
  const evaluate = (text: Value, other: Value): Value =>
    typeof text === 'string' && typeof other === 'string' ? holds(text, other) : noSuchOverload();
  return {
    name,
    overloads: [{ id, signature: `string.${name}(string) -> bool`, evaluate, price, dispatch: 'unguarded' }],
  };
}

function matches(regexes: RegexCache): FunctionDeclaration {
  const evaluate: Overload['evaluate'] = (text: Value, pattern: Value): Value => {
    if (typeof text !== 'string') return noSuchOperand(text, 'matches');
    if (typeof pattern !== 'string') return noSuchOverload();
    const regex = regexes.compile(pattern);
    return 'error' in regex ? new ErrorValue(regex.error) : regex.matches(text);
  };
  const row = { evaluate, dispatch: 'singleton', literalPattern: MATCHES_LITERAL } as const;
  return {
    name: 'matches',
    overloads: [
      { id: 'matches', signature: 'matches(string, string) -> bool', price: UNIT, ...row },
      { id: 'matches_string', signature: 'string.matches(string) -> bool', price: MATCHING, ...row },
    ],
  };
}

const MATCHES_LITERAL: LiteralPattern = {
  index: 1,
  compile(pattern) {
    const regex = compileRegex(pattern);
    if ('error' in regex) return new ErrorValue(regex.error);
    return (value) => {
      const text = goString(value);
      return text === undefined ? noSuchOverload() : regex.matches(text);
    };
  },
};

/** The value if Go's `Value()` of it is a string, including optionals and types. */
function goString(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Optional) return value.value === undefined ? undefined : goString(value.value);
  return value instanceof TypeValue ? value.type.name : undefined;
}
