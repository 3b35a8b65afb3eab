// The ServiceAccount of a Pod: its token, its secrets, and whether it exists (`plugin/pkg/admission/serviceaccount/admission.go`).
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { childList, childObject, childObjects, childText, type MutableObject, setIfZero } from '../typed-field.ts';
import { findNamed, type KnownObjects, type PluginContext, SERVICE_ACCOUNT } from './plugin-request.ts';
import { type ForbiddenReference, forbiddenByAccount, forbiddenInMirror } from './secret-references.ts';

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_VOLUME_PREFIX = 'kube-api-access-';
/** A controller creates it in every Namespace. */
const DEFAULT_NAME = 'default';

export function useServiceAccount(
  spec: MutableObject,
  namespace: string,
  known: KnownObjects,
  context: PluginContext,
): void {
  setIfZero(spec, 'serviceAccountName', DEFAULT_NAME);
  const name = childText(spec, 'serviceAccountName');
  spec.set('serviceAccount', name);
  requireAccount(name, namespace, known, context);
  const account = findNamed(known.objects(SERVICE_ACCOUNT, namespace), name);
  const automount = spec.get('automountServiceAccountToken') ?? account?.get('automountServiceAccountToken');
  if (automount !== false) mountToken(spec, context);
  const secrets = account === undefined ? [] : childObjects(account, 'imagePullSecrets');
  if (secrets.length > 0 && childList(spec, 'imagePullSecrets').length === 0) {
    spec.set(
      'imagePullSecrets',
      secrets.map((secret) => new Map(secret)),
    );
  }
  if (account !== undefined) forbidReference(forbiddenByAccount(spec, account), context);
}

/** The kubelet's mirror Pods get no account. */
export function validateMirror(spec: MutableObject, context: PluginContext): void {
  forbidReference(forbiddenInMirror(spec), context);
}

function forbidReference(found: ForbiddenReference | undefined, context: PluginContext): void {
  if (found !== undefined) context.forbid({ ...found, reads: [found.path] });
}

/** Policies may have changed the account. */
export function validateServiceAccount(
  object: JsonObject,
  namespace: string,
  known: KnownObjects,
  context: PluginContext,
): void {
  const spec = childObject(object as MutableObject, 'spec');
  if (spec === undefined) return;
  const name = childText(spec, 'serviceAccountName');
  requireAccount(name, namespace, known, context);
  const account = findNamed(known.objects(SERVICE_ACCOUNT, namespace), name);
  if (account !== undefined) forbidReference(forbiddenByAccount(spec, account), context);
}

function requireAccount(name: string, namespace: string, known: KnownObjects, context: PluginContext): void {
  if (name === DEFAULT_NAME || known.has(SERVICE_ACCOUNT, namespace, name)) return;
  const path = ['spec', 'serviceAccountName'];
  if (!known.holdsAll(SERVICE_ACCOUNT, namespace)) {
    // Silent where the repository declares no accounts at all.
    if (known.objects(SERVICE_ACCOUNT, namespace).length > 0) context.miss({ kind: 'ServiceAccount', name, path });
    return;
  }
  const message = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  context.forbid({ message, path, reads: [path, ['metadata', 'namespace']] });
}

/** The volume's name ends with random characters. */
function mountToken(spec: MutableObject, context: PluginContext): void {
  const volumes = childObjects(spec, 'volumes');
  const existing = volumes
    .map((volume) => childText(volume, 'name'))
    .find((name) => name.startsWith(TOKEN_VOLUME_PREFIX));
  const name = existing ?? `${TOKEN_VOLUME_PREFIX}${context.nameSuffix}`;
  let isNeeded = false;
  for (const list of ['initContainers', 'containers']) {
    for (const [index, container] of childObjects(spec, list).entries()) {
      const mounts = childObjects(container, 'volumeMounts');
      if (mounts.some((mount) => childText(mount, 'mountPath') === TOKEN_PATH)) continue;
      container.set('volumeMounts', [...mounts, tokenMount(name)]);
      if (existing === undefined) context.invent(['spec', list, index, 'volumeMounts', mounts.length, 'name']);
      isNeeded = true;
    }
  }
  if (existing !== undefined || !isNeeded) return;
  spec.set('volumes', [...volumes, tokenVolume(name)]);
  context.invent(['spec', 'volumes', volumes.length, 'name']);
}

function tokenMount(name: string): MutableObject {
  return fields({ name, readOnly: true, mountPath: TOKEN_PATH });
}

function tokenVolume(name: string): MutableObject {
  const token = fields({ path: 'token', expirationSeconds: 3607n });
  const authority = fields({ name: 'kube-root-ca.crt', items: [fields({ key: 'ca.crt', path: 'ca.crt' })] });
  const fieldRef = fields({ apiVersion: 'v1', fieldPath: 'metadata.namespace' });
  const downward = fields({ items: [fields({ path: 'namespace', fieldRef })] });
  const sources = [
    fields({ serviceAccountToken: token }),
    fields({ configMap: authority }),
    fields({ downwardAPI: downward }),
  ];
  return fields({ name, projected: fields({ sources, defaultMode: 420n }) });
}

function fields(values: Readonly<Record<string, JsonValue>>): MutableObject {
  return new Map(Object.entries(values));
}
