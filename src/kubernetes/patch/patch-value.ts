// Patch values without a JSON form, and Go's formatting of invalid values.
import { goQuote } from '../../go/strconv/quote.ts';
import { compareUtf8, type JsonObject } from '../../source/json/json.ts';

/** A value that structured merge rejects everywhere: neither map, list nor scalar. */
export class UnpatchableValue {
  /** Go's `%T`. */
  readonly type: string;
  /** Go's `%v`. */
  readonly text: string;
  /** Go's `%#v`. */
  readonly syntax: string;

  constructor(type: string, text: string, syntax: string = text) {
    this.type = type;
    this.text = text;
    this.syntax = syntax;
  }
}

/** An object as a mutation's expression creates it. */
export type PatchValue = null | boolean | bigint | number | string | UnpatchableValue | PatchArray | PatchObject;
export interface PatchArray extends ReadonlyArray<PatchValue> {}
export interface PatchObject extends ReadonlyMap<string, PatchValue> {}

export function isPatchObject(value: PatchValue | undefined): value is PatchObject {
  return value instanceof Map;
}

/** False if it contains a value without a JSON form. */
export function holdsJson(value: PatchObject): value is PatchObject & JsonObject {
  for (const item of value.values()) if (!isJson(item)) return false;
  return true;
}

function isJson(value: PatchValue): boolean {
  if (isPatchObject(value)) return holdsJson(value);
  return isPatchArray(value) ? value.every(isJson) : !(value instanceof UnpatchableValue);
}

export function holdsNumbers(value: PatchValue): boolean {
  if (isPatchObject(value)) {
    for (const item of value.values()) if (holdsNumbers(item)) return true;
    return false;
  }
  if (isPatchArray(value)) return value.some(holdsNumbers);
  return typeof value === 'number' || typeof value === 'bigint';
}

export function isPatchArray(value: PatchValue | undefined): value is PatchArray {
  return Array.isArray(value);
}

/** `%T`. */
export function goType(value: PatchValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
  }
  if (value === null) return '<nil>';
  if (value instanceof UnpatchableValue) return value.type;
  return isPatchArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** `%v`; map keys are sorted. */
export function printValue(value: PatchValue): string {
  if (value === null) return '<nil>';
  if (value instanceof UnpatchableValue) return value.text;
  if (isPatchArray(value)) return `[${value.map(printValue).join(' ')}]`;
  if (isPatchObject(value)) return `map[${entries(value, (key, item) => `${key}:${printValue(item)}`, ' ')}]`;
  return typeof value === 'number' ? goFloat(value) : String(value);
}

/** `%#v` of a value inside an `interface{}`. */
export function printSyntax(value: PatchValue): string {
  if (value === null) return 'interface {}(nil)';
  if (value instanceof UnpatchableValue) return value.syntax;
  if (typeof value === 'string') return goQuote(value);
  if (isPatchArray(value)) return `[]interface {}{${value.map(printSyntax).join(', ')}}`;
  if (isPatchObject(value)) {
    return `map[string]interface {}{${entries(value, (key, item) => `${goQuote(key)}:${printSyntax(item)}`, ', ')}}`;
  }
  return typeof value === 'number' ? goFloat(value) : String(value);
}

/** `%v` of a double: the shortest form, with an exponent below 1e-4 and from 1e21 on. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
}

function entries(map: PatchObject, print: (key: string, value: PatchValue) => string, separator: string): string {
  return [...map]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([key, value]) => print(key, value))
    .join(separator);
}
