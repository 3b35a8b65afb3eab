// Documents encrypted by SOPS; only the cluster can read their values.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { isCiphertext } from '../../source/placeholder/sops.ts';

/** Stands for an encrypted value, like any other unknown variable. */
const PLACEHOLDER = '$' + '{SOPS}';
/** The object that the controller applies: without the metadata, and with a placeholder for each encrypted value. */
export function decrypted(document: JsonObject): JsonObject {
  const open = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) return value.map(open);
    if (isJsonObject(value)) return new Map([...value].map(([key, item]) => [key, open(item)]));
    return isCiphertext(value) ? PLACEHOLDER : value;
  };
  return new Map([...document].filter(([key]) => key !== 'sops').map(([key, value]) => [key, open(value)]));
}
