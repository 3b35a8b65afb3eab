// How kustomize-controller applies an object, as the metadata of the object says.
import type { JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';

const GROUP = 'kustomize.toolkit.fluxcd.io';

/** Values by label or annotation. Follows `apply` in internal/controller/kustomization_controller.go. */
const LEFT_AS_THEY_ARE: readonly (readonly [string, string])[] = [
  [`${GROUP}/ssa`, 'ifnotpresent'],
  [`${GROUP}/ssa`, 'ignore'],
  [`${GROUP}/reconcile`, 'disabled'],
];

/** True if the controller never changes the object if it exists: `shouldSkipApply` in ssa/manager_apply.go of fluxcd/pkg. */
export function leavesExistingObject(object: JsonObject): boolean {
  const metadata = objectOrEmpty(object.get('metadata'));
  return ['labels', 'annotations'].some((field) =>
    LEFT_AS_THEY_ARE.some(([key, value]) => textField(objectOrEmpty(metadata.get(field)), key).toLowerCase() === value),
  );
}
