// Values of JSON as Go's `fmt` writes them with `%v` and `%T`, which is how they stand in Kyverno's messages.
import { compareUtf8, isJsonArray, isJsonObject, type JsonValue } from '../../source/json.ts';

/** `%v`: maps as `map[a:1 b:2]` with sorted keys, lists as `[1 2]`, doubles in their shortest form. */
export function goValueText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goValueText).join(' ')}]`;
  if (isJsonObject(value)) {
    const keys = [...value.keys()].sort(compareUtf8);
    return `map[${keys.map((key) => `${key}:${goValueText(value.get(key))}`).join(' ')}]`;
  }
  return typeof value === 'number' ? goDoubleText(value) : String(value);
}

/** `%v` of a float64: `%g` with the exponent used below 1e-4 and from 1e21 on. */
export function goDoubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e21)) return plainDoubleText(value);
  return exponentText(value, 'e');
}

/** `strconv.FormatFloat(value, 'E', -1, 64)`. */
export function goExponentText(value: number): string {
  return exponentText(value, 'E');
}

function exponentText(value: number, letter: string): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  const digits = String(Math.abs(power)).padStart(2, '0');
  return `${mantissa}${letter}${power < 0 ? '-' : '+'}${digits}`;
}

function plainDoubleText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponent = '0'] = text.split('e');
  const digits = mantissa.replace('-', '').replace('.', '');
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(-Number(exponent) - 1)}${digits}`;
}

/** `%T` of what JSON decodes to. */
export function goTypeText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (isJsonArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  switch (typeof value) {
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    default:
      return 'string';
  }
}
