// Where in a document the values of a query come from.
import type { FieldPath } from '../../../source/field-path.ts';

/** A field or element of a document. */
export interface FieldOrigin {
  /** Undefined for a name at the top of the document. */
  readonly parent: FieldOrigin | undefined;
  readonly key: string | number;
}

/**
 * A field; or a list or an object that a query made, whose members come from somewhere each. Undefined: computed.
 * A name that an object does not tell of is a name at the top of the document.
 */
export type Origin = FieldOrigin | readonly Origin[] | ReadonlyMap<string, Origin> | undefined;

export function childOrigin(origin: Origin, key: string | number): Origin {
  if (origin === undefined) return undefined;
  if (origin instanceof Map) {
    return origin.has(String(key)) ? origin.get(String(key)) : { parent: undefined, key };
  }
  if (Array.isArray(origin)) return typeof key === 'number' ? origin[key] : undefined;
  return { parent: origin as FieldOrigin, key };
}

/** Every field that a value comes from, in order. */
export function fieldsOf(origin: Origin): readonly FieldPath[] {
  const paths: FieldPath[] = [];
  const collect = (some: Origin): void => {
    if (some === undefined) return;
    if (some instanceof Map) for (const member of some.values()) collect(member);
    else if (Array.isArray(some)) for (const member of some) collect(member);
    else paths.push(pathOf(some as FieldOrigin));
  };
  collect(origin);
  return paths;
}

export function pathOf(origin: FieldOrigin): FieldPath {
  const path: (string | number)[] = [];
  for (let at: FieldOrigin | undefined = origin; at !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
