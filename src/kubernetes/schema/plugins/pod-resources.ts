// The sum of what a Pod's containers request and may use (`plugin/pkg/admission/limitranger/admission.go: podRequests, podLimits`).
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../quantity/quantity.ts';
import { childObject, childObjects, childText, type MutableObject } from '../typed-field.ts';

/** By resource name: `cpu`, `memory`. */
export type ResourceList = Map<string, Quantity>;

/** Empty if absent. Leaves out texts that are no quantities. */
export function resourceList(holder: MutableObject | undefined, field: string): ResourceList {
  const list: ResourceList = new Map();
  for (const [name, value] of (holder && childObject(holder, field)) ?? []) {
    const parsed = typeof value === 'string' ? parseQuantity(value) : { error: '' };
    if (!('error' in parsed)) list.set(name, parsed);
  }
  return list;
}

/** `field`: `requests` or `limits`. Resources of the Pod itself take precedence for cpu and memory. */
export function podResources(spec: MutableObject, field: 'requests' | 'limits'): ResourceList {
  const total: ResourceList = new Map();
  const ofContainer = (container: MutableObject): ResourceList =>
    resourceList(childObject(container, 'resources'), field);
  for (const container of childObjects(spec, 'containers')) addList(total, ofContainer(container));
  const sidecars: ResourceList = new Map();
  const initial: ResourceList = new Map();
  for (const container of childObjects(spec, 'initContainers')) {
    const own = ofContainer(container);
    if (childText(container, 'restartPolicy') === 'Always') {
      addList(total, own);
      addList(sidecars, own);
      raiseList(initial, sidecars);
    } else {
      addList(own, sidecars);
      raiseList(initial, own);
    }
  }
  raiseList(total, initial);
  for (const [name, quantity] of resourceList(childObject(spec, 'resources'), field)) {
    if (name === 'cpu' || name === 'memory') total.set(name, quantity);
  }
  return total;
}

export function addList(list: ResourceList, added: ResourceList): void {
  for (const [name, quantity] of added) {
    const known = list.get(name);
    list.set(name, known === undefined ? quantity : (addQuantities(known, quantity) ?? quantity));
  }
}

function raiseList(list: ResourceList, other: ResourceList): void {
  for (const [name, quantity] of other) {
    const known = list.get(name);
    if (known === undefined || compareQuantities(quantity, known) > 0) list.set(name, quantity);
  }
}
