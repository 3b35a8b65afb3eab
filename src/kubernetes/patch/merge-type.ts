// What structured merge knows of a type: whether its lists and maps are merged or replaced (structured-merge-diff `schema/elements.go`).
import type { JsonValue } from '../../source/json/json.ts';

export type MergeScalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** A value may have any of the forms that are there; most types have one. */
export interface MergeType {
  readonly scalar?: MergeScalar | undefined;
  readonly list?: MergeList | undefined;
  readonly map?: MergeMap | undefined;
}

export interface MergeList {
  readonly isAtomic: boolean;
  /** Fields that tell the elements apart; empty in an associative list means that the elements are a set. */
  readonly keys: readonly string[];
  readonly element: MergeType;
}

/** A map or a struct. */
export interface MergeMap {
  readonly isAtomic: boolean;
  field(name: string): MergeField | undefined;
  /** Of every key that is not a field; undefined: there are no other keys. */
  readonly element: MergeType | undefined;
}

export interface MergeField {
  readonly type: MergeType;
  /** Stands in for a missing key of an associative list. */
  readonly default: JsonValue | undefined;
}

const noField = (): undefined => undefined;

/** Anything, replaced as a whole. */
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

/** Anything; maps are merged, lists replaced. */
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
