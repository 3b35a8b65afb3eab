// Deleted objects in one line each, with what else is lost.
import type { Report, ResourceName } from '../report.ts';
import { count, resourceLabel } from '../wording/wording.ts';

/** What the server or a controller of the control plane deletes with an object, by kind. */
const LOSSES: ReadonlyMap<string, string> = new Map([
  ['v1/Namespace', 'with every object in it, also those that are not in Git'],
  ['v1/PersistentVolumeClaim', 'with its volume and the data, unless the reclaim policy of the volume is `Retain`'],
  ['apiextensions.k8s.io/v1/CustomResourceDefinition', 'with every object of its kind'],
]);

/** Objects that take others with them come first. */
export function deletionLines({ comparison, targets }: Report): readonly string[] {
  const deleted = [...(comparison?.deleted ?? [])].sort(
    (one, other) => Number(lossOf(other.resource) !== undefined) - Number(lossOf(one.resource) !== undefined),
  );
  return deleted.map(({ resource, targets: own }) => {
    const on = targets.length > 1 ? ` on ${own.length === 1 ? own[0] : count(own.length, 'target')}` : '';
    const loss = lossOf(resource);
    return `${resourceLabel(resource)}${on}${loss === undefined ? '' : `, ${loss}`}`;
  });
}

function lossOf({ apiVersion, kind }: ResourceName): string | undefined {
  return LOSSES.get(`${apiVersion}/${kind}`);
}
