// Checks the type and format of a value (kube-openapi `pkg/validation/validate/type.go`).
import type { JsonValue } from '../../../source/json/json.ts';
import type { Schema } from '../schema/schema.ts';
import { isJsonInteger } from './number-limits.ts';
import type { StringFormats } from './string-format.ts';

const INT_OR_STRING: readonly string[] = ['integer', 'string'];
const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

const ANYTHING: readonly string[] = [];
/** Precomputed, because every value needs it. */
const TYPES: ReadonlyMap<string, readonly string[]> = new Map(
  ['array', 'boolean', 'integer', 'number', 'object', 'string'].map((type) => [type, [type]]),
);

/** Allowed types of a value; empty if any type is allowed. */
export function typesOf({ type, intOrString }: Schema): readonly string[] {
  if (intOrString) return INT_OR_STRING;
  return type === '' ? ANYTHING : (TYPES.get(type) ?? [type]);
}

/** The format; empty if it is not checked for this type (`StripUnsupportedFormatsPostProcess`). */
export function formatOf({ type, intOrString, values: { format } }: Schema, formats: StringFormats): string {
  if (format === '') return '';
  if (intOrString || type === '' || type === 'string') return formats.check(format) === undefined ? '' : format;
  return NUMBER_FORMATS[type]?.includes(format) ? format : '';
}

export interface TypeFault {
  readonly expected: string;
  readonly found: string;
}

export function typeFault(
  value: JsonValue,
  types: readonly string[],
  format: string,
  nullable: boolean,
): TypeFault | undefined {
  const expected = types.join(',');
  if (value === null) {
    return types.length === 0 || types.includes('null') || nullable ? undefined : { expected, found: 'null' };
  }
  const found = jsonTypeOf(value);
  const isOfType =
    types.includes(found) ||
    (typeof value === 'number' && types.includes('integer') && isJsonInteger(value)) ||
    (found === 'integer' && types.includes('number'));
  const isTextOrList = found === 'string' || found === 'array';
  if (format !== '' && !isTextOrList && !isOfType) {
    const valueFormat = nativeFormat(value);
    if (valueFormat !== format) return { expected: format, found: valueFormat };
  }
  // Strings and lists with a format are left to the format check.
  if (format !== '' && isTextOrList && !types.includes('number') && !types.includes('integer')) return undefined;
  return isOfType ? undefined : { expected, found };
}

/** Format of the Go type that holds the value. */
function nativeFormat(value: JsonValue): string {
  if (typeof value === 'bigint') return 'int64';
  return typeof value === 'number' ? 'float64' : '';
}

function jsonTypeOf(value: Exclude<JsonValue, null>): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value;
    case 'bigint':
      return 'integer';
  }
  return Array.isArray(value) ? 'array' : 'object';
}
