// Reads conditions of policies: any and all, or the old plain list.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';

export interface Condition {
  /** Null if not written. Keeps the difference between integers and doubles. */
  readonly key: JsonValue;
  readonly operator: string;
  readonly value: JsonValue;
  /** Kyverno's message if the condition decides. Empty: none. */
  readonly message: string;
}

export interface AnyAllConditions {
  /** Undefined if absent. An empty list never holds. */
  readonly any: readonly Condition[] | undefined;
  readonly all: readonly Condition[];
}

/** Undefined for a value that is neither a list nor an object with `any` and `all`. */
export type Conditions =
  | { readonly form: 'any-all'; readonly conditions: AnyAllConditions }
  /** A list of blocks, as in `foreach` and exceptions. All must hold. */
  | { readonly form: 'blocks'; readonly blocks: readonly AnyAllConditions[] }
  | { readonly form: 'list'; readonly conditions: readonly Condition[] };

export function readConditions(value: JsonValue | undefined): Conditions | undefined {
  if (isJsonObject(value)) return { form: 'any-all', conditions: readAnyAll(value) };
  if (!isJsonArray(value)) return undefined;
  const isBlocks = value.length > 0 && value.every((item) => isJsonObject(item) && isBlock(item));
  if (isBlocks) return { form: 'blocks', blocks: value.map((item) => readAnyAll(item as JsonObject)) };
  return { form: 'list', conditions: value.map(readCondition) };
}

function isBlock(item: JsonObject): boolean {
  return (item.has('any') || item.has('all')) && !item.has('key');
}

export function readAnyAll(value: JsonObject): AnyAllConditions {
  const any = value.get('any');
  const all = value.get('all');
  return {
    any: isJsonArray(any) ? any.map(readCondition) : undefined,
    all: isJsonArray(all) ? all.map(readCondition) : [],
  };
}

function readCondition(value: JsonValue): Condition {
  const fields = isJsonObject(value) ? value : new Map<string, JsonValue>();
  const text = (name: string): string => {
    const field = fields.get(name);
    return typeof field === 'string' ? field : '';
  };
  return {
    key: fields.get('key') ?? null,
    operator: text('operator'),
    value: fields.get('value') ?? null,
    message: text('message'),
  };
}
