// Documents encrypted by SOPS; only the cluster can read their values.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';

/** Stands for an encrypted value, like any other unknown variable. */
const PLACEHOLDER = '$' + '{SOPS}';
const CIPHERTEXT = /^ENC\[[A-Z0-9_]+,/;

export function isCiphertext(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && CIPHERTEXT.test(value);
}

/** True for a document with the metadata that SOPS adds. */
export function isEncrypted(document: JsonObject): boolean {
  const sops = document.get('sops');
  return isJsonObject(sops) && (sops.has('mac') || sops.has('lastmodified'));
}

/** The object that the controller applies: without the metadata, and with a placeholder for each encrypted value. */
export function decrypted(document: JsonObject): JsonObject {
  const open = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) return value.map(open);
    if (isJsonObject(value)) return new Map([...value].map(([key, item]) => [key, open(item)]));
    return isCiphertext(value) ? PLACEHOLDER : value;
  };
  return new Map([...document].filter(([key]) => key !== 'sops').map(([key, value]) => [key, open(value)]));
}
