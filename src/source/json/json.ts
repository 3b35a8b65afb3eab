// JSON values as the API server holds them: integers are distinct from doubles, objects have no prototype.

/**
 * A JSON value after Kubernetes' decoding (`k8s.io/apimachinery/pkg/util/json`). A number without fraction or exponent
 * that fits int64 is a `bigint`; every other number is a double (`number`). Objects are Maps, so no key (`__proto__`,
 * `constructor`) is special and keys keep the order of the text. Every JSON value is a valid CEL value.
 */
export type JsonValue = null | boolean | bigint | number | string | JsonArray | JsonObject;

export interface JsonArray extends ReadonlyArray<JsonValue> {}

export interface JsonObject extends ReadonlyMap<string, JsonValue> {}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

export interface StringifyOptions {
  /** Go sorts the keys of a map by their UTF-8 bytes; a struct keeps its order. */
  readonly sortKeys: boolean;
  /** Escape `<`, `>` and `&`, as `json.Marshal` does. */
  readonly escapeHtml: boolean;
}

/** JSON text as Go's `encoding/json` writes it: no white space, doubles in their shortest form. */
export function stringifyJson(value: JsonValue, options: StringifyOptions): string {
  let text = '';
  // Pending output in reverse order; a string is written verbatim.
  const stack: (string | { readonly value: JsonValue })[] = [{ value }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === 'string') text += item;
    else if (isJsonArray(item.value)) {
      stack.push(']');
      for (let index = item.value.length - 1; index >= 0; index--) {
        stack.push({ value: item.value[index] as JsonValue }, index === 0 ? '[' : ',');
      }
      if (item.value.length === 0) stack.push('[');
    } else if (isJsonObject(item.value)) {
      stack.push('}');
      const keys = [...item.value.keys()];
      if (options.sortKeys) keys.sort(compareUtf8);
      for (let index = keys.length - 1; index >= 0; index--) {
        const key = keys[index] as string;
        const prefix = `${index === 0 ? '{' : ','}${stringifyString(key, options.escapeHtml)}:`;
        stack.push({ value: item.value.get(key) as JsonValue }, prefix);
      }
      if (keys.length === 0) stack.push('{');
    } else text += stringifyScalar(item.value, options.escapeHtml);
  }
  return text;
}

function stringifyScalar(value: null | boolean | bigint | number | string, escapeHtml: boolean): string {
  if (typeof value === 'string') return stringifyString(value, escapeHtml);
  if (Object.is(value, -0)) return '-0';
  return String(value);
}

/** A lone surrogate represents a byte that is not UTF-8 and is written as the escape of the replacement character. */
function stringifyString(value: string, escapeHtml: boolean): string {
  const special = escapeHtml ? HTML_SPECIAL : SPECIAL;
  return `"${special.test(value) ? value.replace(new RegExp(special, 'gu'), escapeCharacter) : value}"`;
}

const SPECIAL = /["\\\u0000-\u001f\u2028\u2029\p{Surrogate}]/u;
const HTML_SPECIAL = /["\\\u0000-\u001f\u2028\u2029\p{Surrogate}<>&]/u;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.charCodeAt(0);
  return `\\u${(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code).toString(16).padStart(4, '0')}`;
}

/** Order of the UTF-8 bytes, which is code point order. UTF-16 order differs above U+D7FF. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    const isLeftSurrogate = left >= 0xd800 && left <= 0xdfff;
    const isRightSurrogate = right >= 0xd800 && right <= 0xdfff;
    if (isLeftSurrogate !== isRightSurrogate && left >= 0xd800 && right >= 0xd800) return isLeftSurrogate ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}
