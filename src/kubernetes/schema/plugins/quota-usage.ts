// What an object adds to the usage of a Namespace (`pkg/quota/v1/evaluator/core`).
import type { FieldPath } from '../../../source/node/field-path.ts';
import { parseQuantity, type Quantity } from '../../quantity/quantity.ts';
import { roundedUp, signOf } from '../../quantity/quantity-amount.ts';
import { childObject, childObjects, childText, type MutableObject } from '../typed-field.ts';
import { classOf } from './default-class.ts';
import { addList, podResources, type ResourceList, resourceList } from './pod-resources.ts';

export type ChargedKind = 'PersistentVolumeClaim' | 'Pod' | 'Service';

export interface MissingResources {
  readonly message: string;
  readonly path: FieldPath;
}

interface Charge {
  /** `minor`: of the release. */
  usage(object: MutableObject, minor: number): ResourceList;
  /** Resources that containers must set because the quota tracks them. */
  missing(object: MutableObject, tracked: ReadonlyMap<string, unknown>, minor: number): MissingResources | undefined;
  /** The field that causes the usage of this name. */
  place(name: string): FieldPath;
  readonly reads: readonly FieldPath[];
  readonly isChargedOnUpdate: boolean;
}

const ONE = parseQuantity('1') as Quantity;
const COMPUTE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** "It was a mistake": these must be set. */
const REQUIRED = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
const STORAGE_CLASS = '.storageclass.storage.k8s.io/';
/** The gate `PodLevelResources` is on by default. */
const POD_LEVEL_SINCE = 34;

export const CHARGES: Readonly<Record<ChargedKind, Charge>> = {
  Pod: {
    usage: (pod, minor) => {
      const spec = childObject(pod, 'spec') ?? new Map();
      const known = minor >= POD_LEVEL_SINCE ? spec : withoutResources(spec);
      const [requests, limits] = [podResources(known, 'requests'), podResources(known, 'limits')];
      const overhead = resourceList(spec, 'overhead');
      addList(requests, overhead);
      addList(limits, new Map([...overhead].filter(([name]) => limits.has(name))));
      return new Map([['count/pods', ONE], ...computeUsage(requests, limits)]);
    },
    missing: (pod, tracked, minor) => {
      const spec = childObject(pod, 'spec') ?? new Map();
      if (minor >= POD_LEVEL_SINCE && hasResources(spec)) return undefined;
      const names = new Map<string, Set<string>>();
      let path: FieldPath | undefined;
      for (const list of ['containers', 'initContainers']) {
        for (const [index, container] of childObjects(spec, list).entries()) {
          const resources = childObject(container, 'resources');
          const own = computeUsage(resourceList(resources, 'requests'), resourceList(resources, 'limits'));
          for (const name of REQUIRED) {
            if (!tracked.has(name) || own.has(name)) continue;
            path ??= ['spec', list, index, 'resources'];
            names.set(name, (names.get(name) ?? new Set()).add(childText(container, 'name')));
          }
        }
      }
      const messages = [...names.keys()].sort().map((name) => `${name} for: ${sorted(names.get(name) ?? [])}`);
      return path && { message: messages.join('; '), path };
    },
    place: (name) => (name === 'pods' || name === 'count/pods' ? ['kind'] : ['spec', 'containers']),
    reads: [
      ['spec', 'containers'],
      ['spec', 'initContainers'],
      ['spec', 'resources'],
      ['spec', 'overhead'],
      ['spec', 'activeDeadlineSeconds'],
      ['spec', 'priorityClassName'],
      ['spec', 'affinity'],
    ],
    isChargedOnUpdate: false,
  },
  Service: {
    usage: (service) => {
      const spec = childObject(service, 'spec') ?? new Map();
      const ports = childObjects(spec, 'ports');
      const type = childText(spec, 'type');
      const usage: ResourceList = new Map([
        ['count/services', ONE],
        ['services', ONE],
      ]);
      if (type === 'LoadBalancer') usage.set('services.loadbalancers', ONE);
      const allocated =
        spec.get('allocateLoadBalancerNodePorts') === false && type === 'LoadBalancer'
          ? ports.filter((port) => typeof port.get('nodePort') === 'bigint' && port.get('nodePort') !== 0n)
          : ports;
      if (type === 'LoadBalancer' || type === 'NodePort')
        usage.set('services.nodeports', parseQuantity(String(allocated.length)) as Quantity);
      return usage;
    },
    missing: () => undefined,
    place: (name) => (name.startsWith('services.') ? ['spec', 'type'] : ['kind']),
    reads: [
      ['spec', 'type'],
      ['spec', 'ports'],
      ['spec', 'allocateLoadBalancerNodePorts'],
    ],
    isChargedOnUpdate: true,
  },
  PersistentVolumeClaim: {
    usage: (claim) => {
      const spec = childObject(claim, 'spec') ?? new Map();
      const storageClass = classOf(claim);
      const requested = resourceList(childObject(spec, 'resources'), 'requests').get('storage');
      const usage: ResourceList = new Map([
        ['count/persistentvolumeclaims', ONE],
        ['persistentvolumeclaims', ONE],
      ]);
      if (requested !== undefined) usage.set('requests.storage', wholeBytes(requested));
      if (storageClass === '') return usage;
      usage.set(`${storageClass}${STORAGE_CLASS}persistentvolumeclaims`, ONE);
      if (requested !== undefined) usage.set(`${storageClass}${STORAGE_CLASS}requests.storage`, wholeBytes(requested));
      return usage;
    },
    missing: () => undefined,
    place: (name) =>
      name.endsWith('requests.storage') ? ['spec', 'resources', 'requests', 'storage'] : ['spec', 'storageClassName'],
    reads: [
      ['spec', 'resources'],
      ['spec', 'storageClassName'],
      ['spec', 'volumeAttributesClassName'],
    ],
    isChargedOnUpdate: true,
  },
};

/** `podComputeUsageHelper`. */
function computeUsage(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage: ResourceList = new Map([['pods', ONE]]);
  for (const [name, quantity] of requests) {
    if (COMPUTE.has(name) || name.startsWith('hugepages-')) usage.set(name, quantity);
    if (COMPUTE.has(name) || name.startsWith('hugepages-') || isExtended(name)) usage.set(`requests.${name}`, quantity);
  }
  for (const [name, quantity] of limits) if (COMPUTE.has(name)) usage.set(`limits.${name}`, quantity);
  return usage;
}

/** `IsNativeResource` is the opposite. */
function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

function hasResources(spec: MutableObject): boolean {
  const own = childObject(spec, 'resources');
  return ['requests', 'limits'].some((field) =>
    [...resourceList(own, field).keys()].some(
      (name) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'),
    ),
  );
}

function withoutResources(spec: MutableObject): MutableObject {
  return new Map([...spec].filter(([name]) => name !== 'resources'));
}

function wholeBytes(quantity: Quantity): Quantity {
  const amount = roundedUp(quantity.amount, 0);
  return amount === quantity.amount || signOf(amount) === 0 ? quantity : { ...quantity, amount };
}

function sorted(names: Iterable<string>): string {
  return [...names].sort().join(',');
}
