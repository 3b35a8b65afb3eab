// Walks through a JSON document and changes its leaves and keys (`pkg/engine/jsonutils/traverse.go`).
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { VariableError, variableFailure } from './variable-error.ts';

/** A leaf, or the key of an object, with the path of keys joined by `/`; the key of an object stands at the object's path. */
export type LeafAction = (leaf: JsonValue, path: string) => JsonValue | VariableError;

/** Documents are not deeper; what variables bring in may make them so. */
const MAX_DEPTH = 2000;

/** What the action makes of a leaf is walked through too, if it is a list or an object. */
export function traverse(document: JsonValue, action: LeafAction): JsonValue | VariableError {
  return walk(document, '', action, 0);
}

function walk(element: JsonValue, path: string, action: LeafAction, depth: number): JsonValue | VariableError {
  if (depth > MAX_DEPTH) return new VariableError('limit', 'the document is nested too deeply');
  let value: JsonValue | VariableError = element;
  if (!isJsonArray(element) && !isJsonObject(element)) value = action(element, path);
  if (value instanceof VariableError) return value;
  if (isJsonArray(value)) return walkList(value, path, action, depth);
  return isJsonObject(value) ? walkObject(value, path, action, depth) : value;
}

function walkList(
  list: readonly JsonValue[],
  path: string,
  action: LeafAction,
  depth: number,
): JsonValue | VariableError {
  let changed: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as JsonValue;
    const value = walk(item, `${path}/${index}`, action, depth + 1);
    if (value instanceof VariableError) return value;
    if (value === item) continue;
    changed ??= [...list];
    changed[index] = value;
  }
  return changed ?? list;
}

function walkObject(
  object: ReadonlyMap<string, JsonValue>,
  path: string,
  action: LeafAction,
  depth: number,
): JsonValue | VariableError {
  const walked = new Map<string, JsonValue>();
  let isChanged = false;
  for (const [key, member] of object) {
    let newKey = action(key, path);
    if (isJsonArray(newKey as JsonValue) || isJsonObject(newKey as JsonValue)) {
      newKey = walk(newKey as JsonValue, path, action, depth + 1);
    }
    if (newKey instanceof VariableError) return newKey;
    if (newKey !== null && typeof newKey !== 'string') {
      return variableFailure(`expected string after substituting variables in key "${key}"`);
    }
    const value = walk(member, `${path}/${key.replaceAll('/', '\\/')}`, action, depth + 1);
    if (value instanceof VariableError) return value;
    walked.set(newKey ?? key, value);
    isChanged ||= value !== member || (newKey !== null && newKey !== key);
  }
  return isChanged ? walked : object;
}
