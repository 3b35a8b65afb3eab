// Values that are replaced before the server sees them: what is wrong with one is not the server's to say.
import type { Resource } from '../kubernetes/resource.ts';
import type { FieldPath } from '../source/field-path.ts';
import { objectOrEmpty, valueAt } from '../source/json-field.ts';
import { isSubstitutionDisabled, variableWithin } from '../source/substitution.ts';

/** The first placeholder in a field, or in what it holds. */
export function placeholderAt({ value }: Resource, path: FieldPath): string | undefined {
  if (isSubstitutionDisabled(objectOrEmpty(value.get('metadata')))) return undefined;
  return variableWithin(valueAt(value, path) ?? null);
}
