// Finds the rendering step that decided a field.
import type { FieldChange } from './render-request.ts';

/**
 * The change that set or removed the field at `path`; undefined if the field is as written. Only a change that removed a missing field owns
 * it.
 */
export function decidingChange(
  changes: readonly FieldChange[],
  path: readonly (string | number)[],
): FieldChange | undefined {
  let deciding: FieldChange | undefined;
  for (const change of changes) {
    const isAbove = change.path.length <= path.length && change.path.every((step, i) => step === path[i]);
    if (isAbove && change.path.length >= (deciding?.path.length ?? 0)) deciding = change;
  }
  return deciding;
}

/** Every change of a field at or below `path`, e.g. of all labels. */
export function changesBelow(
  changes: readonly FieldChange[],
  path: readonly (string | number)[],
): readonly FieldChange[] {
  return changes.filter((change) => path.every((step, i) => change.path[i] === step));
}
