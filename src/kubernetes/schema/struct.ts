// The structure of API objects: what Go's structs say about every field of a built-in kind.

/** How a type is decoded and what its zero value looks like in an object. */
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

/** Types with JSON decoding of their own. */
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

/** Semantics of lists and maps when two versions of an object are merged; absent where a list is atomic and a map granular. */
export type MergeSemantics =
  | { readonly kind: 'set' }
  /** The list's elements are told apart by these fields. */
  | { readonly kind: 'map'; readonly keys: readonly string[] }
  /** A map or struct that is replaced as a whole. */
  | { readonly kind: 'atomic' };

export interface Field {
  /** The JSON key. */
  readonly name: string;
  readonly type: FieldType;
  readonly isPointer: boolean;
  /** When the field is left out of an object: never, if it is empty in Go's sense, or also if it is the zero value. */
  readonly omit: 'never' | 'empty' | 'zero';
  /** Go names of the embedded structs on the way to the field, outermost first, as far as errors name them. */
  readonly embedded: readonly string[];
  readonly merge: MergeSemantics | undefined;
  /** Value declared by `+default`, as text; only where it is not the zero value. */
  readonly default: string | undefined;
}

export interface Struct {
  /** Package and name, `core/v1.PodSpec`. */
  readonly name: string;
  /** Fields by JSON key, those of embedded structs included, in Go's order. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields that an object has even if nobody gave them a value. */
  readonly alwaysWritten: readonly Field[];
  readonly isAtomic: boolean;
}

/** `PodSpec` of `core/v1.PodSpec`. */
export function shortName(struct: Struct): string {
  return struct.name.slice(struct.name.lastIndexOf('.') + 1);
}
