// Merge types of built-in kinds, from the generated table of structs (kube-openapi `schemaconv/openapi.go` on upstream's own documents).
import type { JsonValue } from '../../source/json/json.ts';
import type { CustomType, Field, FieldType, MergeSemantics, Struct } from '../schema/struct.ts';
import { zeroField } from '../schema/zero-value.ts';
import {
  type MergeField,
  type MergeList,
  type MergeMap,
  type MergeType,
  UNTYPED_ATOMIC,
  UNTYPED_DEDUCED,
} from './merge-type.ts';

/** The types of one release, for one run. Reads a struct when a merge reaches it. */
export class BuiltinMergeTypes {
  readonly #structs = new Map<Struct, MergeMap>();

  of(struct: Struct): MergeType {
    return { map: this.#struct(struct) };
  }

  #type(type: FieldType, merge?: MergeSemantics): MergeType {
    switch (type.form) {
      case 'string':
      case 'bytes':
        return STRING;
      case 'bool':
        return BOOLEAN;
      case 'integer':
      case 'float':
        return NUMERIC;
      case 'list':
        return { list: this.#list(type.element, merge) };
      case 'map':
        return { map: { isAtomic: merge?.kind === 'atomic', field: noField, element: this.#type(type.value) } };
      case 'struct': {
        const map = this.#struct(type.struct);
        return { map: merge?.kind === 'atomic' ? { ...map, isAtomic: true } : map };
      }
      case 'custom':
        return CUSTOM_TYPES[type.custom];
    }
  }

  #list(elementType: FieldType, merge: MergeSemantics | undefined): MergeList {
    const isAtomic = merge === undefined || merge.kind === 'atomic';
    return { isAtomic, keys: merge?.kind === 'map' ? merge.keys : [], element: this.#type(elementType) };
  }

  #struct(struct: Struct): MergeMap {
    const known = this.#structs.get(struct);
    if (known !== undefined) return known;
    const fields = new Map<string, MergeField>();
    const map: MergeMap = {
      isAtomic: struct.isAtomic,
      field: (name) => {
        const declared = struct.fields.get(name);
        if (declared === undefined) return undefined;
        let field = fields.get(name);
        if (field === undefined) {
          field = { type: this.#type(declared.type, declared.merge), default: defaultOf(struct, declared) };
          fields.set(name, field);
        }
        return field;
      },
      // Upstream publishes a struct without fields as an object of unknown structure.
      element: struct.fields.size === 0 ? UNTYPED_DEDUCED : undefined,
    };
    this.#structs.set(struct, map);
    return map;
  }
}

/** The only list key that is both omitted when empty and has an empty default. */
const EMPTY_BY_DEFAULT = { struct: 'core/v1.LocalObjectReference', field: 'name' };

/** Fields that are always written default to their zero value. */
function defaultOf(struct: Struct, field: Field): JsonValue | undefined {
  const { form } = field.type;
  if (struct.name === EMPTY_BY_DEFAULT.struct && field.name === EMPTY_BY_DEFAULT.field) return '';
  if (field.default !== undefined) return form === 'integer' ? BigInt(field.default) : field.default;
  const isPlain = form === 'string' || form === 'integer' || form === 'bool';
  return field.omit === 'never' && !field.isPointer && isPlain ? zeroField(field) : undefined;
}

const noField = (): undefined => undefined;
const STRING: MergeType = { scalar: 'string' };
const BOOLEAN: MergeType = { scalar: 'boolean' };
const NUMERIC: MergeType = { scalar: 'numeric' };
const UNTYPED: MergeType = { scalar: 'untyped' };

const CUSTOM_TYPES: Readonly<Record<CustomType, MergeType>> = {
  'resource.Quantity': UNTYPED,
  'intstr.IntOrString': UNTYPED,
  'meta/v1.Time': UNTYPED,
  'meta/v1.MicroTime': UNTYPED,
  'meta/v1.FieldsV1': { map: { isAtomic: false, field: noField, element: UNTYPED_DEDUCED } },
  'runtime.RawExtension': UNTYPED_ATOMIC,
  JSON: UNTYPED_DEDUCED,
  JSONSchemaPropsOrArray: UNTYPED_DEDUCED,
  JSONSchemaPropsOrBool: UNTYPED_DEDUCED,
  JSONSchemaPropsOrStringArray: UNTYPED_DEDUCED,
};
