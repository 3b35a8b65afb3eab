// The form of a default that depends on other fields.
import type { MutableObject } from '../typed-field.ts';

export interface DefaultContext {
  /** 36 for Kubernetes 1.36; decides on defaults behind feature gates by the gate's default in that release. */
  readonly minor: number;
  /** RFC 3339, for the few fields that default to the time of the request. */
  readonly now: string;
}

/**
 * Completes a struct after its fixed values were set and before the structs inside it. It changes the struct in place; of what is in it
 * only what follows from nothing outside of that. What follows from a field elsewhere is set in a copy (`ownObject`): it may be shared
 * with the object that a mutation was applied to.
 */
export type DefaultFunction = (object: MutableObject, context: DefaultContext) => void;

/** By the struct's package and name. */
export type DefaultFunctions = ReadonlyMap<string, DefaultFunction>;
