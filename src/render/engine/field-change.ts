// Which step of a rendering decided a field.
import type { FieldChange } from './render-request.ts';

/**
 * The change that set the field at `path`, or took it away; undefined: it is as it was written. A field that is not there belongs to the
 * change that removed it, else to nobody.
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
