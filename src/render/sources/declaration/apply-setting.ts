// How kustomize-controller applies an object, as the metadata of the object says.
import type { JsonObject } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { NeverApplied } from '../../../source/manifest/manifest.ts';

const GROUP = 'kustomize.toolkit.fluxcd.io';

type Setting = readonly [key: string, value: string];

/** Labels or annotations. Follows `apply` in internal/controller/kustomization_controller.go. */
const NEVER_APPLIED: readonly Setting[] = [
  [`${GROUP}/reconcile`, 'disabled'],
  [`${GROUP}/ssa`, 'Ignore'],
];
const ONLY_CREATED: Setting = [`${GROUP}/ssa`, 'IfNotPresent'];

/** For an object that the controller neither creates nor changes (`shouldSkipApply` in ssa/manager_apply.go of fluxcd/pkg). */
export function neverAppliedByFlux(object: JsonObject): NeverApplied | undefined {
  const setting = NEVER_APPLIED.find((each) => hasSetting(object, each));
  return setting && { because: setting.join(': '), staysIfExisting: true };
}

/** True if the controller never changes the object if it exists. */
export function leavesExistingObject(object: JsonObject): boolean {
  return [ONLY_CREATED, ...NEVER_APPLIED].some((setting) => hasSetting(object, setting));
}

/** Upper and lower case are equal (`AnyInMetadata` in ssa/utils/meta.go). */
function hasSetting(object: JsonObject, [key, value]: Setting): boolean {
  const metadata = objectOrEmpty(object.get('metadata'));
  return ['labels', 'annotations'].some(
    (field) => textField(objectOrEmpty(metadata.get(field)), key).toLowerCase() === value.toLowerCase(),
  );
}
