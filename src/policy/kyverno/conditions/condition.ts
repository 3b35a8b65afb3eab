// Conditions as policies write them: any and all, or the plain list of old.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';

export interface Condition {
  /** Null where nothing is written. Integers and doubles as the policy has them. */
  readonly key: JsonValue;
  readonly operator: string;
  readonly value: JsonValue;
  /** Told when the condition decides; empty for none. */
  readonly message: string;
}

export interface AnyAllConditions {
  /** Undefined where none is written: an empty list is never fulfilled. */
  readonly any: readonly Condition[] | undefined;
  readonly all: readonly Condition[];
}

/** Undefined for what is neither an object with `any` and `all` nor a list. */
export type Conditions =
  | { readonly form: 'any-all'; readonly conditions: AnyAllConditions }
  /** A list of blocks, as `foreach` and exceptions have them, each of which has to hold. */
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
