// Validates the fields that the scale subresource reads (apiextensions `registry/customresource/validator.go`).
import { formatDouble } from '../../../go/strconv/float-text.ts';
import { compareUtf8, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { ScalePaths } from '../../api/custom-resource-definition.ts';
import { goTypeName } from '../rule/go-value.ts';
import type { ServerError, ServerErrors } from '../server-error.ts';

const MAX_INT32 = 2_147_483_647n;

export function scaleErrors(object: JsonObject, scale: ScalePaths, errors: ServerErrors): readonly ServerError[] {
  const { specReplicas, statusReplicas, labelSelector } = scale;
  return [
    ...replicasErrors(object, specReplicas, errors),
    ...replicasErrors(object, statusReplicas, errors),
    ...(labelSelector === undefined ? [] : selectorErrors(object, labelSelector, errors)),
  ];
}

function replicasErrors(object: JsonObject, path: string, errors: ServerErrors): readonly ServerError[] {
  const found = readField(object, path, (value) => typeof value === 'bigint', 'int64');
  const place = placeOf(path);
  if ('error' in found) return [errors.invalid(place, 0n, found.error)];
  const replicas = typeof found.value === 'bigint' ? found.value : 0n;
  if (replicas < 0n) return [errors.invalid(place, replicas, 'should be a non-negative integer')];
  if (replicas <= MAX_INT32) return [];
  return [errors.invalid(place, replicas, `should be less than or equal to ${MAX_INT32}`)];
}

function selectorErrors(object: JsonObject, path: string, errors: ServerErrors): readonly ServerError[] {
  const found = readField(object, path, (value) => typeof value === 'string', 'string');
  return 'error' in found ? [errors.invalid(placeOf(path), '', found.error)] : [];
}

/** The server prints the path as in the definition, with its leading dot. */
function placeOf(path: string): { readonly steps: readonly string[]; toString(): string } {
  return { steps: fieldsOf(path), toString: () => path };
}

function fieldsOf(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

/** `unstructured.NestedInt64`, `NestedString`. */
function readField(
  object: JsonObject,
  path: string,
  isWanted: (value: JsonValue) => boolean,
  wanted: string,
): { readonly value: JsonValue | undefined } | { readonly error: string } {
  const fields = fieldsOf(path);
  const fail = (depth: number, value: JsonValue, type: string) => ({
    error: `.${fields.slice(0, depth).join('.')} accessor error: ${goPlain(value)} is of the type ${goTypeName(value)}, expected ${type}`,
  });
  let value: JsonValue = object;
  for (const [index, field] of fields.entries()) {
    if (value === null) return { value: undefined };
    if (!isJsonObject(value)) return fail(index + 1, value, 'map[string]interface{}');
    const inner: JsonValue | undefined = value.get(field);
    if (inner === undefined) return { value: undefined };
    value = inner;
  }
  return isWanted(value) ? { value } : fail(fields.length, value, wanted);
}

/** Go's `%v`. */
function goPlain(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return formatDouble(value);
  if (isJsonArray(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = [...value].sort(([a], [b]) => compareUtf8(a, b));
  return `map[${entries.map(([key, item]) => `${key}:${goPlain(item)}`).join(' ')}]`;
}
