// Documents encrypted by SOPS: the keys are known, the encrypted values are not.
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';

const CIPHERTEXT = /^ENC\[[A-Z0-9_]+,/;

export function isCiphertext(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && CIPHERTEXT.test(value);
}

/** SOPS adds a `sops` field with a checksum to every encrypted document. */
export function isEncrypted(document: JsonObject): boolean {
  const sops = document.get('sops');
  return isJsonObject(sops) && (sops.has('mac') || sops.has('lastmodified'));
}
