// Object types declared for a schema, by name (apiserver `pkg/cel/types.go: DeclTypeProvider`).
import { struct, type Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import { ErrorValue } from '../../cel/value/value.ts';

export type DeclaredFields = ReadonlyMap<string, Type>;

interface Declared {
  readonly type: Type;
  fields: DeclaredFields | (() => DeclaredFields);
}

/** Types may be recursive, so a type's fields are computed on their first lookup. */
export class DeclaredTypes implements TypeProvider {
  readonly #declared = new Map<string, Declared>();

  /** A name always has one type; later declarations of the same name are ignored. */
  declare(name: string, fields: () => DeclaredFields): Type {
    const known = this.#declared.get(name);
    if (known !== undefined) return known.type;
    const type = struct(name);
    this.#declared.set(name, { type, fields });
    return type;
  }

  findStruct(name: string): Type | undefined {
    return this.#declared.get(name)?.type;
  }

  findField(type: Type, field: string): Type | undefined {
    return this.#fieldsOf(type)?.get(field);
  }

  fieldNames(type: Type): readonly string[] | undefined {
    return [...(this.#fieldsOf(type)?.keys() ?? [])];
  }

  newStruct(type: Type): ErrorValue {
    return new ErrorValue(`unknown type '${type.name}'`);
  }

  #fieldsOf(type: Type): DeclaredFields | undefined {
    const declared = this.#declared.get(type.name);
    if (declared === undefined) return undefined;
    if (typeof declared.fields === 'function') declared.fields = declared.fields();
    return declared.fields;
  }
}
