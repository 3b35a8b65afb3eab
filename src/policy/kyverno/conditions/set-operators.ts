// `AnyIn`, `AllIn`, `AnyNotIn` and `AllNotIn` (`anyin.go` and similar). None holds for a value of a wrong type.
import { isJsonArray, type JsonValue } from '../../../source/json/json.ts';
import { valueText } from '../jmespath/value-text.ts';
import { matchesValue } from '../pattern/compare-value.ts';
import { matchesWildcard } from '../value/wildcard.ts';
import { isJsonText, readTextList } from './text-list.ts';

export function anyOrAllIn(key: JsonValue, value: JsonValue, quantifier: 'any' | 'all', isNegated: boolean): boolean {
  if (isJsonArray(key)) {
    const keys = key.map((item) => valueText(item));
    return quantifier === 'any' ? anyOf(keys, value, isNegated) : allOf(keys, value, isNegated);
  }
  if (key === null || typeof key === 'object') return false;
  const found = contains(valueText(key), value);
  return found === undefined ? false : found !== isNegated;
}

/** Undefined for a value of a wrong type. */
function contains(key: string, value: JsonValue): boolean | undefined {
  if (isJsonArray(value)) return value.some((item) => matchesEitherWay(key, valueText(item)));
  if (typeof value !== 'string') return undefined;
  if (matchesWildcard(value, key)) return true;
  if (isRange(value)) return matchesValue(key, value);
  return textsOf(value)?.includes(key);
}

function matchesEitherWay(one: string, other: string): boolean {
  return matchesWildcard(one, other) || matchesWildcard(other, one);
}

const RANGE = /^[-|+]?\d+(?:\.\d+)?[A-Za-z]*-[-|+]?\d+(?:\.\d+)?[A-Za-z]*$/;

function isRange(text: string): boolean {
  return !/^[<>!]/.test(text) && RANGE.test(text);
}

/** JSON must be a list of strings. Any other text is a list with one element. */
function textsOf(value: string): readonly string[] | undefined {
  return isJsonText(value) ? readTextList(value) : [value];
}

function anyOf(keys: readonly string[], value: JsonValue, isNegated: boolean): boolean {
  const inside = (values: readonly string[]) => (key: string) => values.some((item) => matchesEitherWay(key, item));
  let values: readonly string[] | undefined;
  if (isJsonArray(value)) values = value.map((item) => valueText(item));
  else if (typeof value === 'string') {
    if (keys.length === 1 && keys[0] === value) return !isNegated;
    if (isRange(value)) {
      const pattern = isNegated ? value.replace('-', '!-') : value;
      return keys.some((key) => matchesValue(key, pattern));
    }
    values = textsOf(value);
  } else if (value !== null && typeof value !== 'object') values = [valueText(value)];
  if (values === undefined) return false;
  const isInside = inside(values);
  return keys.some((key) => isInside(key) !== isNegated);
}

function allOf(keys: readonly string[], value: JsonValue, isNegated: boolean): boolean {
  let values: readonly string[] | undefined;
  if (isJsonArray(value)) values = value.map((item) => valueText(item));
  else if (typeof value === 'string') {
    if (keys.length === 1 && keys[0] === value) return !isNegated;
    if (isRange(value)) return keys.every((key) => matchesValue(key, value) !== isNegated);
    values = textsOf(value);
  }
  if (values === undefined) return false;
  const known = values;
  return keys.every((key) => known.some((item) => matchesEitherWay(key, item)) !== isNegated);
}
