// Types for values that are modified in place during conversion.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { MutableObject } from '../../schema/typed-field.ts';

export type MutableArray = JsonValue[];

/** Only for values that come from `copyJson`. */
export function mutableObject(value: JsonValue): MutableObject | undefined {
  return isJsonObject(value) ? (value as MutableObject) : undefined;
}

/** Only for values that come from `copyJson`. */
export function mutableArray(value: JsonValue): MutableArray | undefined {
  return isJsonArray(value) ? (value as MutableArray) : undefined;
}
