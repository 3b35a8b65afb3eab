// Whether a value is one of an enumeration's, in Go's sense: it is converted to the type of each and compared.
import { COMPARED, type Meter } from '../../../go/meter.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { isSameJson } from '../object/json-equality.ts';

/** Texts among the members of enumerations, each looked through once. */
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
 * `reflect.Value.Convert` and `reflect.DeepEqual`; null is never found. Only another text is equal to a text; what else a value may
 * be is compared with every member, which the meter is charged for.
 */
export function findInEnum(value: JsonValue, members: readonly JsonValue[], texts: EnumTexts, meter: Meter): boolean {
  if (typeof value === 'string') return texts.has(value, members);
  meter.spend(members.length * COMPARED);
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
