// Defaults of Pods and of the Pod templates of workloads (pkg/apis/core/v1/defaults.go).
import type { JsonValue } from '../../../source/json/json.ts';
import {
  childObject,
  childObjects,
  childText,
  ensureObject,
  isNil,
  isZero,
  type MutableObject,
  ownObject,
  setIfNil,
} from '../typed-field.ts';
import type { DefaultContext, DefaultFunctions } from './default-function.ts';
import { imageTag } from './image-reference.ts';
import { defaultPodResources } from './pod-resources.ts';

export const POD_DEFAULTS: DefaultFunctions = new Map([
  ['core/v1.Container', defaultContainer],
  ['core/v1.EphemeralContainer', defaultContainer],
  ['core/v1.Pod', defaultPod],
  ['core/v1.Volume', defaultVolume],
]);

function defaultContainer(container: MutableObject): void {
  if (childText(container, 'imagePullPolicy') === '') {
    container.set('imagePullPolicy', pullPolicyFor(childText(container, 'image')));
  }
}

function pullPolicyFor(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultVolume(volume: MutableObject, { minor }: DefaultContext): void {
  if (![...volume.keys()].some((key) => key !== 'name')) volume.set('emptyDir', new Map());
  const image = childObject(volume, 'image');
  if (minor < 35 || image === undefined || childText(image, 'pullPolicy') !== '') return;
  image.set('pullPolicy', pullPolicyFor(childText(image, 'reference')));
}

/** Defaults of Pods that do not apply to the templates of workloads. */
function defaultPod(pod: MutableObject, { minor }: DefaultContext): void {
  const spec = ensureObject(pod, 'spec');
  const containers = [...childObjects(spec, 'containers'), ...childObjects(spec, 'initContainers')];
  for (const container of containers) defaultRequests(ensureObject(container, 'resources'));
  if (minor >= 34) defaultPodResources(spec);
  setIfNil(spec, 'enableServiceLinks', true);
  if (spec.get('hostNetwork') !== true) return;
  for (const list of ['containers', 'initContainers']) {
    if (childObjects(spec, list).some((container) => childObjects(container, 'ports').some(lacksHostPort))) {
      spec.set(list, childObjects(spec, list).map(withHostPorts));
    }
  }
}

function lacksHostPort(port: MutableObject): boolean {
  return isZero(port, 'hostPort') && port.get('containerPort') !== 0n;
}

/** Copies, because the value depends on fields outside the container. */
function withHostPorts(container: MutableObject): MutableObject {
  const ports = childObjects(container, 'ports');
  if (!ports.some(lacksHostPort)) return container;
  const onHost = ports.map((port) =>
    lacksHostPort(port) ? new Map(port).set('hostPort', port.get('containerPort') as JsonValue) : port,
  );
  return new Map(container).set('ports', onHost);
}

/** Sets a copy, because the value depends on other fields. */
function defaultRequests(resources: MutableObject): void {
  const limits = [...(childObject(resources, 'limits') ?? [])];
  const requests = childObject(resources, 'requests');
  if (limits.every(([name]) => requests !== undefined && !isNil(requests, name))) return;
  const own = ownObject(resources, 'requests');
  for (const [name, limit] of limits) setIfNil(own, name, limit);
}
