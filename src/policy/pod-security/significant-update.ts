// Decides whether Pod Security checks an update of a Pod: changes of containers and images, not of labels or status (`isSignificantPodUpdate`).
import type { JsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';

export function isSignificantPodUpdate(pod: JsonObject, oldPod: JsonObject): boolean {
  const [spec, oldSpec] = [pod, oldPod].map((each) => objectOrEmpty(each.get('spec')));
  for (const list of ['containers', 'initContainers']) {
    const containers = objectItems(spec?.get(list));
    const oldContainers = objectItems(oldSpec?.get(list));
    if (containers.length !== oldContainers.length) return true;
    if (containers.some((container, index) => hasOtherImage(container, oldContainers[index]))) return true;
  }
  const oldImages = new Map<string, JsonObject>();
  for (const container of objectItems(oldSpec?.get('ephemeralContainers'))) {
    const name = textField(container, 'name');
    if (!oldImages.has(name)) oldImages.set(name, container);
  }
  return objectItems(spec?.get('ephemeralContainers')).some((container) =>
    hasOtherImage(container, oldImages.get(textField(container, 'name'))),
  );
}

/** Also true for a new container. */
function hasOtherImage(container: JsonObject, old: JsonObject | undefined): boolean {
  return old === undefined || textField(container, 'image') !== textField(old, 'image');
}
