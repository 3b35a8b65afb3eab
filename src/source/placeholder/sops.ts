// Documents encrypted by SOPS: the keys are known, the encrypted values are not.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';

const CIPHERTEXT = /^ENC\[[A-Z0-9_]+,/;

export function isCiphertext(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && CIPHERTEXT.test(value);
}

/** Paths of the encrypted values. Recurses, so the value must be within the reader's depth limit. */
export function ciphertextPaths(root: JsonValue): readonly FieldPath[] {
  const found: FieldPath[] = [];
  const visit = (value: JsonValue, path: FieldPath): void => {
    if (isCiphertext(value)) found.push(path);
    else if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) for (const [key, item] of value) visit(item, [...path, key]);
  };
  visit(root, []);
  return found;
}

/** The document without the field that only encryption adds. */
export function withoutEncryption(document: JsonObject): JsonObject {
  return new Map([...document].filter(([field]) => field !== 'sops'));
}

/** SOPS adds a `sops` field with a checksum to every encrypted document. */
export function isEncrypted(document: JsonObject): boolean {
  const sops = document.get('sops');
  return isJsonObject(sops) && (sops.has('mac') || sops.has('lastmodified'));
}
