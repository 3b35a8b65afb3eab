// Defaults of core kinds other than Pods (pkg/apis/core/v1/defaults.go).
import type { JsonValue } from '../../../source/json/json.ts';
import {
  childList,
  childObject,
  childObjects,
  childText,
  copyOfMap,
  ensureObject,
  isNil,
  type MutableObject,
  ownObject,
  setIfNil,
  setIfZero,
  setInsideIfNil,
} from '../typed-field.ts';
import type { DefaultContext, DefaultFunctions } from './default-function.ts';

/** Three hours. */
const CLIENT_IP_AFFINITY_SECONDS = 10800n;

export const CORE_DEFAULTS: DefaultFunctions = new Map([
  ['core/v1.LimitRangeItem', defaultLimitRangeItem],
  ['core/v1.Namespace', defaultNamespace],
  ['core/v1.NodeStatus', defaultNodeStatus],
  ['core/v1.PersistentVolume', defaultPersistentVolume],
  ['core/v1.PersistentVolumeClaim', defaultPersistentVolumeClaim],
  ['core/v1.ReplicationController', defaultReplicationController],
  ['core/v1.Service', defaultService],
]);

function defaultService(service: MutableObject, { minor }: DefaultContext): void {
  const spec = ensureObject(service, 'spec');
  setIfZero(spec, 'sessionAffinity', 'None');
  setIfZero(spec, 'type', 'ClusterIP');
  defaultSessionAffinity(spec);
  const type = childText(spec, 'type');
  for (const port of childObjects(spec, 'ports')) {
    const targetPort = port.get('targetPort');
    if (targetPort === 0n || targetPort === '') port.set('targetPort', port.get('port') as JsonValue);
  }
  const hasExternalIps = minor >= 29 && childList(spec, 'externalIPs').length > 0;
  const isBalanced = type === 'LoadBalancer';
  if (isBalanced || type === 'NodePort' || (type === 'ClusterIP' && hasExternalIps)) {
    setIfZero(spec, 'externalTrafficPolicy', 'Cluster');
  }
  if (isBalanced || type === 'NodePort' || type === 'ClusterIP') setIfNil(spec, 'internalTrafficPolicy', 'Cluster');
  if (isBalanced) setIfNil(spec, 'allocateLoadBalancerNodePorts', true);
}

function defaultSessionAffinity(spec: MutableObject): void {
  const affinity = childText(spec, 'sessionAffinity');
  if (affinity === 'None') spec.delete('sessionAffinityConfig');
  if (affinity !== 'ClientIP') return;
  const config = childObject(spec, 'sessionAffinityConfig');
  const clientIp = config && childObject(config, 'clientIP');
  if (clientIp !== undefined && !isNil(clientIp, 'timeoutSeconds')) return;
  spec.set('sessionAffinityConfig', new Map([['clientIP', new Map([['timeoutSeconds', CLIENT_IP_AFFINITY_SECONDS]])]]));
}

function defaultReplicationController(controller: MutableObject): void {
  const spec = ensureObject(controller, 'spec');
  const template = childObject(spec, 'template');
  const metadata = template && childObject(template, 'metadata');
  const labels = copyOfMap(metadata, 'labels');
  if (labels === undefined) return;
  setIfNil(spec, 'selector', labels);
  setInsideIfNil(controller, 'metadata', 'labels', new Map(labels));
}

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** A generated name gets its label later; see `registry/core/namespace`. */
function defaultNamespace(namespace: MutableObject): void {
  const metadata = ensureObject(namespace, 'metadata');
  const name = childText(metadata, 'name');
  const isLabelled = childObject(metadata, 'labels')?.get(NAME_LABEL) === name;
  if (name !== '' && !isLabelled) ownObject(metadata, 'labels').set(NAME_LABEL, name);
}

function defaultNodeStatus(status: MutableObject): void {
  const capacity = copyOfMap(status, 'capacity');
  if (capacity !== undefined) setIfNil(status, 'allocatable', capacity);
}

function defaultPersistentVolume(volume: MutableObject): void {
  setIfZero(ensureObject(volume, 'status'), 'phase', 'Pending');
  const spec = ensureObject(volume, 'spec');
  setIfZero(spec, 'persistentVolumeReclaimPolicy', 'Retain');
  setIfNil(spec, 'volumeMode', 'Filesystem');
}

function defaultPersistentVolumeClaim(claim: MutableObject): void {
  setIfZero(ensureObject(claim, 'status'), 'phase', 'Pending');
}

/** For container limits: `max` sets the default limit, and the default limit sets the default request; so does `min`. */
function defaultLimitRangeItem(item: MutableObject): void {
  if (childText(item, 'type') !== 'Container') return;
  const limits = new Map([...(childObject(item, 'max') ?? []), ...(childObject(item, 'default') ?? [])]);
  const minimum = childObject(item, 'min') ?? [];
  const requests = new Map([...minimum, ...limits, ...(childObject(item, 'defaultRequest') ?? [])]);
  if (limits.size > 0) item.set('default', limits);
  if (requests.size > 0) item.set('defaultRequest', requests);
}
