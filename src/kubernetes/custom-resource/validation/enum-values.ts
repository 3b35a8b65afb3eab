// Checks enumeration values like Go, which converts the value to the type of each member.
import { COMPARED, type Meter } from '../../../go/meter.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { isSameJson } from '../object/json-equality.ts';

/** Caches the texts of an enumeration's members. */
export class EnumTexts {
  readonly #texts = new WeakMap<readonly JsonValue[], ReadonlySet<string>>();

  has(text: string, members: readonly JsonValue[]): boolean {
    let texts = this.#texts.get(members);
    if (texts === undefined) {
      texts = new Set(members.filter((member) => typeof member === 'string'));
      this.#texts.set(members, texts);
    }
    return texts.has(text);
  }
}

/**
 * `reflect.Value.Convert` and `reflect.DeepEqual`; null never matches. A text matches only texts. Other values are
 * compared with every member, which costs work.
 */
export function findInEnum(value: JsonValue, members: readonly JsonValue[], texts: EnumTexts, meter: Meter): boolean {
  if (typeof value === 'string') return texts.has(value, members);
  meter.spend(members.length * COMPARED);
  return members.some((member) => {
    const converted = member === null ? undefined : convert(value, member);
    return converted !== undefined && isSameJson(converted, member);
  });
}

/** Converts the value to the type of `target`; undefined if Go has no conversion. */
function convert(value: JsonValue, target: JsonValue): JsonValue | undefined {
  if (typeof target === 'bigint' && typeof value === 'number') return truncated(value);
  if (typeof target === 'number' && typeof value === 'bigint') return Number(value);
  // Go converts an integer to the character with this code.
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
