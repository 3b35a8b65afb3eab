// Lists that server-side apply refuses because a key occurs twice. The server notices before it decodes the object (structured-merge-diff).
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { invalidObject, shortened } from './object-diagnostics.ts';

/** The keys of the lists of one struct, sorted. A key without a value has the value after `=`. */
type Keys = Readonly<Record<string, readonly string[]>>;

const CONTAINER: Keys = {
  env: ['name'],
  ports: ['containerPort', 'protocol=TCP'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
};
const POD: Keys = {
  containers: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  volumes: ['name'],
};
const SERVICE: Keys = { ports: ['port', 'protocol=TCP'] };
const SERVICE_ACCOUNT: Keys = { secrets: ['name'] };

const POD_AT: ReadonlyMap<string, FieldPath> = new Map<string, FieldPath>([
  ['Pod', ['spec']],
  ['PodTemplate', ['template', 'spec']],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template', 'spec']],
  ...['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'ReplicationController', 'StatefulSet'].map(
    (kind) => [kind, ['spec', 'template', 'spec']] as const,
  ),
]);

interface Duplicate {
  /** Path of the key of the second item. */
  readonly path: FieldPath;
  readonly text: string;
}

/** One diagnostic for each item. `namespace`: empty if the object has none. */
export function refusedDuplicates(resource: Resource, name: string, namespace: string): readonly Diagnostic[] {
  const duplicates = duplicatesIn(resource);
  const { gvk, apiVersion } = resource;
  const version = gvk.group === '' ? `/${apiVersion}` : apiVersion;
  const of = `${namespace === '' ? '' : `${namespace}/`}${name}; ${version}, Kind=${gvk.kind}`;
  const refusal = (text: string): string => `failed to create typed patch object (${of}): ${text}`;
  const texts = duplicates.map(({ text }) => text);
  const whole = refusal(`errors:\n${texts.map((text) => `  ${text}`).join('\n')}`);
  return duplicates.map(({ path, text }) => ({
    ...invalidObject(refusal(text), resource.locate(path, 'value'), []),
    ...(texts.length > 1 && { serverMessage: shortened(whole) }),
    field: path,
  }));
}

function duplicatesIn({ gvk, value }: Resource): readonly Duplicate[] {
  if (gvk.group === '' && gvk.kind === 'ServiceAccount') return inStruct(value, SERVICE_ACCOUNT, [], '');
  if (gvk.group === '' && gvk.kind === 'Service') return inStruct(value.get('spec'), SERVICE, ['spec'], '.spec');
  const path = POD_AT.get(gvk.kind);
  if (path === undefined) return [];
  const pod = path.reduce<JsonObject>((object, field) => objectOrEmpty(object.get(String(field))), value);
  const at = path.map((field) => `.${field}`).join('');
  // The server reads the fields in the order of their names.
  return [...pod.keys()].sort().flatMap((field) => [
    ...(field === 'containers' || field === 'initContainers'
      ? objectItems(pod.get(field)).flatMap((container, index) => {
          const key = `${at}.${field}[name=${JSON.stringify(textField(container, 'name'))}]`;
          return inStruct(container, CONTAINER, [...path, field, index], key);
        })
      : []),
    ...inStruct(new Map([[field, pod.get(field) ?? null]]), POD, path, at),
  ]);
}

function inStruct(struct: JsonValue | undefined, keys: Keys, path: FieldPath, at: string): readonly Duplicate[] {
  if (!isJsonObject(struct)) return [];
  return Object.entries(keys).flatMap(([field, names]) => {
    const seen = new Set<string>();
    return objectItems(struct.get(field)).flatMap((item, index) => {
      const key = names.map((name) => keyIn(item, name)).join(',');
      if (key.includes('=null')) return [];
      if (seen.has(key))
        return [
          {
            path: [...path, field, index, ...writtenKey(item, names)],
            text: `${at}.${field}: duplicate entries for key [${key}]`,
          },
        ];
      seen.add(key);
      return [];
    });
  });
}

/** The first key with a value of its own. */
function writtenKey(item: JsonObject, names: readonly string[]): FieldPath {
  return names.filter((name) => item.has(name)).slice(0, 1);
}

function keyIn(item: JsonObject, key: string): string {
  const [name = '', preset] = key.split('=');
  const value = item.get(name) ?? preset ?? null;
  return `${name}=${typeof value === 'string' ? JSON.stringify(value) : String(value)}`;
}
