// Validates `verifyImages` for the failure action Audit (`api/kyverno/v1: ImageVerification.Validate`).
import { type FieldError, invalid } from '../../../kubernetes/validation/field-error.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { isEnforce } from '../validate/compiled-validation.ts';

/** `action`: the policy's. `path`: location of the rule. `index`: Kyverno's index of the rule. */
export function checkImages(rule: JsonObject, action: string, index: number, path: FieldPath): readonly FieldError[] {
  let isAudit = !isEnforce(action);
  const errors: FieldError[] = [];
  for (const [at, image] of objectItems(rule.get('verifyImages')).entries()) {
    const own = textField(image, 'failureAction');
    if (own !== '') isAudit = !isEnforce(own);
    if (!isAudit || image.get('mutateDigest') === false) continue;
    const place = [...path.slice(0, -1), index, 'verifyImages', at, 'mutateDigest'];
    errors.push(invalid(place, true, 'mutateDigest must be set to false for ‘Audit’ failure action'));
  }
  return errors;
}
