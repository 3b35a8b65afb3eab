// What an expression can evaluate to. Plain JSON needs no conversion: null, boolean, bigint (int), number (double), string, array, Map.
import type { Type } from '../check/type.ts';
import type { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import type { TraceEvent } from './trace.ts';

/** cel-go `common/types/ref.Val`. Errors are values too, so that `||`, `&&` and `all` can absorb them. */
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
 * Maps with string keys are JavaScript Maps; that is every JSON object. Maps with any other key are `KeyedMap`s
 * (`keyed-map.ts`), because `1`, `1u` and `1.0` are the same key but not the same value.
 */
export type MapValue = StringMap | KeyedMapValue;

/** Only a host's map has a null among its keys. */
export interface StringMap extends ReadonlyMap<string | null, Value> {}

/** The face of `KeyedMap` that the rest of the language sees. */
export interface KeyedMapValue {
  readonly kind: 'keyed-map';
  readonly size: number;
  get(key: Value): Value | undefined;
  has(key: Value): boolean;
  /** Keys in insertion order, with the numeric type they were written with. */
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

/** What hosts tell apart: no function takes the values, or a limit of cost or of work was reached. */
export type ErrorKind = 'no-such-overload' | 'cost-exceeded' | 'work-exceeded' | 'other';

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

/** A message built with `Name{field: value}`; fields that were not set are absent. */
export class StructValue {
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;
  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    this.type = type;
    this.fields = fields;
  }
}

/** A value whose inside belongs to a library (Quantity, IP, Authorizer …). Extend it once per type. */
export abstract class OpaqueValue {
  abstract readonly type: Type;
  /** CEL `==` with another value of any type; an error where cel-go has one. */
  abstract equals(other: Value): boolean | ErrorValue;
  /** Fields readable with `.name`; undefined means there is none (`no such key`). Default: no fields. */
  get(_field: string): Value | undefined {
    return undefined;
  }
  /** The run that computed a field, where fields are computed on demand and the run was observed. */
  traceOf(_field: string): TraceEvent | undefined {
    return undefined;
  }
  /** Presence of a field for `has()` and optional selection. */
  has(field: string): boolean {
    return this.get(field) !== undefined;
  }
  /**
   * Go's type and text of the value, e.g. `(*resource.Quantity)1`, if cel-go cannot turn `ref.Val.Value()` back into a CEL value:
   * optionals of such values break when they pass through `?:` or `optMap` (`unsupported conversion to ref.Val: …`).
   */
  get unadaptable(): string | undefined {
    return undefined;
  }
  /** What is left of the value once cel-go has turned it into a Go value and back, if it can. */
  get native(): Value {
    return this;
  }
  /** Go's type of the value as `%T` prints it, e.g. `library.Quantity`, for messages like `got '…', expected iterable type`. */
  get goType(): string {
    return this.type.name;
  }
  /** What Go's maps know the value by, which is the value itself unless equal ones are one key; a Panic if Go cannot hash it. */
  get identity(): unknown {
    return this;
  }
  /** `optional.ofNonZeroValue` leaves zero values out (cel-go `traits.Zeroer`). */
  get isZero(): boolean {
    return false;
  }
  /** The `size` that cost counting sees (cel-go `traits.Sizer`); 1 for everything that is not a container. */
  get costSize(): number {
    return 1;
  }
}
