// cel-go's `ext.TwoVarComprehensions`: comprehensions over keys and values, and the functions that build their maps.
import type { Library } from '../declaration/library.ts';
import { UNIT } from '../declaration/price.ts';
import { MAP_INSERT, TWO_VARIABLE_MACROS } from '../syntax/two-variable-macros.ts';
import { insertEntry } from '../value/mutable.ts';
import { ErrorValue, type MapValue } from '../value/value.ts';

function insertAll(target: MapValue, entries: MapValue): MapValue | ErrorValue {
  let map = target;
  for (const [key, value] of entries.entries()) {
    const grown = insertEntry(map, key, value);
    if (grown instanceof ErrorValue) return grown;
    map = grown;
  }
  return map;
}

/** Kubernetes from 1.32. */
export const TWO_VARIABLE_COMPREHENSIONS: Library = {
  name: 'cel.lib.ext.comprev2',
  functions: [
    {
      name: MAP_INSERT,
      overloads: [
        {
          id: '@mapInsert_map_key_value',
          signature: 'cel.@mapInsert(map(<K>, <V>), <K>, <V>) -> map(<K>, <V>)',
          evaluate: insertEntry,
          price: UNIT,
        },
        {
          id: '@mapInsert_map_map',
          signature: 'cel.@mapInsert(map(<K>, <V>), map(<K>, <V>)) -> map(<K>, <V>)',
          evaluate: insertAll,
          price: UNIT,
        },
      ],
    },
  ],
  macros: TWO_VARIABLE_MACROS,
};
