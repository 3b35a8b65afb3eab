// Optional values: `optional.of(x)`, `a.?b`, `x.orValue(y)` (cel-go `cel.OptionalTypes`).
import { typeTypeOf as typeOfType } from '../check/type.ts';
import type { FunctionDeclaration, Library, Overload } from '../declaration/library.ts';
import { UNIT } from '../declaration/price.ts';
import { OPTIONAL_MACROS } from '../syntax/optional-macros.ts';
import { isMap } from '../value/equality.ts';
import { goText } from '../value/go-text.ts';
import { Bytes, Duration, Timestamp, Uint } from '../value/scalar.ts';
import { OPTIONAL } from '../value/type-of.ts';
import {
  ErrorValue,
  type ListValue,
  OpaqueValue,
  Optional,
  StructValue,
  TypeValue,
  type Value,
} from '../value/value.ts';
import { noSuchOverload } from './no-such-overload.ts';

const CHOICES: readonly string[] = ['or', 'orValue'];
const receiver = (value: Value): Value => value;

/**
 * The planner implements the operators, and `or` and `orValue` of optionals, because they evaluate their argument only if needed. For other
 * receivers it calls the functions.
 */
const FUNCTIONS: readonly FunctionDeclaration[] = [
  declare('optional.of', ['optional_of', 'optional.of(<V>) -> optional_type(<V>)', Optional.of]),
  declare('optional.ofNonZeroValue', [
    'optional_ofNonZeroValue',
    'optional.ofNonZeroValue(<V>) -> optional_type(<V>)',
    (value) => (isZero(value) ? Optional.none : Optional.of(value)),
  ]),
  declare('optional.none', ['optional_none', 'optional.none() -> optional_type(<V>)', () => Optional.none]),
  declare('value', [
    'optional_value',
    'optional_type(<V>).value() -> <V>',
    ({ value }: Optional) => (value === undefined ? new ErrorValue('optional.none() dereference') : value),
  ]),
  declare('hasValue', [
    'optional_hasValue',
    'optional_type(<V>).hasValue() -> bool',
    (optional: Optional) => optional.hasValue,
  ]),
  declare('or', ['optional_or_optional', 'optional_type(<V>).or(optional_type(<V>)) -> optional_type(<V>)', receiver]),
  declare('orValue', ['optional_orValue_value', 'optional_type(<V>).orValue(<V>) -> <V>', receiver]),
  declare('_?._', ['select_optional_field', '_?._(dyn, string) -> optional_type(<V>)', noSuchOverload]),
  declare(
    '_[?_]',
    ['list_optindex_optional_int', '_[?_](list(<V>), int) -> optional_type(<V>)', noSuchOverload],
    [
      'optional_list_optindex_optional_int',
      '_[?_](optional_type(list(<V>)), int) -> optional_type(<V>)',
      noSuchOverload,
    ],
    ['map_optindex_optional_value', '_[?_](map(<K>, <V>), <K>) -> optional_type(<V>)', noSuchOverload],
    [
      'optional_map_optindex_optional_value',
      '_[?_](optional_type(map(<K>, <V>)), <K>) -> optional_type(<V>)',
      noSuchOverload,
    ],
  ),
  declare(
    '_[_]',
    ['optional_list_index_int', '_[_](optional_type(list(<V>)), int) -> optional_type(<V>)', noSuchOverload],
    ['optional_map_index_value', '_[_](optional_type(map(<K>, <V>)), <K>) -> optional_type(<V>)', noSuchOverload],
  ),
  declare('last', [
    'list_last',
    'list(<V>).last() -> optional_type(<V>)',
    (list: ListValue) => optionalOf(list[list.length - 1]),
  ]),
  declare('first', ['list_first', 'list(<V>).first() -> optional_type(<V>)', (list: ListValue) => optionalOf(list[0])]),
  declare('optional.unwrap', ['optional_unwrap', 'optional.unwrap(list(optional_type(<V>))) -> list(<V>)', unwrap]),
  declare('unwrapOpt', ['optional_unwrapOpt', 'list(optional_type(<V>)).unwrapOpt() -> list(<V>)', unwrap]),
];

export const OPTIONAL_LIBRARY: Library = {
  name: 'cel.lib.optional',
  functions: FUNCTIONS,
  macros: OPTIONAL_MACROS,
  types: {
    findStruct: () => undefined,
    findField: () => undefined,
    fieldNames: () => undefined,
    findIdentifier: (name) =>
      name === OPTIONAL.name ? { type: typeOfType(OPTIONAL), value: new TypeValue(OPTIONAL) } : undefined,
  },
};

/** From cel-go 0.28, `or` and `orValue` need an optional. Before, they return any other receiver. */
export const STRICT_OPTIONAL_LIBRARY: Library = {
  ...OPTIONAL_LIBRARY,
  functions: FUNCTIONS.map((declaration) =>
    CHOICES.includes(declaration.name)
      ? { ...declaration, overloads: declaration.overloads.map((row) => ({ ...row, evaluate: noSuchOverload })) }
      : declaration,
  ),
};

type Row = readonly [id: string, signature: string, evaluate: Overload['evaluate']];

function declare(name: string, ...rows: readonly Row[]): FunctionDeclaration {
  const dispatch = CHOICES.includes(name) ? 'unguarded' : 'guarded';
  return {
    name,
    overloads: rows.map(([id, signature, evaluate]) => ({ id, signature, evaluate, price: UNIT, dispatch })),
  };
}

function optionalOf(value: Value | undefined): Optional {
  return value === undefined ? Optional.none : Optional.of(value);
}

function unwrap(list: ListValue): Value {
  const values: Value[] = [];
  for (const element of list) {
    if (!(element instanceof Optional)) return new ErrorValue(`value ${goText(element)} is not optional`);
    if (element.value !== undefined) values.push(element.value);
  }
  return values;
}

/** cel-go `traits.Zeroer`. The zero timestamp is that of Go: the first second of year 1. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Bytes) return value.data.length === 0;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  if (value instanceof Timestamp) return value.seconds === -62_135_596_800n && value.nanos === 0;
  if (value instanceof StructValue) return value.fields.size === 0;
  return value instanceof OpaqueValue && value.isZero;
}
