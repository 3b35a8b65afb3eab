// What patches are applied to: made where something patches, and only then read.
import type { AdmissionObjects } from '../schema/admission-object.ts';
import { PatchTargets } from './patch-targets.ts';

export function patchTargetsOf(objects: AdmissionObjects): PatchTargets {
  return new PatchTargets(objects);
}
