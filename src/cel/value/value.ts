// The values of expressions. JSON needs no conversion: null, boolean, bigint (int), number (double), string, array, Map.
import type { Type } from '../check/type.ts';
import type { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import type { TraceEvent } from './trace.ts';

/** cel-go `common/types/ref.Val`. Errors are values, so that `||`, `&&` and `all` can absorb them. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint
  | Bytes
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | Optional
  | TypeValue
  | StructValue
  | OpaqueValue
  | ErrorValue;

export interface ListValue extends ReadonlyArray<Value> {}

/**
 * Maps with string keys, including all JSON objects, are JavaScript Maps. Maps with other keys are `KeyedMap`s
 * (`keyed-map.ts`), because `1`, `1u` and `1.0` are the same key but not the same value.
 */
export type MapValue = StringMap | KeyedMapValue;

/** Only host maps have null keys. */
export interface StringMap extends ReadonlyMap<string | null, Value> {}

/** The public part of `KeyedMap`. */
export interface KeyedMapValue {
  readonly kind: 'keyed-map';
  readonly size: number;
  get(key: Value): Value | undefined;
  has(key: Value): boolean;
  /** Keys in insertion order, with the numeric type in which they were written. */
  keys(): Iterable<Value>;
  entries(): Iterable<readonly [Value, Value]>;
}

/** A run-time error. `nodeId` is the AST node that raised it, known in observed runs; it is not part of the text. */
export class ErrorValue {
  readonly message: string;
  readonly kind: ErrorKind;
  readonly nodeId: number | undefined;
  constructor(message: string, kind: ErrorKind = 'other', nodeId?: number) {
    this.message = message;
    this.kind = kind;
    this.nodeId = nodeId;
  }
}

/** Kinds that hosts distinguish: no overload accepts the values, or a limit of cost or work was reached. */
export type ErrorKind = 'no-such-overload' | 'cost-exceeded' | 'work-exceeded' | 'unknown' | 'other';

/** A value that the host does not know (cel-go `types.Unknown`). Operators absorb it like an error. */
export class UnknownValue extends ErrorValue {
  /** True if the member certainly exists, so that only its value is unknown. */
  readonly isPresent: boolean;
  /** The host's name for it. */
  readonly name: string;
  constructor(name: string, isPresent: boolean) {
    super(`unknown value: ${name}`, 'unknown');
    this.name = name;
    this.isPresent = isPresent;
  }
}

export class Optional {
  static readonly none: Optional = new Optional(undefined);
  readonly value: Value | undefined;
  private constructor(value: Value | undefined) {
    this.value = value;
  }
  static of(value: Value): Optional {
    return new Optional(value);
  }
  get hasValue(): boolean {
    return this.value !== undefined;
  }
}

/** A type used as a value: `int`, `type(x)`. */
export class TypeValue {
  readonly type: Type;
  constructor(type: Type) {
    this.type = type;
  }
}

/** A message built with `Name{field: value}`; unset fields are absent. */
export class StructValue {
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;
  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    this.type = type;
    this.fields = fields;
  }
}

/** A value whose representation belongs to a library (Quantity, IP, Authorizer …). Each type is a subclass. */
export abstract class OpaqueValue {
  abstract readonly type: Type;
  /** CEL `==` with a value of any type; an error if cel-go returns one. */
  abstract equals(other: Value): boolean | ErrorValue;
  /** The field for `.name`; undefined if there is none (`no such key`). Default: no fields. */
  get(_field: string): Value | undefined {
    return undefined;
  }
  /** The trace of a field that was computed on demand in an observed run. */
  traceOf(_field: string): TraceEvent | undefined {
    return undefined;
  }
  /** For `has()` and optional selection. */
  has(field: string): boolean {
    return this.get(field) !== undefined;
  }
  /**
   * Go's type and text of the value, e.g. `(*resource.Quantity)1`, if cel-go cannot convert `ref.Val.Value()` back to a
   * CEL value: optionals of such values fail in `?:` and `optMap` (`unsupported conversion to ref.Val: …`).
   */
  get unadaptable(): string | undefined {
    return undefined;
  }
  /** The value after cel-go converts it to a Go value and back, if that is possible. */
  get native(): Value {
    return this;
  }
  /** Go's type of the value as printed by `%T`, e.g. `library.Quantity`, for messages like `got '…', expected iterable type`. */
  get goType(): string {
    return this.type.name;
  }
  /** Identity as a Go map key. Values that Go treats as one key share an identity. A Panic if Go cannot hash the value. */
  get identity(): unknown {
    return this;
  }
  /** `optional.ofNonZeroValue` returns none for zero values (cel-go `traits.Zeroer`). */
  get isZero(): boolean {
    return false;
  }
  /** The `size` for cost counting (cel-go `traits.Sizer`); 1 for everything except containers. */
  get costSize(): number {
    return 1;
  }
}
