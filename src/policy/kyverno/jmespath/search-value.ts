// Values during a query: JSON, expression references, and lists with a narrower Go type.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { SyntaxNode } from './syntax.ts';

/** `&expression`, an argument of `map`, `sort_by` and similar functions. */
export class ExpressionReference {
  readonly node: SyntaxNode;

  constructor(node: SyntaxNode) {
    this.node = node;
  }
}

/** Result of `items`: Go's `[]map[string]interface{}`, which some functions do not accept as a list. */
export class ObjectList extends Array<JsonObject> {
  // `slice` and similar methods return plain lists.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

export type SearchValue = JsonValue | ExpressionReference;

/** Go's `[]interface{}`. */
export function isPlainList(value: SearchValue): value is readonly JsonValue[] {
  return Array.isArray(value) && !(value instanceof ObjectList);
}

/** True for values that `||`, `&&`, `!` and filters treat as false. Numbers never are. */
export function isFalse(value: SearchValue): boolean {
  if (value === null || value === false || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return value instanceof Map && value.size === 0;
}

/** Go `reflect.DeepEqual`: an integer never equals a double. `spend` is called for each pair compared. */
export function deepEqual(left: SearchValue, right: SearchValue, spend: (units: number) => void): boolean {
  spend(1);
  if (left === right) return true;
  if (left instanceof ExpressionReference || right instanceof ExpressionReference) return false;
  if (isJsonArray(left)) {
    if (!isJsonArray(right) || left.length !== right.length) return false;
    if (left instanceof ObjectList !== right instanceof ObjectList) return false;
    for (let index = 0; index < left.length; index++) {
      if (!deepEqual(left[index] as JsonValue, right[index] as JsonValue, spend)) return false;
    }
    return true;
  }
  if (!isJsonObject(left) || !isJsonObject(right) || left.size !== right.size) return false;
  for (const [key, member] of left) {
    const other = right.get(key);
    if (other === undefined || !deepEqual(member, other, spend)) return false;
  }
  return true;
}

/** Name of a value's dynamic type in Go. */
export function searchedGoType(value: SearchValue): string {
  if (value === null) return '<nil>';
  if (value instanceof ExpressionReference) return 'jmespath.expRef';
  if (value instanceof ObjectList) return '[]map[string]interface {}';
  if (isJsonArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
