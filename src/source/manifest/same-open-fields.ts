// Compares what is open in two states of a document whose values are equal.
import type { Manifest } from './manifest.ts';

/** False if a field is open in one state only, or if other circumstances give other values: then equal values are the same by chance. */
export function hasSameOpenFields(one: Manifest, other: Manifest): boolean {
  if (one === other) return true;
  if (one.otherValues !== other.otherValues || one.dependsOn !== other.dependsOn) return false;
  const [fields = [], others = []] = [one.openFields?.(), other.openFields?.()];
  return fields.length === others.length && JSON.stringify(fields) === JSON.stringify(others);
}
