// CEL's standard library: operators, macros, conversions, strings, times and the names of its types (cel-go `common/stdlib`).
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf as typeOfType,
  UINT,
} from '../check/type.ts';
import type { TypeProvider } from '../check/type-provider.ts';
import type { Library } from '../library.ts';
import { STANDARD_MACROS } from '../syntax/standard-macros.ts';
import { TimeZones } from '../value/time-zone.ts';
import { LIST, MAP, TYPE } from '../value/type-of.ts';
import { TypeValue } from '../value/value.ts';
import { RegexCache } from './regex/regex-cache.ts';
import { arithmetic } from './standard-arithmetic.ts';
import { comparison } from './standard-comparison.ts';
import { conversion } from './standard-conversion.ts';
import { containers, logic } from './standard-logic.ts';
import { stringFunctions } from './standard-string.ts';
import { timeFunctions } from './standard-time.ts';

const TYPES: ReadonlyMap<string, Type> = new Map(
  [BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT].map((type) => [type.name, type]),
);

const TYPE_NAMES: TypeProvider = {
  findStruct: () => undefined,
  findField: () => undefined,
  fieldNames: () => undefined,
  findIdentifier(name) {
    const type = TYPES.get(name);
    return type && { type: typeOfType(type), value: new TypeValue(type) };
  },
};

/** Each library keeps the patterns and time zones its expressions have asked for; `regexes` can be shared with others. */
export function standardLibrary(regexes: RegexCache = new RegexCache()): Library {
  const functions = [
    ...logic,
    ...arithmetic,
    ...comparison,
    ...containers,
    ...conversion,
    ...stringFunctions(regexes),
    ...timeFunctions(new TimeZones()),
  ];
  return { name: 'cel.lib.std', functions, macros: STANDARD_MACROS, types: TYPE_NAMES };
}
