// Types of expressions and their names (cel-go `common/types/types.go`).

export type TypeKind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'struct'
  | 'param';

/** Immutable. `optional_type(T)` is an opaque type with one parameter, as in cel-go. */
export class Type {
  readonly kind: TypeKind;
  /** The name in CEL: `int`, `null_type`, `google.protobuf.Timestamp`, `list`, `kubernetes.Quantity`, or the parameter's name. */
  readonly name: string;
  readonly parameters: readonly Type[];
  /** True for a protobuf wrapper such as `google.protobuf.Int64Value`: a scalar or null. `equals` ignores it, as in cel-go. */
  readonly nullable: boolean;

  constructor(kind: TypeKind, name: string, parameters: readonly Type[] = [], nullable = false) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    this.nullable = nullable;
  }

  /** cel-go `Type.IsExactType`: same kind, name and parameters; dyn equals only dyn. */
  equals(other: Type): boolean {
    if (this === other) return true;
    if (this.kind !== other.kind || this.name !== other.name) return false;
    if (this.parameters.length !== other.parameters.length) return false;
    return this.parameters.every((parameter, index) => parameter.equals(other.parameters[index] as Type));
  }

  /** As cel-go's `Type.String`: `list(map(string, dyn))`, `type(int)`, `wrapper(int)`. Messages use `formatType` instead. */
  toString(): string {
    if (this.nullable) return `wrapper(${this.name})`;
    if (this.parameters.length === 0) return this.name;
    return `${this.name}(${this.parameters.map(String).join(', ')})`;
  }
}

export const DYN: Type = new Type('dyn', 'dyn');
export const ANY: Type = new Type('any', 'google.protobuf.Any');
export const ERROR: Type = new Type('error', '*error*');
export const NULL: Type = new Type('null', 'null_type');
export const BOOL: Type = new Type('bool', 'bool');
export const INT: Type = new Type('int', 'int');
export const UINT: Type = new Type('uint', 'uint');
export const DOUBLE: Type = new Type('double', 'double');
export const STRING: Type = new Type('string', 'string');
export const BYTES: Type = new Type('bytes', 'bytes');
export const TIMESTAMP: Type = new Type('timestamp', 'google.protobuf.Timestamp');
export const DURATION: Type = new Type('duration', 'google.protobuf.Duration');

export const listOf = (element: Type): Type => new Type('list', 'list', [element]);
export const mapOf = (key: Type, value: Type): Type => new Type('map', 'map', [key, value]);
export const optionalOf = (value: Type): Type => new Type('opaque', 'optional_type', [value]);
export const typeTypeOf = (type: Type): Type => new Type('type', 'type', [type]);
export const opaque = (name: string, ...parameters: Type[]): Type => new Type('opaque', name, parameters);
/** `type` without a parameter. */
export const TYPE: Type = new Type('type', 'type');
export const wrapperOf = (scalar: Type): Type => new Type(scalar.kind, scalar.name, [], true);
export const struct = (name: string): Type => new Type('struct', name);
export const typeParameter = (name: string): Type => new Type('param', name);
