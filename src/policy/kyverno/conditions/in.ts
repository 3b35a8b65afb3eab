// The deprecated operators `In` and `NotIn` (`in.go`, `notin.go`).
import { isJsonArray, type JsonValue } from '../../../source/json/json.ts';
import { searchedGoType } from '../jmespath/search-value.ts';
import { valueText } from '../jmespath/value-text.ts';
import { matchesWildcard } from '../value/wildcard.ts';
import { VariableError } from '../variables/variable-error.ts';
import { readTextList } from './text-list.ts';

export function isIn(key: JsonValue, value: JsonValue): boolean | VariableError {
  return includes(key, value, false);
}

export function isNotIn(key: JsonValue, value: JsonValue): boolean | VariableError {
  return includes(key, value, true);
}

function includes(key: JsonValue, value: JsonValue, isNegated: boolean): boolean | VariableError {
  if (isJsonArray(key)) {
    const other = key.find((item) => typeof item !== 'string');
    return other === undefined ? listIncludes(key as readonly string[], value, isNegated) : crash(other);
  }
  if (key === null || typeof key === 'object') return false;
  const found = textIncludes(valueText(key), value);
  return found === undefined ? false : found !== isNegated;
}

function crash(item: JsonValue): VariableError {
  const type = item === null ? 'nil' : searchedGoType(item);
  return new VariableError('panic', `interface conversion: interface {} is ${type}, not string`);
}

/** Undefined for a value that is neither a list nor the text of a list. */
function textIncludes(key: string, value: JsonValue): boolean | undefined {
  if (isJsonArray(value)) {
    return value.some((item) => {
      const text = valueText(item);
      return matchesWildcard(text, key) || matchesWildcard(key, text);
    });
  }
  if (typeof value !== 'string') return undefined;
  if (matchesWildcard(value, key)) return true;
  return readTextList(value)?.includes(key);
}

/** True if all keys are in the list; negated: if at least one is not. */
function listIncludes(keys: readonly string[], value: JsonValue, isNegated: boolean): boolean {
  let values: readonly string[] | undefined;
  if (isJsonArray(value)) {
    values = value.every((item) => typeof item === 'string') ? (value as readonly string[]) : undefined;
  } else if (typeof value === 'string') {
    // Upstream returns this for `NotIn`, too.
    if (keys.length === 1 && keys[0] === value) return true;
    values = readTextList(value);
  }
  if (values === undefined) return false;
  const known = new Set(values);
  return keys.every((key) => known.has(key)) !== isNegated;
}
