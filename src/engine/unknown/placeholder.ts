// Finds placeholders that a later step substitutes before the server sees the object.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { placeholderWithin } from '../../source/placeholder/placeholder-text.ts';
import { isSubstitutionDisabled } from '../../source/placeholder/substitution.ts';

/** The first placeholder in the field or below it. */
export function placeholderAt({ value }: Resource, path: FieldPath): string | undefined {
  if (isSubstitutionDisabled(objectOrEmpty(value.get('metadata')))) return undefined;
  return placeholderWithin(valueAt(value, path) ?? null);
}
