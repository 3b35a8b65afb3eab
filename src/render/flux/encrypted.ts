// Documents that SOPS encrypted: what is in them only the cluster knows.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';

/** What stands for a value that SOPS encrypted: a placeholder like any other. */
const PLACEHOLDER = '$' + '{SOPS}';
const CIPHERTEXT = /^ENC\[[A-Z0-9_]+,/;

export function isCiphertext(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && CIPHERTEXT.test(value);
}

/** True for a document with the metadata that SOPS adds to whatever it encrypts. */
export function isEncrypted(document: JsonObject): boolean {
  const sops = document.get('sops');
  return isJsonObject(sops) && (sops.has('mac') || sops.has('lastmodified'));
}

/** What the controller applies instead: without the metadata, and with a placeholder for each value that it decrypts. */
export function decrypted(document: JsonObject): JsonObject {
  const open = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) return value.map(open);
    if (isJsonObject(value)) return new Map([...value].map(([key, item]) => [key, open(item)]));
    return isCiphertext(value) ? PLACEHOLDER : value;
  };
  return new Map([...document].filter(([key]) => key !== 'sops').map(([key, value]) => [key, open(value)]));
}
