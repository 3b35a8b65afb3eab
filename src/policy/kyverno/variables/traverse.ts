// Traverses a JSON document and replaces its leaves and keys (`pkg/engine/jsonutils/traverse.go`).
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { VariableError, variableFailure } from './variable-error.ts';

/** Called for each leaf and each object key. `path` joins the keys with `/`; for a key, it is the object's path. */
export type LeafAction = (leaf: JsonValue, path: string) => JsonValue | VariableError;

/** Documents are less deep, but substituted values may add depth. */
const MAX_DEPTH = 2000;

/** If the action returns a list or an object, that is traversed, too. */
export function traverse(document: JsonValue, action: LeafAction): JsonValue | VariableError {
  return walk(document, '', action, 0);
}

function walk(element: JsonValue, path: string, action: LeafAction, depth: number): JsonValue | VariableError {
  if (depth > MAX_DEPTH) return new VariableError('limit', 'a document that is nested too deeply');
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
