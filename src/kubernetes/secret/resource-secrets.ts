// The secret texts of an applied object: its own, and those that a controller put into it from Secrets.
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { secretTextsIn, withoutSecrets } from './secret-object.ts';

export function secretTextsOf({ value, manifest }: { readonly value: JsonValue; readonly manifest: Manifest }) {
  const own = secretTextsIn(value);
  const { secrets } = manifest;
  return secrets === undefined ? own : new Set([...own, ...secrets]);
}

/** The object with `…` in place of each of the texts in its values. Numbers become texts. */
export function withoutTexts(value: JsonValue, secrets: ReadonlySet<string> | undefined): JsonValue {
  if (secrets === undefined || secrets.size === 0) return value;
  if (isJsonArray(value)) return value.map((item) => withoutTexts(item, secrets));
  if (isJsonObject(value)) return new Map([...value].map(([key, below]) => [key, withoutTexts(below, secrets)]));
  if (value === null || typeof value === 'boolean') return value;
  const text = String(value);
  const shown = withoutSecrets(text, secrets);
  return shown === text ? value : shown;
}
