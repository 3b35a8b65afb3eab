// Effects of the default mutating admission plugins on a new object (plugin/pkg/admission/*).
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import type { GroupVersionKind } from '../../api/group-version.ts';
import {
  childList,
  childObject,
  childObjects,
  childText,
  ensureObject,
  isNil,
  type MutableObject,
  setIfNil,
  setIfZero,
} from '../typed-field.ts';
import type { CreationContext } from './creation-function.ts';

export type AdmissionPlugin =
  | 'DefaultTolerationSeconds'
  | 'Priority'
  | 'ServiceAccount'
  | 'StorageObjectInUseProtection';

/** Configuration and known objects for the plugins. */
export interface InTreeAdmission {
  readonly known: KnownObjects;
  readonly disabled: ReadonlySet<AdmissionPlugin>;
}

/** Objects known to be in the cluster: those of a namespace, or all of a cluster-scoped kind. */
export type KnownObjects = (gvk: GroupVersionKind, namespace: string) => Iterable<JsonObject>;

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_VOLUME_PREFIX = 'kube-api-access-';

/** Priorities of the two built-in classes. */
const SYSTEM_PRIORITIES: ReadonlyMap<string, bigint> = new Map([
  ['system-cluster-critical', 2_000_000_000n],
  ['system-node-critical', 2_000_001_000n],
]);

const FINALIZERS: ReadonlyMap<string, { readonly finalizer: string; readonly firstMinor: number }> = new Map([
  ['PersistentVolume', { finalizer: 'kubernetes.io/pv-protection', firstMinor: 0 }],
  ['PersistentVolumeClaim', { finalizer: 'kubernetes.io/pvc-protection', firstMinor: 0 }],
  ['storage.k8s.io/VolumeAttributesClass', { finalizer: 'kubernetes.io/vac-protection', firstMinor: 34 }],
]);

/** False for kinds that no plugin below changes; `kind` as in `admitInTree`. */
export function isAdmittedInTree(kind: string): boolean {
  return kind === 'Pod' || FINALIZERS.has(kind);
}

/**
 * Applies ServiceAccount, Priority, DefaultTolerationSeconds and StorageObjectInUseProtection. Omits plugins that
 * depend on objects in the cluster: LimitRanger, RuntimeClass, DefaultStorageClass, DefaultIngressClass. `kind` has its
 * group as a prefix; core kinds have none.
 */
export function admitInTree(
  object: MutableObject,
  kind: string,
  namespace: string,
  admission: InTreeAdmission,
  context: CreationContext,
): void {
  if (kind === 'Pod') admitPod(object, namespace, admission, context);
  const protection = admission.disabled.has('StorageObjectInUseProtection') ? undefined : FINALIZERS.get(kind);
  if (protection !== undefined && context.minor >= protection.firstMinor) {
    const metadata = ensureObject(object, 'metadata');
    const finalizers = childList(metadata, 'finalizers');
    const { finalizer } = protection;
    if (!finalizers.includes(finalizer)) metadata.set('finalizers', [...finalizers, finalizer]);
  }
}

function admitPod(
  pod: MutableObject,
  namespace: string,
  { known, disabled }: InTreeAdmission,
  context: CreationContext,
): void {
  const spec = ensureObject(pod, 'spec');
  const annotations = childObject(ensureObject(pod, 'metadata'), 'annotations');
  const isMirror = annotations?.has('kubernetes.io/config.mirror') === true;
  if (!isMirror && !disabled.has('ServiceAccount')) useServiceAccount(spec, namespace, known, context);
  if (!disabled.has('Priority')) usePriority(spec, known, context);
  if (!disabled.has('DefaultTolerationSeconds')) tolerateUnreadyNodes(spec);
}

function useServiceAccount(
  spec: MutableObject,
  namespace: string,
  known: KnownObjects,
  context: CreationContext,
): void {
  setIfZero(spec, 'serviceAccountName', 'default');
  const name = childText(spec, 'serviceAccountName');
  spec.set('serviceAccount', name);
  const account = find(known({ group: '', version: 'v1', kind: 'ServiceAccount' }, namespace), name);
  const automount = spec.get('automountServiceAccountToken') ?? account?.get('automountServiceAccountToken');
  if (automount !== false) mountToken(spec, context);
  const secrets = account === undefined ? [] : childObjects(account, 'imagePullSecrets');
  if (secrets.length > 0 && childList(spec, 'imagePullSecrets').length === 0) {
    spec.set(
      'imagePullSecrets',
      secrets.map((secret) => new Map(secret)),
    );
  }
}

function find(objects: Iterable<JsonObject>, name: string): MutableObject | undefined {
  for (const object of objects) {
    const metadata = childObject(object as MutableObject, 'metadata');
    if (metadata !== undefined && childText(metadata, 'name') === name) return object as MutableObject;
  }
  return undefined;
}

/** The volume's name ends with random characters. */
function mountToken(spec: MutableObject, context: CreationContext): void {
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

/** A class that is not in the files must exist on the server, else the server refuses the Pod. Its value is unknown. */
function usePriority(spec: MutableObject, known: KnownObjects, context: CreationContext): void {
  const classes = [
    ...known({ group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' }, ''),
  ] as MutableObject[];
  let name = childText(spec, 'priorityClassName');
  if (name === '') {
    const byDefault = classes.find((priorityClass) => priorityClass.get('globalDefault') === true);
    name = byDefault === undefined ? '' : childText(ensureObject(byDefault, 'metadata'), 'name');
    if (name !== '') spec.set('priorityClassName', name);
  }
  const chosen = find(classes, name);
  const priority = name === '' ? 0n : (SYSTEM_PRIORITIES.get(name) ?? chosen?.get('value'));
  const policy = priority === undefined ? context.preemptionPolicy : chosen?.get('preemptionPolicy');
  if (priority === undefined) {
    for (const field of ['priority', 'preemptionPolicy']) if (isNil(spec, field)) context.invent(['spec', field]);
  }
  setIfNil(spec, 'priority', priority ?? context.priority);
  setIfNil(spec, 'preemptionPolicy', policy ?? 'PreemptLowerPriority');
}

function tolerateUnreadyNodes(spec: MutableObject): void {
  const tolerations = childObjects(spec, 'tolerations');
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !tolerations.some((toleration) => toleratesEviction(toleration, key)),
  );
  if (added.length > 0) spec.set('tolerations', [...tolerations, ...added.map(evictionToleration)]);
}

function toleratesEviction(toleration: MutableObject, key: string): boolean {
  const [ownKey, effect] = [childText(toleration, 'key'), childText(toleration, 'effect')];
  return (ownKey === '' || ownKey === key) && (effect === '' || effect === 'NoExecute');
}

function evictionToleration(key: string): MutableObject {
  return fields({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300n });
}
