// Loads the patch targets only when a policy patches an object.
import type { AdmissionObjects } from '../schema/admission-object.ts';
import { PatchTargets } from './patch-targets.ts';

export function patchTargetsOf(objects: AdmissionObjects): PatchTargets {
  return new PatchTargets(objects);
}
