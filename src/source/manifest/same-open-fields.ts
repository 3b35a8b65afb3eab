// Compares what is open in two states of a document whose values are equal.
import type { Manifest } from './manifest.ts';

/** False if a field is open in one state only, or if an upgrade applies another text: then equal values are the same by chance. */
export function hasSameOpenFields(one: Manifest, other: Manifest): boolean {
  if (one === other) return true;
  if (one.textOnUpgrade !== other.textOnUpgrade) return false;
  const [fields = [], others = []] = [one.openFields?.(), other.openFields?.()];
  return fields.length === others.length && JSON.stringify(fields) === JSON.stringify(others);
}
