// The stage of admission in which mutating policies change an object.
import type { JsonObject } from '../../source/json/json.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { PatchTarget } from './patch-target.ts';

export interface MutationStage {
  /** Undefined if the server has no schema for the kind. */
  patchTarget(kind: GroupVersionKind): PatchTarget | undefined;
  /** The object after another run of the admission plugins that precede policies. */
  admitAgain(object: JsonObject): JsonObject;
}

/** Receives the object before mutation and returns the mutated one, or the same object if nothing changed. */
export type Mutate = (object: JsonObject, stage: MutationStage) => JsonObject;
