// Help text for values that the API server cannot decode into their field.
import type { Resource } from '../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject } from '../source/json/json.ts';
import { valueAt } from '../source/json/json-field.ts';
import type { FieldPath } from '../source/node/field-path.ts';

/** Booleans of YAML 1.1 that JSON does not have. */
const OLD_BOOLEAN = /^(?:y|yes|n|no|on|off)$/i;

/** `message` is the server's error. Undefined if the error needs no help text. */
export function decodingHelp(resource: Resource, path: FieldPath, message: string): string | undefined {
  const value = valueAt(resource.value, path);
  if (/quantit(?:y|ies)/.test(message)) return typeof value === 'string' ? quantityHelp(value) : undefined;
  const [, expected = ''] = / of type (\S+)$/.exec(message) ?? [];
  if (isJsonArray(value)) {
    return /^(?:map\[|v\d\w*\.)/.test(expected)
      ? 'one object is expected here, not a list: leave out the `-`'
      : undefined;
  }
  if (isJsonObject(value)) {
    return expected.startsWith('[]v') ? 'a list is expected here: begin each of its objects with `-`' : undefined;
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
      ? `\`${written}\` without quotes is a number, and this is a text: ${quoted}`
      : undefined;
  }
  return OLD_BOOLEAN.test(written)
    ? `\`${written}\` without quotes is ${value} in YAML 1.1, which Kubernetes reads, and this is a text: ${quoted}`
    : `\`${written}\` without quotes is a boolean, and this is a text: ${quoted}`;
}

const SCALARS: ReadonlySet<string> = new Set(['bigint', 'number']);

/** Help for a string that is the expected boolean or number once it is unquoted. */
function quotedHelp(value: string, written: string, expected: string): string | undefined {
  if (!/^["']/.test(written)) return undefined;
  const what = expected === 'bool' ? 'boolean' : /^u?int\d*$/.test(expected) ? 'number' : undefined;
  const fits = what === 'boolean' ? /^(?:true|false)$/.test(value) : what !== undefined && /^-?\d{1,18}$/.test(value);
  return fits ? `${written} in quotes is a text, and this is a ${what}: write \`${value}\`` : undefined;
}

const UNITS = 'units are `Ki`, `Mi`, `Gi`, `Ti` of 1024, and `k`, `M`, `G`, `T` of 1000';

/** Suggests a quantity for inputs like `1000mi`, `1g`, `6GiB` or `512 MB`. */
function quantityHelp(value: string): string {
  const [, number, prefix = '', binary] = /^(\d+(?:\.\d+)?)\s*([kmgtpe])(i)?b?$/i.exec(value) ?? [];
  if (number === undefined) return UNITS;
  const letter = binary === undefined && prefix.toLowerCase() === 'k' ? 'k' : prefix.toUpperCase();
  return `did you mean \`${number}${letter}${binary ?? ''}\`? ${UNITS}`;
}
