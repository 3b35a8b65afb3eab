// Types of defaults that depend on other fields.
import type { MutableObject } from '../typed-field.ts';

export interface DefaultContext {
  /** 36 for Kubernetes 1.36. Feature gates have their default of that release. */
  readonly minor: number;
  /** RFC 3339, for the few fields that default to the time of the request. */
  readonly now: string;
}

/**
 * Completes a struct after its fixed values and before its nested structs. May change the struct in place, and nested
 * values that depend only on themselves. Nested values that depend on other fields must be set in a copy (`ownObject`),
 * because they may be shared with the object before a mutation.
 */
export type DefaultFunction = (object: MutableObject, context: DefaultContext) => void;

/** Keyed by the struct's package and name. */
export type DefaultFunctions = ReadonlyMap<string, DefaultFunction>;
