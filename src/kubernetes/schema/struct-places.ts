// Finds where misplaced fields of built-in kinds belong.
import type { FieldPath } from '../../source/node/field-path.ts';
import { FieldPlaces } from '../validation/field-places.ts';
import type { FieldType, Struct } from './struct.ts';

const PLACES = new FieldPlaces<Struct>((struct) =>
  [...struct.fields.values()].map(({ name, type }) => ({ name, isList: type.form === 'list', part: structOf(type) })),
);

/** The nearest part of the object with a field of the name at the end of the path; empty for the top level, undefined if there is none. */
export function placeForField(root: Struct, path: FieldPath): string | undefined {
  const parts: { part: Struct; path: FieldPath }[] = [{ part: root, path: [] }];
  let type: FieldType | undefined;
  let struct: Struct | undefined = root;
  for (const [index, step] of path.slice(0, -1).entries()) {
    if (struct !== undefined) type = struct.fields.get(String(step))?.type;
    else if (type?.form === 'list') type = type.element;
    else type = type?.form === 'map' ? type.value : undefined;
    struct = type?.form === 'struct' ? type.struct : undefined;
    if (struct !== undefined) parts.push({ part: struct, path: path.slice(0, index + 1) });
  }
  return PLACES.placeFor(String(path.at(-1)), parts);
}

function structOf(type: FieldType): Struct | undefined {
  if (type.form === 'list') return structOf(type.element);
  return type.form === 'struct' ? type.struct : undefined;
}
