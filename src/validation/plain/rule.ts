// The combinators of the plain check: a rule holds only for values that every supported release accepts without a warning.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';

export type PlainRule = (value: JsonValue) => boolean;
/** A condition on several fields of one object. */
export type FieldCondition = (object: JsonObject) => boolean;

const EMPTY: JsonObject = new Map();

/** A Go structOf: each field needs a rule. null reads as absent, as Go decodes it. */
export function structOf(
  rules: Readonly<Record<string, PlainRule>>,
  required = '',
  condition?: FieldCondition,
): PlainRule {
  const table = new Map(Object.entries(rules));
  const names = required.split(' ').filter((name) => name !== '');
  return (value) => {
    if (!isJsonObject(value)) return false;
    for (const [name, field] of value) {
      const rule = table.get(name);
      if (rule === undefined || (field !== null && !rule(field))) return false;
    }
    for (const name of names) if (isAbsent(value.get(name))) return false;
    return condition === undefined || condition(value);
  };
}

/** A structOf in which exactly one of the fields is set. */
export function unionOf(rules: Readonly<Record<string, PlainRule>>): PlainRule {
  return structOf(rules, '', hasOneOf(Object.keys(rules)));
}

export function hasOneOf(names: readonly string[]): FieldCondition {
  return (object) => names.filter((name) => !isAbsent(object.get(name))).length === 1;
}

export function list(rule: PlainRule, least = 0, most = Number.POSITIVE_INFINITY): PlainRule {
  return (value) => isJsonArray(value) && value.length >= least && value.length <= most && value.every(rule);
}

/** A list of structs that differ in the value of `key`. */
export function listBy(key: string, rule: PlainRule, least = 0): PlainRule {
  const items = list(rule, least);
  return (value) => items(value) && isUniqueBy(itemsOf(value), key);
}

export function isUniqueBy(items: readonly JsonObject[], key: string): boolean {
  if (items.length < 2) return true;
  return new Set(items.map((item) => item.get(key))).size === items.length;
}

/** A map of strings. */
export function textMap(isKey: (key: string) => boolean, isValue: (value: string) => boolean): PlainRule {
  return (value) => {
    if (!isJsonObject(value)) return false;
    for (const [key, item] of value) if (typeof item !== 'string' || !isKey(key) || !isValue(item)) return false;
    return true;
  };
}

export function textThat(check: (value: string) => boolean): PlainRule {
  return (value) => typeof value === 'string' && check(value);
}

export const anyText: PlainRule = (value) => typeof value === 'string';
export const filledText: PlainRule = (value) => typeof value === 'string' && value !== '';
export const flag: PlainRule = (value) => typeof value === 'boolean';
export const nothing: PlainRule = (value) => isJsonObject(value) && value.size === 0;

export function oneOf(...known: readonly string[]): PlainRule {
  const names: ReadonlySet<JsonValue> = new Set(known);
  return (value) => names.has(value);
}

const MAX_INT32 = 2n ** 31n - 1n;

/** An integer of a field of Go type int32, or int64 if `most` is larger. */
export function integer(least: bigint, most: bigint = MAX_INT32): PlainRule {
  return (value) => typeof value === 'bigint' && value >= least && value <= most;
}

export const naturalNumber = integer(0n);
export const longCount = integer(0n, 2n ** 63n - 1n);

export function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

export function childOf(object: JsonObject, name: string): JsonObject {
  const value = object.get(name);
  return isJsonObject(value) ? value : EMPTY;
}

/** For lists of structs whose rule has already held. */
export function itemsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? (value as readonly JsonObject[]) : [];
}
