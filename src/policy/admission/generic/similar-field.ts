// The field that someone probably meant who asked for one that is not there.
import type { Type } from '../../../cel/check/type.ts';
import { nearestName } from '../../../diagnostic/nearest-name.ts';
import type { KnownKinds } from '../../../kubernetes/cel/known-kinds.ts';

/** Objects inside objects that are searched for a field of the very name. */
const MAX_DEPTH = 3;

export function similarField(object: Type, field: string, { types }: KnownKinds): string | undefined {
  return nearestName(field, types.fieldNames(object) ?? []);
}

/** `template.spec.volumes` for `volumes`; the shortest way, and of those the first in the order of fields. */
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
