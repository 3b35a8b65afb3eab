// How an environment resolves named object types and identifiers that are not variables.
import type { Value } from '../value/value.ts';
import type { Type } from './type.ts';

/** cel-go `common/types.Provider`. Object types may be recursive. */
export interface TypeProvider {
  /** The struct type of that name, or undefined. */
  findStruct(name: string): Type | undefined;
  /** Type of a field; undefined means `undefined field`. */
  findField(struct: Type, field: string): Type | undefined;
  /** Every field name of a struct, for messages and completion; undefined if it accepts any name. */
  fieldNames(struct: Type): readonly string[] | undefined;
  /** The value of `Name{field: value}`; without this method, a plain StructValue. An ErrorValue makes the literal fail. */
  newStruct?(struct: Type, fields: ReadonlyMap<string, Value>): Value;
  /** Constants and type names reachable as identifiers, e.g. `net.IP`. */
  findIdentifier?(name: string): { readonly type: Type; readonly value: Value } | undefined;
}
