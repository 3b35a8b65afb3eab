// Tracks the origin of query values in a document.
import type { FieldPath } from '../../../source/node/field-path.ts';

export interface FieldOrigin {
  /** Undefined for a name at the top of the document. */
  readonly parent: FieldOrigin | undefined;
  readonly key: string | number;
}

/** Origins of a computed value. Its members have the same origins. */
export class ComputedOrigin {
  readonly from: readonly Origin[];

  constructor(from: readonly Origin[]) {
    this.from = from;
  }
}

/**
 * A field, or a list or object that a query built, with an origin for each member. Undefined: not from a document. A
 * name that is missing in the map is a name at the top of the document.
 */
export type Origin = FieldOrigin | readonly Origin[] | ReadonlyMap<string, Origin> | ComputedOrigin | undefined;

export function childOrigin(origin: Origin, key: string | number): Origin {
  if (origin === undefined || origin instanceof ComputedOrigin) return origin;
  if (origin instanceof Map) {
    return origin.has(String(key)) ? origin.get(String(key)) : { parent: undefined, key };
  }
  if (Array.isArray(origin)) return typeof key === 'number' ? origin[key] : undefined;
  return { parent: origin as FieldOrigin, key };
}

/** All distinct fields that a value comes from, in order. */
export function fieldsOf(origin: Origin): readonly FieldPath[] {
  const paths = new Map<string, FieldPath>();
  const seen = new Set<Origin>();
  const collect = (some: Origin): void => {
    if (some === undefined || seen.has(some)) return;
    seen.add(some);
    if (some instanceof ComputedOrigin) for (const member of some.from) collect(member);
    else if (some instanceof Map) for (const member of some.values()) collect(member);
    else if (Array.isArray(some)) for (const member of some) collect(member);
    else {
      const path = pathOf(some as FieldOrigin);
      paths.set(JSON.stringify(path), path);
    }
  };
  collect(origin);
  return [...paths.values()];
}

function pathOf(origin: FieldOrigin): FieldPath {
  const path: (string | number)[] = [];
  for (let at: FieldOrigin | undefined = origin; at !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
