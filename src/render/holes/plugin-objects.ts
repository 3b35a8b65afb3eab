// Objects of generator plugins. KSOPS only decrypts files of the repository, so its objects are known except for their values.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { isCiphertext, isEncrypted } from '../../source/placeholder/sops.ts';
import { baseName, joinPaths } from '../../source/text/repository-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';

export type ReadText = (path: string) => string | undefined;

/** Files that stand for the output of a plugin, with two different values in each unknown field. */
export interface StandIn {
  readonly path: string;
  readonly text: string;
  readonly other: string;
}

const CIPHERTEXT = 'ENC[AES256_GCM,data:unknown,type:str]';

export function isPlugin(config: JsonObject): boolean {
  return textField(config, 'apiVersion') !== 'builtin';
}

export function documentsIn(text: string): readonly JsonValue[] | undefined {
  const { manifests, problems } = readManifests(new SourceFile('', text));
  return problems.length > 0 ? undefined : manifests.map(({ value }) => value);
}

export function isKsops(config: JsonObject): boolean {
  return textField(config, 'apiVersion') === 'viaduct.ai/v1' && textField(config, 'kind').toLowerCase() === 'ksops';
}

/** Paths of encrypted files that KSOPS reads. They are relative to the folder of the kustomization (`decryptFile` in ksops.go). */
export function ksopsFiles(config: JsonObject, folder: string): readonly string[] {
  const secrets = objectItems(config.get('secretFrom'));
  const named = secrets.flatMap((secret) =>
    ['files', 'binaryFiles', 'envs'].flatMap((field) => textItems(secret.get(field))),
  );
  return [...textItems(config.get('files')), ...named.map(pathOf)].map((file) => joinPaths(folder, file));
}

/**
 * The objects of a KSOPS generator, with the encrypted texts as values; undefined if the files do not determine the objects. Follows
 * `generate` in ksops.go. `made`: path for Secrets that KSOPS composes.
 */
export function ksopsObjects(
  config: JsonObject,
  folder: string,
  read: ReadText,
  made: string,
): readonly StandIn[] | undefined {
  const found: StandIn[] = [];
  for (const file of textItems(config.get('files'))) {
    const path = joinPaths(folder, file);
    const text = read(path);
    const documents = text === undefined ? undefined : documentsIn(text);
    const objects = documents?.map(decryptedObject);
    if (objects === undefined || objects.length === 0) return undefined;
    const known = objects.flatMap((object) => object ?? []);
    if (known.length < objects.length) return undefined;
    found.push(standIn(path, known));
  }
  const secrets = objectItems(config.get('secretFrom')).map((secret) => composedSecret(secret, folder, read));
  const known = secrets.flatMap((secret) => secret ?? []);
  if (known.length < secrets.length) return undefined;
  if (known.length > 0) found.push(standIn(made, known));
  return found.length === 0 ? undefined : found;
}

function standIn(path: string, objects: readonly JsonObject[]): StandIn {
  const textOf = (object: JsonValue): string => stringifyJson(object, { sortKeys: false, escapeHtml: false });
  return {
    path,
    text: objects.map(textOf).join('\n---\n'),
    other: objects.map((object) => textOf(withOtherValues(object))).join('\n---\n'),
  };
}

/** Undefined if kind, name or namespace are encrypted or missing. */
function decryptedObject(document: JsonValue): JsonObject | undefined {
  if (!isJsonObject(document) || !isEncrypted(document)) return undefined;
  const metadata = objectOrEmpty(document.get('metadata'));
  const identity = [document.get('apiVersion'), document.get('kind'), metadata.get('name')];
  const isKnown = identity.every((text) => typeof text === 'string' && text !== '' && !isCiphertext(text));
  if (!isKnown || isCiphertext(metadata.get('namespace'))) return undefined;
  const options = withPluginOptions(metadata);
  return options && new Map([...document, ['metadata', options] as const].filter(([field]) => field !== 'sops'));
}

const NEEDS_HASH = 'kustomize.config.k8s.io/needs-hash';
const BEHAVIOR = 'kustomize.config.k8s.io/behavior';

/**
 * Annotations of a plugin's object that are options for kustomize (`UpdateResourceOptions`, api/internal/plugins/utils). Undefined if the
 * object is merged into another one.
 */
function withPluginOptions(metadata: JsonObject): JsonObject | undefined {
  const annotations = objectOrEmpty(metadata.get('annotations'));
  const behavior = annotations.get(BEHAVIOR);
  if (behavior !== undefined && behavior !== 'create') return undefined;
  if (behavior === undefined && !annotations.has(NEEDS_HASH)) return metadata;
  const kept = [...annotations].filter(([name]) => name !== NEEDS_HASH && name !== BEHAVIOR);
  const hash: JsonValue = 'enabled';
  const needsHash = annotations.get(NEEDS_HASH) === 'true';
  const all = [...kept, ...(needsHash ? [['internal.config.kubernetes.io/needsHashSuffix', hash] as const] : [])];
  const others = [...metadata].filter(([field]) => field !== 'annotations');
  return new Map<string, JsonValue>([...others, ...(all.length > 0 ? [['annotations', new Map(all)] as const] : [])]);
}

function composedSecret(secret: JsonObject, folder: string, read: ReadText): JsonObject | undefined {
  const metadata = objectField(secret, 'metadata');
  if (metadata === undefined || textField(metadata, 'name') === '') return undefined;
  const texts = new Map<string, JsonValue>();
  const bytes = new Map<string, JsonValue>();
  for (const file of textItems(secret.get('files'))) texts.set(keyOf(file), CIPHERTEXT);
  for (const file of textItems(secret.get('binaryFiles'))) bytes.set(keyOf(file), CIPHERTEXT);
  for (const file of textItems(secret.get('envs'))) {
    const text = read(joinPaths(folder, file));
    if (text === undefined) return undefined;
    for (const key of dotenvKeys(text)) texts.set(key, CIPHERTEXT);
  }
  const options = withPluginOptions(metadata);
  if (options === undefined) return undefined;
  const type = textField(secret, 'type');
  return new Map<string, JsonValue>([
    ['apiVersion', 'v1'],
    ['kind', 'Secret'],
    ['metadata', options],
    ...(type === '' ? [] : ([['type', type]] as const)),
    ...(texts.size === 0 ? [] : ([['stringData', texts]] as const)),
    ...(bytes.size === 0 ? [] : ([['data', bytes]] as const)),
  ]);
}

/** SOPS encrypts the values of a dotenv file and adds keys with the prefix `sops_`. */
function dotenvKeys(text: string): readonly string[] {
  const keys = [...text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=/gm)].map(([, key = '']) => key);
  return keys.filter((key) => !key.startsWith('sops_'));
}

function keyOf(file: string): string {
  return file.includes('=') ? (file.split('=')[0] as string) : baseName(file);
}

function pathOf(file: string): string {
  return file.slice(file.indexOf('=') + 1);
}

function withOtherValues(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withOtherValues);
  if (isJsonObject(value)) return new Map([...value].map(([key, item]) => [key, withOtherValues(item)]));
  return isCiphertext(value) ? value.replace(/^ENC\[/, 'ENC[OTHER_') : value;
}
