// Resolves a scalar to null, boolean, number or string (go-yaml v2 `resolve.go`).
import { parseBinary, parseDecimalFloat, parseDotFloat, parseInteger } from '../../go/strconv/number.ts';
import type { ScalarNode } from '../node/node.ts';
import { decodeBase64 } from './base64.ts';
import { isTimestamp } from './timestamp.ts';

/** A scalar as Go holds it: `int` and `uint64` are bigints, `float64` is a number. */
export type GoScalar = null | boolean | bigint | number | string;

export type Resolved = { readonly value: GoScalar } | { readonly problem: string };

const LONG_TAG_PREFIX = 'tag:yaml.org,2002:';
const STR_TAG = 'tag:yaml.org,2002:str';
export const BINARY_TAG = 'tag:yaml.org,2002:binary';
const TIMESTAMP_TAG = 'tag:yaml.org,2002:timestamp';
const FLOAT_TAG = 'tag:yaml.org,2002:float';
export const MERGE_TAG = 'tag:yaml.org,2002:merge';

const RESOLVABLE_TAGS: ReadonlySet<string> = new Set(
  ['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => LONG_TAG_PREFIX + name),
);

type TypeName = 'str' | 'bool' | 'int' | 'float' | 'null' | 'timestamp';

interface Typed {
  readonly type: TypeName;
  readonly value: GoScalar;
}

const WORDS: ReadonlyMap<string, Typed> = new Map([
  ...words('bool', true, 'y Y yes Yes YES true True TRUE on On ON'),
  ...words('bool', false, 'n N no No NO false False FALSE off Off OFF'),
  ...words('null', null, '~ null Null NULL'),
  ...words('float', Number.NaN, '.nan .NaN .NAN'),
  ...words('float', Number.POSITIVE_INFINITY, '.inf .Inf .INF +.inf +.Inf +.INF'),
  ...words('float', Number.NEGATIVE_INFINITY, '-.inf -.Inf -.INF'),
]);

const NULL: Typed = { type: 'null', value: null };

function words(type: TypeName, value: GoScalar, texts: string): [string, Typed][] {
  return texts.split(' ').map((text) => [text, { type, value }]);
}

export function resolveScalar(node: ScalarNode): Resolved {
  const { tag, value } = node;
  if (tag === '') return { value: node.implicit ? resolvePlain(value) : value };
  if (tag === BINARY_TAG) {
    const decoded = decodeBase64(value);
    return decoded === undefined ? { problem: '!!binary value contains invalid base64 data' } : { value: decoded };
  }
  if (tag === STR_TAG || !RESOLVABLE_TAGS.has(tag)) return { value };
  const typed = resolveText(value, tag === TIMESTAMP_TAG);
  if (LONG_TAG_PREFIX + typed.type === tag) return { value: typed.value };
  if (tag === FLOAT_TAG && typeof typed.value === 'bigint' && typed.value < 2n ** 63n)
    return { value: Number(typed.value) };
  return { problem: `cannot decode !!${typed.type} \`${value}\` as a !!${tag.slice(LONG_TAG_PREFIX.length)}` };
}

/** Resolves a plain scalar without a tag. Timestamps are not detected, because they stay strings. */
export function resolvePlain(text: string): GoScalar {
  return mayBeTyped(text) ? resolveText(text, false).value : text;
}

/** go-yaml's `resolveTable`: false if the first character shows that the text is a string. */
function mayBeTyped(text: string): boolean {
  const code = text.charCodeAt(0);
  if (code < 0x3a) return code >= 0x30 || code === 0x2b || code === 0x2d || code === 0x2e;
  return code > 0x3f && code < 0x7f ? 'yYnNtTfFoO~'.includes(text.charAt(0)) : text === '';
}

function resolveText(text: string, mayBeTimestamp: boolean): Typed {
  if (text === '') return NULL;
  if (mayBeTyped(text)) {
    const word = text.length <= 5 ? WORDS.get(text) : undefined;
    if (word !== undefined) return word;
    const first = text.charCodeAt(0);
    if (first === 0x2e /* . */) {
      const float = parseDotFloat(text);
      if (float !== undefined) return { type: 'float', value: float };
    } else if (first < 0x3a) {
      if (mayBeTimestamp && isTimestamp(text)) return { type: 'timestamp', value: text };
      const number = resolveNumber(text.includes('_') ? text.replaceAll('_', '') : text);
      if (number !== undefined) return number;
    }
  }
  return { type: 'str', value: text };
}

function resolveNumber(text: string): Typed | undefined {
  const integer = parseInteger(text);
  if (integer !== undefined) return { type: 'int', value: integer };
  const float = parseDecimalFloat(text);
  if (float !== undefined) return { type: 'float', value: float };
  // Reached only with a sign after the prefix, e.g. `0b+1`; parseInteger handles all other cases.
  const binary = text.startsWith('0b')
    ? parseBinary(text.slice(2))
    : text.startsWith('-0b')
      ? parseBinary(`-${text.slice(3)}`)
      : undefined;
  return binary === undefined ? undefined : { type: 'int', value: binary };
}
