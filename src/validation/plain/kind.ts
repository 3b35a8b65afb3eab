// What a kind of the plain check consists of.
import type { JsonObject } from '../../source/json/json.ts';
import { anyText, childOf, type FieldCondition, type PlainRule, structOf } from './rule.ts';
import { sameJson } from './same-json.ts';

export interface PlainKind {
  /** For an object to create. Its update is proven only if the rule holds for the old and the new object. */
  readonly rule: PlainRule;
  /** True if the strategy of the kind allows the change. Absent: an update is never proven. */
  readonly allowsUpdate?: (object: JsonObject, old: JsonObject) => boolean;
  /** The path of its Pod template, or of nothing if it is a Pod. */
  readonly podAt?: readonly string[];
}

export const anyUpdate = (): boolean => true;

/** For an update that changes only fields other than these fields of `spec`. */
export function keeps(...names: readonly string[]): (object: JsonObject, old: JsonObject) => boolean {
  return (object, old) => keepsFields(childOf(object, 'spec'), childOf(old, 'spec'), names);
}

export function keepsFields(object: JsonObject, old: JsonObject, names: readonly string[]): boolean {
  return names.every((name) => sameJson(object.get(name), old.get(name)));
}

/** The top level of an object. */
export function objectOf(
  rules: Readonly<Record<string, PlainRule>>,
  required = 'metadata',
  condition?: FieldCondition,
): PlainRule {
  return structOf({ apiVersion: anyText, kind: anyText, ...rules }, required, condition);
}
