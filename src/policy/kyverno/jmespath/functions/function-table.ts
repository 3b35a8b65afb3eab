// Declares functions and checks their arguments before a call (kyverno/go-jmespath `functions.go`).
import { trimRight } from '../../../../go/strings/trim.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../../source/json/json.ts';
import type { FunctionCall } from '../interpreter.ts';
import { panic, searchFailure } from '../search-error.ts';
import { ExpressionReference, isPlainList, type SearchValue, searchedGoType } from '../search-value.ts';
import { valueText } from '../value-text.ts';

/** Spelled as in Kyverno's messages. */
export type ArgumentType =
  | 'number'
  | 'string'
  | 'array'
  | 'object'
  | 'array[number]'
  | 'array[string]'
  | 'expref'
  | 'any';

export interface QueryFunction {
  readonly name: string;
  /** The allowed types of each argument. An empty list allows any number of arguments. */
  readonly parameters: readonly (readonly ArgumentType[])[];
  /** The last argument may repeat. Kyverno then checks no types at all. */
  readonly isVariadic?: true;
  /** Throws `SearchError`. */
  readonly handler: (values: readonly SearchValue[], call: FunctionCall) => SearchValue;
}

export class QueryFunctions {
  readonly #declarations: ReadonlyMap<string, QueryFunction>;

  /** If two functions share a name, the later one is used. */
  constructor(declarations: readonly QueryFunction[]) {
    this.#declarations = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  }

  get declared(): readonly QueryFunction[] {
    return [...this.#declarations.values()];
  }

  /** Throws `SearchError`. */
  call(name: string, values: readonly SearchValue[], call: FunctionCall): SearchValue {
    const declaration = this.#declarations.get(name);
    if (declaration === undefined) throw searchFailure(`unknown function: ${name}`);
    checkArguments(declaration, values, call);
    return declaration.handler(values, call);
  }
}

function checkArguments(
  { parameters, isVariadic }: QueryFunction,
  values: readonly SearchValue[],
  { budget }: FunctionCall,
): void {
  if (parameters.length === 0) return;
  if (isVariadic) {
    if (values.length < parameters.length) throw searchFailure('Invalid arity.');
    return;
  }
  if (values.length !== parameters.length) throw searchFailure('incorrect number of args');
  parameters.forEach((types, index) => {
    const value = values[index] as SearchValue;
    if (types.some((type) => hasType(value, type))) return;
    budget.measure(value);
    const expected = types.map((type) => `"${type}"`).join(', ');
    throw searchFailure(`Invalid type for: ${valueText(value)}, expected: []jmespath.JpType{${expected}}`);
  });
}

function hasType(value: SearchValue, type: ArgumentType): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'number':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return value instanceof Map;
    case 'array[number]':
      return isPlainList(value) && value.every((item) => typeof item === 'number');
    case 'array[string]':
      return isPlainList(value) && value.every((item) => typeof item === 'string');
    case 'expref':
      return value instanceof ExpressionReference;
    default:
      return type satisfies never;
  }
}

/** An argument whose type is already checked. */
export function textAt(values: readonly SearchValue[], index: number): string {
  return values[index] as string;
}

/** Go's `int` of a float64 argument. A value outside int64 becomes the lowest int64, as on amd64. */
export function integerAt(values: readonly SearchValue[], index: number): number {
  const value = numberAt(values, index);
  return value >= -(2 ** 63) && value < 2 ** 63 ? Math.trunc(value) : -(2 ** 63);
}

export function numberAt(values: readonly SearchValue[], index: number): number {
  return values[index] as number;
}

/** Go's unchecked `value.([]interface{})`: any other value crashes Kyverno. */
export function plainListAt(values: readonly SearchValue[], index: number): readonly JsonValue[] {
  const value = values[index] as SearchValue;
  if (isPlainList(value)) return value;
  throw panic(`interface conversion: interface {} is ${searchedGoType(value)}, not []interface {}`);
}

export function objectAt(values: readonly SearchValue[], index: number): ReadonlyMap<string, JsonValue> {
  const value = values[index] as SearchValue;
  if (isJsonObject(value as JsonValue)) return value as ReadonlyMap<string, JsonValue>;
  const name = searchedGoType(value);
  throw panic(`interface conversion: interface {} is ${name === '<nil>' ? 'nil' : name}, not map[string]interface {}`);
}

export function referenceAt(values: readonly SearchValue[], index: number): ExpressionReference {
  return values[index] as ExpressionReference;
}

/** Throws an error of Kyverno's own functions (`pkg/engine/jmespath/error.go`). */
export function functionError(name: string, message: string): never {
  throw searchFailure(`JMESPath function '${name}': ${message}`);
}

/** Converts an argument to text, as the pattern functions do. Undefined if it has no text. */
export function argumentText(value: SearchValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return singlePrecisionText(value);
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** `strconv.FormatFloat(value, 'f', -1, 32)`: the shortest digits that round to the same single-precision number. */
function singlePrecisionText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '+Inf' : '-Inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  for (let precision = 1; precision <= 9; precision++) {
    const text = single.toExponential(precision - 1);
    if (Math.fround(Number(text)) === single) return plainText(text);
  }
  return plainText(single.toExponential(8));
}

/** Converts `1.5e+3` to `1500`. */
function plainText(scientific: string): string {
  const [mantissa = '', power = '0'] = scientific.split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = trimRight(mantissa.replace('-', '').replace('.', ''), '0') || '0';
  const exponent = Number(power);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

export function isList(value: SearchValue): value is readonly JsonValue[] {
  return isJsonArray(value as JsonValue);
}
