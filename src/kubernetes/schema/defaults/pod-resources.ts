// Resources at the Pod level: if some are set, the containers supply the others (KEP-2837).
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../quantity/quantity.ts';
import { childObject, childObjects, childText, type MutableObject, ownObject } from '../typed-field.ts';

type ResourceList = Map<string, Quantity>;

const HUGE_PAGES = 'hugepages-';

/** `defaultHugePagePodLimits` and `defaultPodRequests`. */
export function defaultPodResources(podSpec: MutableObject): void {
  const resources = childObject(podSpec, 'resources');
  if (resources === undefined) return;
  // Copies, because the values depend on other fields.
  const requests: MutableObject = new Map(childObject(resources, 'requests'));
  const limits: MutableObject = new Map(childObject(resources, 'limits'));
  const written = requests.size + limits.size;
  if (written === 0) return;
  for (const [name, limit] of aggregate(podSpec, 'limits')) {
    const isDefaulted = name.startsWith(HUGE_PAGES) && !requests.has(name) && !limits.has(name);
    if (isDefaulted) limits.set(name, formatQuantity(limit));
  }
  if (limits.size === 0) return;
  for (const [name, request] of aggregate(podSpec, 'requests')) {
    if ((name === 'cpu' || name === 'memory') && !requests.has(name)) requests.set(name, formatQuantity(request));
  }
  for (const [name, limit] of limits) {
    const isSupported = name === 'cpu' || name === 'memory' || name.startsWith(HUGE_PAGES);
    if (isSupported && !requests.has(name)) requests.set(name, limit);
  }
  if (requests.size + limits.size === written) return;
  const own = ownObject(podSpec, 'resources');
  own.set('limits', limits);
  if (requests.size > 0) own.set('requests', requests);
}

/** The sum of the containers, or an init container with its preceding sidecars if that is larger. */
function aggregate(podSpec: MutableObject, kind: 'requests' | 'limits'): ResourceList {
  const total: ResourceList = new Map();
  for (const container of childObjects(podSpec, 'containers')) add(total, resourcesOf(container, kind));
  const sidecars: ResourceList = new Map();
  const initialization: ResourceList = new Map();
  for (const container of childObjects(podSpec, 'initContainers')) {
    const own = resourcesOf(container, kind);
    if (childText(container, 'restartPolicy') === 'Always') {
      add(total, own);
      add(sidecars, own);
      raise(initialization, sidecars);
    } else {
      add(own, sidecars);
      raise(initialization, own);
    }
  }
  raise(total, initialization);
  return total;
}

function resourcesOf(container: MutableObject, kind: 'requests' | 'limits'): ResourceList {
  const resources = childObject(container, 'resources');
  const list: ResourceList = new Map();
  for (const [name, text] of (resources && childObject(resources, kind)) ?? []) {
    const quantity = parseQuantity(String(text));
    if (!('error' in quantity)) list.set(name, quantity);
  }
  return list;
}

function add(list: ResourceList, more: ResourceList): void {
  for (const [name, quantity] of more) {
    const known = list.get(name);
    list.set(name, (known && addQuantities(known, quantity)) ?? quantity);
  }
}

function raise(list: ResourceList, other: ResourceList): void {
  for (const [name, quantity] of other) {
    const known = list.get(name);
    if (known === undefined || compareQuantities(quantity, known) > 0) list.set(name, quantity);
  }
}
