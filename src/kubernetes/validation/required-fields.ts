// Required fields of built-in kinds that partial manifests often omit.
import { isJsonArray, isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { GroupVersionKind } from '../api/group-version.ts';

type Check = (spec: JsonObject) => boolean;

const hasContainers: Check = (spec) => {
  const containers = objectItems(spec.get('containers'));
  return (
    containers.length > 0 &&
    containers.every((item) => textField(item, 'name') !== '' && textField(item, 'image') !== '')
  );
};
const hasTemplate: Check = (spec) => hasContainers(objectOrEmpty(objectOrEmpty(spec.get('template')).get('spec')));
const hasSelector: Check = (spec) => isJsonObject(spec.get('selector'));
const isWorkload: Check = (spec) => hasSelector(spec) && hasTemplate(spec);

/** By group and kind (pkg/apis/{core,apps,batch,networking,autoscaling}/validation). */
const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['/Pod', hasContainers],
  ['/ReplicationController', hasTemplate],
  ['apps/Deployment', isWorkload],
  ['apps/StatefulSet', isWorkload],
  ['apps/DaemonSet', isWorkload],
  ['apps/ReplicaSet', isWorkload],
  ['batch/Job', hasTemplate],
  [
    'batch/CronJob',
    (spec) =>
      textField(spec, 'schedule') !== '' &&
      hasTemplate(objectOrEmpty(objectOrEmpty(spec.get('jobTemplate')).get('spec'))),
  ],
  [
    '/Service',
    (spec) =>
      textField(spec, 'type') === 'ExternalName' ||
      textField(spec, 'clusterIP') === 'None' ||
      objectItems(spec.get('ports')).length > 0,
  ],
  ['/PersistentVolumeClaim', (spec) => isJsonArray(spec.get('accessModes')) && isJsonObject(spec.get('resources'))],
  ['networking.k8s.io/Ingress', (spec) => isJsonArray(spec.get('rules')) || isJsonObject(spec.get('defaultBackend'))],
  [
    'autoscaling/HorizontalPodAutoscaler',
    (spec) => spec.has('maxReplicas') && isJsonObject(spec.get('scaleTargetRef')),
  ],
]);

/** True if the server certainly rejects creation because of a missing field. */
export function lacksRequiredFields({ group, kind }: GroupVersionKind, object: JsonObject): boolean {
  return CHECKS.get(`${group}/${kind}`)?.(objectOrEmpty(object.get('spec'))) === false;
}
