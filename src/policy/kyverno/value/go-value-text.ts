// Formats JSON values like Go's `%v` and `%T`, as Kyverno's messages do.
import { formatDouble } from '../../../go/strconv/float-text.ts';
import { compareUtf8, isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';

/** `%v`: maps as `map[a:1 b:2]` with sorted keys, lists as `[1 2]`, doubles in their shortest form. */
export function goValueText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goValueText).join(' ')}]`;
  if (isJsonObject(value)) {
    const keys = [...value.keys()].sort(compareUtf8);
    return `map[${keys.map((key) => `${key}:${goValueText(value.get(key))}`).join(' ')}]`;
  }
  return typeof value === 'number' ? formatDouble(value) : String(value);
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

/** `%T` of a decoded JSON value. */
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
