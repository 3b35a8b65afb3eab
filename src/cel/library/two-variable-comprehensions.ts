// `all(i, v, …)`, `transformMap(k, v, …)` and their like (cel-go `ext.TwoVarComprehensions`).
import type { Library } from '../library.ts';
import { MAP_INSERT, TWO_VARIABLE_MACROS } from '../syntax/two-variable-macros.ts';
import { insertEntry } from '../value/mutable.ts';
import { ErrorValue, type MapValue } from '../value/value.ts';

export const TWO_VARIABLE_COMPREHENSIONS: Library = {
  name: 'cel.lib.ext.comprev2',
  macros: TWO_VARIABLE_MACROS,
  functions: [
    {
      name: MAP_INSERT,
      overloads: [
        {
          id: '@mapInsert_map_key_value',
          signature: `${MAP_INSERT}(map(<K>, <V>), <K>, <V>) -> map(<K>, <V>)`,
          evaluate: insertEntry,
        },
        {
          id: '@mapInsert_map_map',
          signature: `${MAP_INSERT}(map(<K>, <V>), map(<K>, <V>)) -> map(<K>, <V>)`,
          evaluate: insertEntries,
        },
      ],
    },
  ],
};

function insertEntries(map: MapValue, more: MapValue): MapValue | ErrorValue {
  let target = map;
  for (const [key, value] of more.entries()) {
    const next = insertEntry(target, key, value);
    if (next instanceof ErrorValue) return next;
    target = next;
  }
  return target;
}
