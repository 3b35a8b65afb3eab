// `Equals` and `NotEquals` (`equal.go`, `notequal.go`). Neither holds for a null key.

import { parseGoFloat } from '../../../go/strconv/parse-float.ts';
import { secondsOf } from '../../../go/time/duration.ts';
import { compareQuantities, parseQuantity } from '../../../kubernetes/quantity/quantity.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { deepEqual } from '../jmespath/search-value.ts';
import { matchesWildcard } from '../value/wildcard.ts';
import { durationPair } from './duration-operators.ts';

export function isEqual(key: JsonValue, value: JsonValue): boolean {
  return key !== null && equals(key, value, false);
}

export function isNotEqual(key: JsonValue, value: JsonValue): boolean {
  return key !== null && !equals(key, value, true);
}

/** Only `NotEquals` compares an empty text as text, even with a quantity. The result is the same for every key. */
function equals(key: JsonValue, value: JsonValue, isNegated: boolean): boolean {
  if (typeof key === 'string') return textEquals(key, value, isNegated);
  if (typeof key === 'number') return doubleEquals(key, value);
  if (typeof key === 'bigint') return integerEquals(key, value);
  if (isJsonArray(key)) return isJsonArray(value) && deepEqual(key, value, noBudget);
  if (isJsonObject(key)) return isJsonObject(value) && deepEqual(key, value, noBudget);
  return key === value;
}

/** Comparison takes time linear in the documents, which are already loaded. */
function noBudget(): void {}

function textEquals(key: string, value: JsonValue, isNegated: boolean): boolean {
  const durations = durationPair(key, value);
  if (durations !== undefined) return secondsOf(durations.key) === secondsOf(durations.value);
  if (typeof value !== 'string') return false;
  const quantity = parseQuantity(key);
  if (!('error' in quantity) && !(isNegated && value === '')) {
    const other = parseQuantity(value);
    return !('error' in other) && compareQuantities(quantity, other) === 0;
  }
  return matchesWildcard(value, key);
}

function doubleEquals(key: number, value: JsonValue): boolean {
  if (typeof value === 'bigint') return Number.isInteger(key) && BigInt(key) === value;
  if (typeof value === 'number') return key === value;
  return typeof value === 'string' && parseGoFloat(value) === key;
}

function integerEquals(key: bigint, value: JsonValue): boolean {
  if (typeof value === 'bigint') return key === value;
  if (typeof value === 'number') return Number.isInteger(value) && BigInt(value) === key;
  return typeof value === 'string' && /^[-+]?[0-9]{1,30}$/.test(value) && BigInt(value.replace(/^\+/, '')) === key;
}
