// Help text for values that the API server cannot decode into their field.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** Booleans of YAML 1.1 that JSON does not have. */
const OLD_BOOLEAN = /^(?:y|yes|n|no|on|off)$/i;

/** `message` is the server's error. Undefined if the error needs no help text. */
export function decodingHelp(resource: Resource, path: FieldPath, message: string): string | undefined {
  const value = valueAt(resource.value, path);
  if (/quantit(?:y|ies)/.test(message)) return typeof value === 'string' ? quantityHelp(value) : undefined;
  const [, expected = ''] = / of type (\S+)$/.exec(message) ?? [];
  if (isJsonArray(value)) {
    return /^(?:map\[|v\d\w*\.)/.test(expected) ? 'expected one object, not a list: remove the `-`' : undefined;
  }
  if (isJsonObject(value)) {
    return expected.startsWith('[]v') ? 'expected a list: start each object with `-`' : undefined;
  }
  const { file, range } = resource.locate(path, 'value');
  const written = file.text.slice(range.start, range.end);
  if (typeof value === 'string') return expected === '' ? undefined : quotedHelp(value, written, expected);
  return expected === 'string' ? unquotedHelp(value, written) : undefined;
}

/** Help for a value that is the expected string once it is quoted. */
function unquotedHelp(value: unknown, written: string): string | undefined {
  if (!/^[\w.+-]+$/.test(written)) return undefined;
  const quoted = `write \`"${written}"\``;
  if (typeof value !== 'boolean') {
    return SCALARS.has(typeof value)
      ? `expected a string, but \`${written}\` without quotes is a number: ${quoted}`
      : undefined;
  }
  return OLD_BOOLEAN.test(written)
    ? `expected a string, but Kubernetes reads YAML 1.1, where \`${written}\` without quotes is ${value}: ${quoted}`
    : `expected a string, but \`${written}\` without quotes is a boolean: ${quoted}`;
}

const SCALARS: ReadonlySet<string> = new Set(['bigint', 'number']);

/** Help for a string that is the expected boolean or number once it is unquoted. */
function quotedHelp(value: string, written: string, expected: string): string | undefined {
  if (!/^["']/.test(written)) return undefined;
  const what = expected === 'bool' ? 'boolean' : /^u?int\d*$/.test(expected) ? 'number' : undefined;
  const fits = what === 'boolean' ? /^(?:true|false)$/.test(value) : what !== undefined && /^-?\d{1,18}$/.test(value);
  return fits ? `expected a ${what}, but ${written} in quotes is a string: write \`${value}\`` : undefined;
}

const UNITS = 'valid units: `Ki`, `Mi`, `Gi`, `Ti` (powers of 1024); `k`, `M`, `G`, `T` (powers of 1000)';

/** Suggests a quantity for inputs like `1000mi`, `1g`, `6GiB` or `512 MB`. */
function quantityHelp(value: string): string {
  const [, number, prefix = '', binary] = /^(\d+(?:\.\d+)?)\s*([kmgtpe])(i)?b?$/i.exec(value) ?? [];
  if (number === undefined) return UNITS;
  const letter = binary === undefined && prefix.toLowerCase() === 'k' ? 'k' : prefix.toUpperCase();
  return `did you mean \`${number}${letter}${binary ?? ''}\`? ${UNITS}`;
}
