// The moment in an object's way into the cluster at which policies may change it.
import type { JsonObject } from '../../source/json/json.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { PatchTarget } from './patch-target.ts';

export interface MutationStage {
  /** Undefined where the server has no schema of the kind. */
  patchTarget(kind: GroupVersionKind): PatchTarget | undefined;
  /** The object after the plugins that come before policies ran once more. */
  admitAgain(object: JsonObject): JsonObject;
}

/** Gets the object as it is before policies change it, and gives what they made of it: the same object if nothing. */
export type Mutate = (object: JsonObject, stage: MutationStage) => JsonObject;
