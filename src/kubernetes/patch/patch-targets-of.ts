// Loads the patch targets only when a policy patches an object.
import type { AdmissionObjects } from '../schema/admission-object.ts';
import type { MergeTypes } from './merge-types.ts';
import { PatchTargets } from './patch-targets.ts';

export function patchTargetsOf(objects: AdmissionObjects, mergeTypes: MergeTypes): PatchTargets {
  return new PatchTargets(objects, mergeTypes);
}
