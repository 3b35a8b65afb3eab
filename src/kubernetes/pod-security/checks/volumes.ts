// Volumes: baseline forbids hostPath, restricted allows only types without access to the host (`check_hostPathVolumes.go`, `check_restrictedVolumes.go`).
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { objectField, objectItems, textField } from '../../../source/json/json-field.ts';
import { isAtLeast, type KubernetesVersion } from '../../api/version.ts';
import {
  forbiddenField,
  joinQuoted,
  type PodSecurityCheck,
  type PodSecurityError,
  plural,
  sortedSet,
  type Violation,
} from '../check.ts';
import type { CheckedPod } from '../pod.ts';

export const hostPathVolumes: PodSecurityCheck = {
  id: 'hostPathVolumes',
  level: 'baseline',
  versions: [{ minimumMinor: 0, check: checkHostPath }],
};

export const restrictedVolumes: PodSecurityCheck = {
  id: 'restrictedVolumes',
  level: 'restricted',
  versions: [{ minimumMinor: 0, overrides: ['hostPathVolumes'], check: checkTypes }],
};

/** Without `image`, which servers allow since 1.33. */
const ALLOWED_TYPES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** In upstream's order: if a volume has several types, the message names the first. */
const RESTRICTED_TYPES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

function checkHostPath({ spec }: CheckedPod): Violation | undefined {
  const names: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const [index, volume] of objectItems(spec.get('volumes')).entries()) {
    const hostPath = objectField(volume, 'hostPath');
    if (hostPath === undefined) continue;
    names.push(textField(volume, 'name'));
    errors.push(forbiddenField(['spec', 'volumes', index, 'hostPath'], textField(hostPath, 'path')));
  }
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: volumeList(names), errors };
}

function checkTypes({ spec }: CheckedPod, server?: KubernetesVersion): Violation | undefined {
  const names: string[] = [];
  const types: string[] = [];
  const errors: PodSecurityError[] = [];
  const knowsImages = server === undefined || isAtLeast(server, '1.33');
  for (const [index, volume] of objectItems(spec.get('volumes')).entries()) {
    if (knowsImages && isSet(volume, 'image')) continue;
    if (ALLOWED_TYPES.some((type) => isSet(volume, type))) continue;
    const type = RESTRICTED_TYPES.find((restricted) => isSet(volume, restricted)) ?? 'unknown';
    names.push(textField(volume, 'name'));
    types.push(type);
    errors.push(forbiddenField(['spec', 'volumes', index, type]));
  }
  if (names.length === 0) return undefined;
  const distinct = sortedSet(types);
  const use = plural('uses', 'use', names.length);
  const typeList = `${plural('restricted volume type', 'restricted volume types', distinct.length)} ${joinQuoted(distinct)}`;
  return { reason: 'restricted volume types', detail: `${volumeList(names)} ${use} ${typeList}`, errors };
}

function isSet(volume: JsonObject, type: string): boolean {
  return isJsonObject(volume.get(type));
}

function volumeList(names: readonly string[]): string {
  return `${plural('volume', 'volumes', names.length)} ${joinQuoted(names)}`;
}
