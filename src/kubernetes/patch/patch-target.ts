// How patches of objects of one kind are applied: the seam between mutating policies and what is known of kinds.
import type { StructValue } from '../../cel/value/value.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { MergeType } from './merge-type.ts';
import type { PatchObject } from './patch-value.ts';

export type PatchedObject = { readonly object: JsonObject } | { readonly error: string };

/** What came of a configuration in one walk. */
export interface PlainMerge {
  /** As the server holds it, with its defaults: the object before, if nothing changed. */
  readonly object: JsonObject;
  /** How many values the configuration brought, less those it took away; undefined where completing may have taken some away, too. */
  readonly brought: number | undefined;
}

export interface PatchTarget {
  /** Undefined where the server has no schema of the kind: it then refuses every patch. */
  readonly mergeType: MergeType | undefined;
  /** True if nothing is known of the kind but that its objects have metadata: what the server makes of lists is open. */
  readonly isAssumed: boolean;
  /** True for built-in kinds, which the server holds in Go's types and converts after each mutation. */
  readonly isTyped: boolean;
  /**
   * Merges what an expression made and converts it, where that takes nothing but fields, scalars and new elements; undefined for
   * everything else, what is wrong with it included: then it is merged step by step. Absent where there is no such way.
   */
  mergePlain?(value: StructValue, before: JsonObject): PlainMerge | undefined;
  /** What was merged into `before`, as the server holds objects of the kind, with its defaults; may share with `before` what stayed. `configuration`: what was merged. */
  fromMerged(merged: JsonObject, before?: JsonObject, configuration?: PatchObject): PatchedObject;
  /** What a JSON patch made of `before`, decoded strictly; an error is the server's own fault to it. */
  fromPatched(patched: JsonObject, before?: JsonObject): PatchedObject;
  /** What neither patched nor merged: a conversion that the server tries all the same. */
  fromUnpatched(object: JsonObject): PatchedObject;
}
