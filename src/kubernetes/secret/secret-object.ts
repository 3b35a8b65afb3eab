// The secret values of a Secret object, and texts and objects without them.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { isSecretField } from './secret-keys.ts';

/** Takes the place of a secret value. */
export const HIDDEN = '…';
/** A shorter value is only hidden in quotes: it may be part of any word. */
const SHORT = 4;

/** True for a Secret in any group and spelling, e.g. in a document without `apiVersion`. */
export function isSecretObject(object: JsonValue | undefined): object is JsonObject {
  const kind = isJsonObject(object) ? object.get('kind') : undefined;
  return typeof kind === 'string' && kind.toLowerCase() === 'secret';
}

/** The object with `…` in place of each secret value. Any other object is returned as it is; items of a List are masked. */
export function maskedObject(object: JsonValue): JsonValue {
  if (isSecretObject(object)) return maskedSecret(object);
  if (!isJsonObject(object)) return object;
  const items = itemsOf(object);
  const masked = items.map((item) =>
    isJsonObject(item) && isSecretList(object) ? maskedSecret(item) : maskedObject(item),
  );
  return masked.some((item, index) => item !== items[index])
    ? new Map<string, JsonValue>([...object, ['items', masked]])
    : object;
}

function itemsOf(object: JsonObject): readonly JsonValue[] {
  const items = object.get('items');
  return isJsonArray(items) ? items : [];
}

function isSecretList(object: JsonObject): boolean {
  return object.get('kind') === 'SecretList';
}

function maskedSecret(object: JsonObject): JsonObject {
  const masked = new Map<string, JsonValue>();
  for (const [key, value] of object) masked.set(key, isSecretField(key) ? hidden(value) : value);
  const metadata = object.get('metadata');
  const annotations = isJsonObject(metadata) ? metadata.get('annotations') : undefined;
  if (isJsonObject(metadata) && annotations !== undefined) {
    masked.set('metadata', new Map<string, JsonValue>([...metadata, ['annotations', hidden(annotations)]]));
  }
  return masked;
}

function hidden(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return new Map([...value].map(([key, below]) => [key, hidden(below)]));
  if (isJsonArray(value)) return value.map(hidden);
  return value === null ? null : HIDDEN;
}

/** The secret values, as written and decoded from or encoded to base64. The object's own names and keys are not secret. */
export function secretTextsIn(object: JsonValue | undefined): ReadonlySet<string> {
  const texts = new Set<string>();
  if (!isJsonObject(object)) return texts;
  if (!isSecretObject(object)) {
    const kind = isSecretList(object) ? ([['kind', 'Secret']] as const) : [];
    for (const item of itemsOf(object)) {
      const secret = isJsonObject(item) ? new Map<string, JsonValue>([...kind, ...item]) : item;
      for (const text of secretTextsIn(secret)) texts.add(text);
    }
    return texts;
  }
  const names = new Set<string>();
  for (const [key, value] of object) {
    names.add(key);
    if (isSecretField(key)) collectScalars(value, texts, names);
    else if (key === 'metadata' && isJsonObject(value)) collectMetadata(value, texts, names);
    else collectScalars(value, names, names);
  }
  const spelled = new Set([...texts].flatMap(spellings));
  for (const name of names) spelled.delete(name);
  spelled.delete('');
  return spelled;
}

function collectMetadata(metadata: JsonObject, texts: Set<string>, names: Set<string>): void {
  for (const [key, value] of metadata) collectScalars(value, key === 'annotations' ? texts : names, names);
}

function collectScalars(value: JsonValue, scalars: Set<string>, keys: Set<string>): void {
  if (isJsonArray(value)) {
    for (const item of value) collectScalars(item, scalars, keys);
  } else if (isJsonObject(value)) {
    for (const [key, below] of value) {
      keys.add(key);
      collectScalars(below, scalars, keys);
    }
  } else if (value !== null && typeof value !== 'boolean') scalars.add(String(value));
}

function spellings(text: string): readonly string[] {
  const lines = text.includes('\n') ? text.split('\n').filter((line) => line.trim().length >= SHORT) : [];
  const decoded = decodedText(text);
  return [text, encodedText(text), ...lines, ...(decoded === undefined ? [] : [decoded, ...decoded.split('\n')])];
}

function decodedText(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encodedText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(bytes.reduce((binary, byte) => binary + String.fromCharCode(byte), ''));
}

/** Secrets indexed by prefix, longest first, so that a message is compared with only a few of them. */
const BY_PREFIX = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, readonly string[]>>();

function prefixesOf(secrets: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const known = BY_PREFIX.get(secrets);
  if (known !== undefined) return known;
  const index = new Map<string, string[]>();
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    const prefix = secret.slice(0, SHORT);
    const list = index.get(prefix);
    if (list === undefined) index.set(prefix, [secret]);
    else list.push(secret);
  }
  BY_PREFIX.set(secrets, index);
  return index;
}

/** The text with `…` in place of each secret. */
export function withoutSecrets(text: string, secrets: ReadonlySet<string>): string {
  if (secrets.size === 0) return text;
  const index = prefixesOf(secrets);
  let shown = '';
  let kept = 0;
  for (let at = 0; at + SHORT <= text.length; ) {
    const found = index.get(text.slice(at, at + SHORT))?.find((secret) => text.startsWith(secret, at));
    if (found !== undefined) {
      shown += text.slice(kept, at) + HIDDEN;
      kept = at + found.length;
    }
    at = found === undefined ? at + 1 : kept;
  }
  shown += text.slice(kept);
  return shown.replace(/(["'])([^"']{1,3})\1/g, (whole, quote, short) =>
    secrets.has(short) ? `${quote}${HIDDEN}${quote}` : whole,
  );
}
