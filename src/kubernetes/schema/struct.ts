// The structs of API objects: Go's declaration of every field of a built-in kind.

/** The decoding and zero value of a type. */
export type FieldType =
  | { readonly form: 'string' | 'bool' | 'float' | 'bytes'; readonly goName: string }
  | { readonly form: 'integer'; readonly goName: string; readonly bits: 8 | 32 | 64 }
  | { readonly form: 'list'; readonly goName: string; readonly element: FieldType }
  | { readonly form: 'map'; readonly goName: string; readonly value: FieldType }
  | { readonly form: 'struct'; readonly goName: string; readonly struct: Struct }
  | {
      readonly form: 'custom';
      readonly goName: string;
      readonly custom: CustomType;
      readonly content: Struct | undefined;
    };

/** Types with their own JSON decoding. */
export type CustomType =
  | 'resource.Quantity'
  | 'intstr.IntOrString'
  | 'meta/v1.Time'
  | 'meta/v1.MicroTime'
  | 'meta/v1.FieldsV1'
  | 'runtime.RawExtension'
  | 'JSON'
  | 'JSONSchemaPropsOrArray'
  | 'JSONSchemaPropsOrBool'
  | 'JSONSchemaPropsOrStringArray';

/** Merge semantics of lists and maps; absent for atomic lists and granular maps. */
export type MergeSemantics =
  | { readonly kind: 'set' }
  /** A list whose elements are identified by these fields. */
  | { readonly kind: 'map'; readonly keys: readonly string[] }
  /** A map or struct that is replaced as a whole. */
  | { readonly kind: 'atomic' };

export interface Field {
  /** The JSON key. */
  readonly name: string;
  readonly type: FieldType;
  readonly isPointer: boolean;
  /** When the field is omitted: never, if it is empty in Go's sense, or also if it is the zero value. */
  readonly omit: 'never' | 'empty' | 'zero';
  /** Go names of the embedded structs that contain the field, outermost first, if errors name them. */
  readonly embedded: readonly string[];
  readonly merge: MergeSemantics | undefined;
  /** The `+default` value as text, unless it is the zero value. */
  readonly default: string | undefined;
}

export interface Struct {
  /** Package and name, `core/v1.PodSpec`. */
  readonly name: string;
  /** Fields by JSON key, including those of embedded structs, in Go's order. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields that are written even without a value. */
  readonly alwaysWritten: readonly Field[];
  readonly isAtomic: boolean;
}

/** `PodSpec` of `core/v1.PodSpec`. */
export function shortName(struct: Struct): string {
  return struct.name.slice(struct.name.lastIndexOf('.') + 1);
}
