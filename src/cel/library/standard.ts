// CEL's standard library: operators, macros, conversions, strings and times (cel-go `common/stdlib`).
import { RegexCache } from '../../go/regexp/regex-cache.ts';
import type { Library } from '../declaration/library.ts';
import { STANDARD_MACROS } from '../syntax/standard-macros.ts';
import type { CelGo } from '../value/release.ts';
import { TimeZones } from '../value/time-zone.ts';
import { arithmetic } from './standard-arithmetic.ts';
import { comparison } from './standard-comparison.ts';
import { conversion } from './standard-conversion.ts';
import { containers, logic } from './standard-logic.ts';
import { stringFunctions } from './standard-string.ts';
import { timeFunctions } from './standard-time.ts';

/** Each library caches the patterns and time zones of its expressions. `regexes` can be shared with other libraries. */
export function standardLibrary(regexes: RegexCache = new RegexCache(), celGo: CelGo = 26): Library {
  const functions = [
    ...logic,
    ...arithmetic,
    ...comparison,
    ...containers,
    ...conversion(celGo),
    ...stringFunctions(regexes),
    ...timeFunctions(new TimeZones()),
  ];
  return { name: 'cel.lib.std', functions, macros: STANDARD_MACROS };
}
