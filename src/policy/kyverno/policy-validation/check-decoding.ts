// Rejects conditions that Kyverno's Go types cannot decode; the CRD accepts any value there (`api/kyverno/v1/wrappers.go`).

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { type Refusal, refusal } from './refusal.ts';

/** Kyverno's message for a policy that it cannot decode. */
export const UNDECODABLE_CONDITIONS = 'failed to unmarshal Conditions';

export function checkDecoding(spec: JsonObject): Refusal | undefined {
  for (const [index, rule] of objectItems(spec.get('rules')).entries()) {
    const path: FieldPath = ['spec', 'rules', index];
    const targets = objectItems(objectOrEmpty(rule.get('mutate')).get('targets'));
    const places: (readonly [JsonValue | undefined, FieldPath])[] = [
      [rule.get('preconditions'), [...path, 'preconditions']],
      [
        objectOrEmpty(objectOrEmpty(rule.get('validate')).get('deny')).get('conditions'),
        [...path, 'validate', 'deny', 'conditions'],
      ],
      ...targets.map((target, at) => {
        return [target.get('preconditions'), [...path, 'mutate', 'targets', at, 'preconditions']] as const;
      }),
    ];
    const wrong = places.find(([value]) => !isDecodable(value ?? null));
    if (wrong !== undefined) return refusal(UNDECODABLE_CONDITIONS, wrong[1]);
  }
  return undefined;
}

/** A list of conditions, or an object with `any` and `all`. Unknown fields of conditions are ignored. */
function isDecodable(value: JsonValue): boolean {
  if (value === null) return true;
  if (isJsonArray(value)) return areConditions(value);
  if (!isJsonObject(value)) return false;
  return [value.get('any'), value.get('all')].every((list) => {
    return (list ?? null) === null || (isJsonArray(list ?? null) && areConditions(list as readonly JsonValue[]));
  });
}

function areConditions(conditions: readonly JsonValue[]): boolean {
  return conditions.every((condition) => {
    if (condition === null) return true;
    if (!isJsonObject(condition)) return false;
    return ['operator', 'message'].every((field) => {
      const value = condition.get(field) ?? null;
      return value === null || typeof value === 'string';
    });
  });
}
