// Fields that name an object which may be in a hole: kustomize changes them if it gives that object another name.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/**
 * Kinds with references, and the fields of references, after `nameReferenceFieldSpecs` (api/internal/konfig/builtinpluginconsts). The
 * fields are recognized by their keys, so a few more than kustomize's are found.
 */
const KINDS: ReadonlySet<string> = new Set(
  (
    'Pod PodTemplate Deployment ReplicaSet ReplicationController DaemonSet StatefulSet Job CronJob HorizontalPodAutoscaler Ingress ' +
    'ServiceAccount StorageClass Role ClusterRole RoleBinding ClusterRoleBinding Service PersistentVolume PersistentVolumeClaim ' +
    'APIService ValidatingWebhookConfiguration MutatingWebhookConfiguration ValidatingAdmissionPolicyBinding Node'
  ).split(' '),
);
const NAME_OF: ReadonlySet<string> = new Set(
  'configMap configMapKeyRef configMapRef secret secretKeyRef secretRef imagePullSecrets secrets service scaleTargetRef roleRef'.split(
    ' ',
  ),
);
const NAMES: ReadonlySet<string> = new Set(
  (
    'secretName adminSecretName userSecretName secretRef serviceName serviceAccountName claimName volumeName storageClassName ' +
    'priorityClassName ingressClassName policyName configMap resourceNames'
  ).split(' '),
);
const ANNOTATIONS = /\.io\/(?:auth-secret|auth-tls-secret|fastcgi-params-configmap)$/;

export interface ReferenceOptions {
  /** Names of all rendered objects. A reference to one of them is known. */
  readonly names: ReadonlySet<string>;
  /** True if the names of unknown objects may differ from those in their files. */
  readonly mayRename: boolean;
  /** True if a kustomization sets namespaces: subjects of unknown ServiceAccounts then get one. */
  readonly setsNamespace: boolean;
  /** True if kustomizations declare references of their own, so that any field may be one. */
  readonly hasOwnReferences: boolean;
}

export function unknownReferences(value: JsonValue, options: ReferenceOptions): readonly FieldPath[] {
  if (!isJsonObject(value)) return [];
  const found: FieldPath[] = [];
  const isAny = options.hasOwnReferences && options.mayRename;
  if (!isAny && !KINDS.has(textField(value, 'kind'))) return [];
  const visit = (item: JsonValue, path: FieldPath, key: string, parent: string): void => {
    if (isJsonArray(item)) for (const [index, each] of item.entries()) visit(each, [...path, index], key, parent);
    else if (isJsonObject(item)) {
      if (isUnknownSubject(item, key, options)) found.push(path);
      else for (const [name, each] of item) visit(each, [...path, name], name, key);
    } else if (typeof item === 'string' && options.mayRename && !options.names.has(item)) {
      if (isAny ? path.length > 1 && path[0] !== 'metadata' : isReference(path, key, parent)) found.push(path);
    }
  };
  visit(value, [], '', '');
  return found;
}

function isReference(path: FieldPath, key: string, parent: string): boolean {
  if (path[0] === 'metadata') return path[1] === 'annotations' && ANNOTATIONS.test(key);
  return NAMES.has(key) || (key === 'name' && NAME_OF.has(parent));
}

function isUnknownSubject(
  item: JsonObject,
  key: string,
  { names, mayRename, setsNamespace }: ReferenceOptions,
): boolean {
  const isSubject = key === 'subjects' && textField(item, 'kind') === 'ServiceAccount';
  return isSubject && (mayRename || setsNamespace) && !names.has(textField(item, 'name'));
}

/** Names of rendered objects. */
export function namesOf(values: readonly JsonValue[]): ReadonlySet<string> {
  return new Set(values.map((value) => textField(objectOrEmpty(objectOrEmpty(value).get('metadata')), 'name')));
}
