// ConfigMaps, Secrets, ServiceAccounts and Namespaces (pkg/apis/core/validation).
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { decodedBase64, isBase64 } from './encoded.ts';
import { isDataKey, isLabel, isSubdomain } from './formats.ts';
import { anyUpdate, keepsFields, objectOf, type PlainKind } from './kind.ts';
import { metadata } from './metadata.ts';
import { childOf, filledText, flag, isAbsent, list, listBy, oneOf, structOf, textMap } from './rule.ts';

const MAX_BYTES = 1024 * 1024;

const named = metadata(isSubdomain, { isNamespaced: true });
const binary = textMap(isDataKey, isBase64);

/** A UTF-16 unit is at most three bytes. */
function fits(...maps: readonly JsonObject[]): boolean {
  let length = 0;
  for (const map of maps) for (const value of map.values()) length += (value as string).length;
  return length * 3 <= MAX_BYTES;
}

/** An immutable object keeps its data. */
const keepsImmutable = (object: JsonObject, old: JsonObject): boolean =>
  old.get('immutable') !== true || keepsFields(object, old, ['immutable', 'data', 'binaryData']);

export const configMap: PlainKind = {
  rule: objectOf(
    { metadata: named, data: textMap(isDataKey, () => true), binaryData: binary, immutable: flag },
    'metadata',
    (object) => {
      const [data, bytes] = [childOf(object, 'data'), childOf(object, 'binaryData')];
      for (const key of bytes.keys()) if (data.has(key)) return false;
      return fits(data, bytes);
    },
  ),
  allowsUpdate: keepsImmutable,
};

const CHECKED_TYPES: ReadonlySet<JsonValue> = new Set([
  'bootstrap.kubernetes.io/token',
  'kubernetes.io/dockercfg',
  // The server warns of certificates that do not fit their key.
  'kubernetes.io/tls',
]);

/** `ValidateSecret` by type. */
function hasDataOfType(object: JsonObject): boolean {
  const type = object.get('type');
  const data = childOf(object, 'data');
  if (type === 'kubernetes.io/basic-auth') return data.has('username') || data.has('password');
  if (type === 'kubernetes.io/ssh-auth') return ((data.get('ssh-privatekey') ?? '') as string) !== '';
  if (type === 'kubernetes.io/dockerconfigjson') return isJsonText(data.get('.dockerconfigjson'));
  if (type === 'kubernetes.io/service-account-token') return namesAccount(object);
  return isAbsent(type) || !CHECKED_TYPES.has(type);
}

function namesAccount(object: JsonObject): boolean {
  const annotations = childOf(childOf(object, 'metadata'), 'annotations');
  return ((annotations.get('kubernetes.io/service-account.name') ?? '') as string) !== '';
}

/** Go reads numbers as float64 and refuses larger ones. */
function isJsonText(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return false;
  let isInRange = true;
  try {
    const parsed: unknown = JSON.parse(decodedBase64(value), (_, item: unknown) => {
      isInRange &&= typeof item !== 'number' || Number.isFinite(item);
      return item;
    });
    return isInRange && typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

export const secret: PlainKind = {
  rule: objectOf(
    { metadata: named, data: binary, type: filledText, immutable: flag },
    'metadata',
    (object) => fits(childOf(object, 'data')) && hasDataOfType(object),
  ),
  allowsUpdate: (object, old) => keepsImmutable(object, old) && keepsFields(object, old, ['type']),
};

export const serviceAccount: PlainKind = {
  rule: objectOf({
    metadata: named,
    // An empty name is no key for a merge patch.
    secrets: listBy('name', structOf({ name: filledText }, 'name')),
    imagePullSecrets: list(structOf({ name: filledText }, 'name')),
    automountServiceAccountToken: flag,
  }),
  allowsUpdate: anyUpdate,
};

export const namespace: PlainKind = {
  rule: objectOf({
    metadata: metadata(isLabel, { isNamespaced: false }),
    spec: structOf({ finalizers: list(oneOf('kubernetes'), 0, 1) }),
    status: structOf({ phase: oneOf('Active') }),
  }),
  allowsUpdate: anyUpdate,
};
