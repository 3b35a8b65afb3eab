// Finds the field that the author of a wrong field name probably meant.
import type { Type } from '../../../cel/check/type.ts';
import { nearestName } from '../../../diagnostic/nearest-name.ts';
import type { KnownKinds } from '../../../kubernetes/cel/known-kinds.ts';

/** Depth of the search for the same field name in nested objects. */
const MAX_DEPTH = 3;

export function similarField(object: Type, field: string, { types }: KnownKinds): string | undefined {
  return nearestName(field, types.fieldNames(object) ?? []);
}

/** `template.spec.volumes` for `volumes`: the shortest path, the first one in field order. */
export function fieldFurtherInside(object: Type, field: string, { types }: KnownKinds): string | undefined {
  const seen = new Set([object]);
  let level: readonly (readonly [path: string, object: Type])[] = [['', object]];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next: (readonly [string, Type])[] = [];
    for (const [path, outer] of level) {
      for (const name of types.fieldNames(outer) ?? []) {
        const inner = types.findField(outer, name);
        if (inner === undefined || types.findStruct(inner.name) === undefined || seen.has(inner)) continue;
        if (types.findField(inner, field) !== undefined) return `${path}${name}.${field}`;
        seen.add(inner);
        next.push([`${path}${name}.`, inner]);
      }
    }
    level = next;
  }
  return undefined;
}
