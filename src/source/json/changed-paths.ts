// Finds the paths at which two JSON values differ.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

/** Stop at this number of paths: the caller then treats the whole values as different. */
export const MAX_CHANGED_PATHS = 1_000;

/** Outermost paths whose values were added, removed or replaced. Lists are compared index by index. */
export function changedPaths(before: JsonValue, after: JsonValue): readonly FieldPath[] {
  const paths: FieldPath[] = [];
  collect(before, after, [], paths);
  return paths;
}

/** `steps` is the path of the two values. It is changed during the call and restored before the call returns. */
function collect(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  steps: (string | number)[],
  paths: FieldPath[],
): void {
  if (before === after || paths.length >= MAX_CHANGED_PATHS) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    // Most fields are equal, so allocate no path and no entry for them.
    for (const key of before.keys()) {
      const value = before.get(key);
      const other = after.get(key);
      if (other !== value) collectAt(key, value, other, steps, paths);
    }
    for (const key of after.keys()) if (!before.has(key)) collectAt(key, undefined, after.get(key), steps, paths);
  } else if (isJsonArray(before) && isJsonArray(after)) {
    const length = Math.max(before.length, after.length);
    for (let index = 0; index < length; index++) {
      if (before[index] !== after[index]) collectAt(index, before[index], after[index], steps, paths);
    }
  } else paths.push(steps.slice());
}

function collectAt(
  step: string | number,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  steps: (string | number)[],
  paths: FieldPath[],
): void {
  steps.push(step);
  collect(before, after, steps, paths);
  steps.pop();
}
