// Names the objects that a change deletes. A removed copy of an object that head still applies is not among them.
import type { MatchedObjects } from '../../engine/match-objects.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { resourceName } from '../../report/finding/finding.ts';
import type { DeletedObject, ResourceName } from '../../report/report.ts';

/** `identityOf`: group, kind, namespace and name, separated by NUL. */
export function deletedNames(
  { created, updated, deleted, unchanged }: MatchedObjects,
  identityOf: (resource: Resource) => string | undefined,
): readonly ResourceName[] {
  if (deleted.length === 0) return [];
  const left = new Set([...created, ...updated.map(({ resource }) => resource), ...unchanged].map(identityOf));
  return deleted.flatMap((resource) => {
    const identity = identityOf(resource);
    if (identity === undefined || left.has(identity)) return [];
    const [, kind, namespace = ''] = identity.split('\0');
    return [resourceName(resource, kind === 'Namespace' ? '' : namespace)];
  });
}

/** Each object once, with the targets that lose it; sorted by kind, namespace and name. */
export function joinDeleted(
  targets: readonly { readonly name: string; readonly deleted: readonly ResourceName[] }[],
): readonly DeletedObject[] {
  const byKey = new Map<string, { readonly resource: ResourceName; readonly targets: Set<string> }>();
  for (const { name, deleted } of targets) {
    for (const resource of deleted) {
      const key = [resource.kind, resource.namespace ?? '', resource.name, resource.apiVersion].join('\0');
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, { resource, targets: new Set([name]) });
      else known.targets.add(name);
    }
  }
  return [...byKey]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { resource, targets: names }]) => ({ resource, targets: [...names].sort() }));
}
