// The merge strategy of a type: whether its lists and maps are merged or replaced (structured-merge-diff `schema/elements.go`).
import type { JsonValue } from '../../source/json/json.ts';

export type MergeScalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** A value may have any of the defined forms; most types have one. */
export interface MergeType {
  readonly scalar?: MergeScalar | undefined;
  readonly list?: MergeList | undefined;
  readonly map?: MergeMap | undefined;
}

export interface MergeList {
  readonly isAtomic: boolean;
  /** Fields that identify an element. An associative list without keys is a set. */
  readonly keys: readonly string[];
  readonly element: MergeType;
}

/** A map or a struct. */
export interface MergeMap {
  readonly isAtomic: boolean;
  field(name: string): MergeField | undefined;
  /** Type of all keys that are not fields; undefined if there are no other keys. */
  readonly element: MergeType | undefined;
}

export interface MergeField {
  readonly type: MergeType;
  /** Replaces a missing key of an associative list. */
  readonly default: JsonValue | undefined;
}

const noField = (): undefined => undefined;

/** Any value, replaced as a whole. */
export const UNTYPED_ATOMIC: MergeType = {
  scalar: 'untyped',
  list: {
    isAtomic: true,
    keys: [],
    get element() {
      return UNTYPED_ATOMIC;
    },
  },
  map: {
    isAtomic: true,
    field: noField,
    get element() {
      return UNTYPED_ATOMIC;
    },
  },
};

/** Any value; maps are merged, lists are replaced. */
export const UNTYPED_DEDUCED: MergeType = {
  scalar: 'untyped',
  list: { isAtomic: true, keys: [], element: UNTYPED_ATOMIC },
  map: {
    isAtomic: false,
    field: noField,
    get element() {
      return UNTYPED_DEDUCED;
    },
  },
};
