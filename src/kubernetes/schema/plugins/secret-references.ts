// Secrets that a Pod may not use: those of mirror Pods, and those that its ServiceAccount does not list (`plugin/pkg/admission/serviceaccount/admission.go`).
import { parseBool } from '../../../go/strconv/bool.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { childObject, childObjects, childText, type MutableObject } from '../typed-field.ts';
import { annotationsIn, lookedUpName } from './plugin-request.ts';

export interface ForbiddenReference {
  readonly message: string;
  readonly path: FieldPath;
}

interface SecretReference {
  readonly name: string;
  readonly path: FieldPath;
}

/** What a mirror Pod of the kubelet may not use. */
export function forbiddenInMirror(spec: MutableObject): ForbiddenReference | undefined {
  if (childText(spec, 'serviceAccountName') !== '')
    return { message: 'a mirror pod may not reference service accounts', path: ['spec', 'serviceAccountName'] };
  const secrets = [
    ...pullSecrets(spec),
    ...['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => [
      ...variables(spec, list),
      ...sources(spec, list),
    ]),
    ...childObjects(spec, 'volumes').flatMap((volume, index) =>
      hasSecret(volume) ? { name: '', path: ['spec', 'volumes', index] } : [],
    ),
  ];
  const [secret] = secrets;
  if (secret !== undefined) return { message: 'a mirror pod may not reference secrets', path: secret.path };
  const token = childObjects(spec, 'volumes').findIndex((volume) =>
    projected(volume).some((source) => source.has('serviceAccountToken')),
  );
  if (token < 0) return undefined;
  const message = 'a mirror pod may not use ServiceAccountToken volume projections';
  return { message, path: ['spec', 'volumes', token, 'projected'] };
}

/** An annotated account lists all Secrets that its Pods may use. */
export function forbiddenByAccount(spec: MutableObject, account: JsonObject): ForbiddenReference | undefined {
  const enforced = annotationsIn(account)?.get('kubernetes.io/enforce-mountable-secrets');
  if (typeof enforced !== 'string' || parseBool(enforced) !== true) return undefined;
  const [secrets, pulled] = ['secrets', 'imagePullSecrets'].map((field) => {
    return new Set(childObjects(account as MutableObject, field).map((secret) => childText(secret, 'name')));
  }) as [Set<string>, Set<string>];
  const owner = lookedUpName(account);
  const refusal = (what: string, { name, path }: SecretReference): ForbiddenReference | undefined =>
    secrets.has(name)
      ? undefined
      : {
          message: `${what} secret.secretName="${name}" is not allowed because service account ${owner} does not reference that secret`,
          path,
        };
  for (const [index, volume] of childObjects(spec, 'volumes').entries()) {
    const secret = childObject(volume, 'secret');
    if (secret === undefined) continue;
    const path = ['spec', 'volumes', index, 'secret', 'secretName'];
    const refused = refusal('volume with', { name: childText(secret, 'secretName'), path });
    if (refused !== undefined) return refused;
  }
  for (const [list, role] of [
    ['initContainers', 'init container'],
    ['containers', 'container'],
  ] as const) {
    const ofEnv = variables(spec, list).map((each) => ({ each, what: `envVar ${each.variable} referencing` }));
    const ofEnvFrom = sources(spec, list).map((each) => ({ each, what: 'envFrom referencing' }));
    // The server looks at one container after the other.
    const all = [...ofEnv, ...ofEnvFrom].sort((a, b) => a.each.index - b.each.index);
    for (const { each, what } of all) {
      const refused = refusal(`${role} ${each.container} with ${what}`, each);
      if (refused !== undefined) return refused;
    }
  }
  const index = pullSecrets(spec).findIndex(({ name }) => !pulled.has(name));
  const unknown = pullSecrets(spec)[index];
  if (unknown === undefined) return undefined;
  const message = `imagePullSecrets[${index}].name="${unknown.name}" is not allowed because service account ${owner} does not reference that imagePullSecret`;
  return { message, path: unknown.path };
}

interface ContainerReference extends SecretReference {
  readonly container: string;
  readonly index: number;
}

function variables(spec: MutableObject, list: string): readonly (ContainerReference & { readonly variable: string })[] {
  return childObjects(spec, list).flatMap((container, index) =>
    childObjects(container, 'env').flatMap((variable, at) => {
      const source = childObject(variable, 'valueFrom');
      const key = source && childObject(source, 'secretKeyRef');
      if (key === undefined) return [];
      const path = ['spec', list, index, 'env', at, 'valueFrom', 'secretKeyRef', 'name'];
      const names = { container: childText(container, 'name'), variable: childText(variable, 'name') };
      return [{ name: childText(key, 'name'), path, index, ...names }];
    }),
  );
}

function sources(spec: MutableObject, list: string): readonly ContainerReference[] {
  return childObjects(spec, list).flatMap((container, index) =>
    childObjects(container, 'envFrom').flatMap((source, at) => {
      const secret = childObject(source, 'secretRef');
      if (secret === undefined) return [];
      const path = ['spec', list, index, 'envFrom', at, 'secretRef', 'name'];
      return [{ name: childText(secret, 'name'), path, index, container: childText(container, 'name') }];
    }),
  );
}

function pullSecrets(spec: MutableObject): readonly SecretReference[] {
  return childObjects(spec, 'imagePullSecrets').map((secret, index) => ({
    name: childText(secret, 'name'),
    path: ['spec', 'imagePullSecrets', index, 'name'],
  }));
}

/** `pkg/api/pod/util.go: VisitPodSecretNames`. */
function hasSecret(volume: MutableObject): boolean {
  if (volume.has('secret') || volume.has('azureFile')) return true;
  if (projected(volume).some((source) => source.has('secret'))) return true;
  const csi = childObject(volume, 'csi');
  const withReference = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'];
  return (
    csi?.has('nodePublishSecretRef') === true ||
    withReference.some((type) => childObject(volume, type)?.has('secretRef'))
  );
}

function projected(volume: MutableObject): readonly MutableObject[] {
  const source = childObject(volume, 'projected');
  return source === undefined ? [] : childObjects(source, 'sources');
}
