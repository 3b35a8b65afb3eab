// Whether a value is one of an enumeration's, in Go's sense: it is converted to the type of each and compared.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json.ts';
import { isSameJson } from '../object/json-equality.ts';

/** `reflect.Value.Convert` and `reflect.DeepEqual`; null is never found. */
export function findInEnum(value: JsonValue, members: readonly JsonValue[]): boolean {
  return members.some((member) => {
    const converted = member === null ? undefined : convert(value, member);
    return converted !== undefined && isSameJson(converted, member);
  });
}

/** The value as the type of another; undefined if there is no conversion. */
function convert(value: JsonValue, target: JsonValue): JsonValue | undefined {
  if (typeof target === 'bigint' && typeof value === 'number') return truncated(value);
  if (typeof target === 'number' && typeof value === 'bigint') return Number(value);
  // Go takes an integer for the code of a character.
  if (typeof target === 'string' && typeof value === 'bigint') return characterOf(value);
  const isSameType =
    value !== null &&
    typeof value === typeof target &&
    isJsonArray(value) === isJsonArray(target) &&
    isJsonObject(value) === isJsonObject(target);
  return isSameType ? value : undefined;
}

function truncated(value: number): bigint | undefined {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
}

function characterOf(code: bigint): string {
  const isCharacter = code >= 0n && code <= 0x10ffffn && (code < 0xd800n || code > 0xdfffn);
  return isCharacter ? String.fromCodePoint(Number(code)) : '\ufffd';
}
