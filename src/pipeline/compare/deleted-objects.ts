// Names the objects that a change certainly deletes: not removed copies, and not objects of a root that head does not render completely.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isUnknown } from '../../render/sources/root/rendered-root.ts';
import { resourceName } from '../../report/finding/finding.ts';
import type { DeletedObject, ResourceName } from '../../report/report.ts';
import type { ComparedStates } from './compared-states.ts';

/** `applied`: the objects of head for the same cluster. `identityOf`: group, kind, namespace and name, separated by NUL. */
export function deletedNames(
  { head, rootOf }: ComparedStates,
  deleted: readonly Resource[],
  applied: readonly Resource[],
  identityOf: (resource: Resource) => string | undefined,
): readonly ResourceName[] {
  if (deleted.length === 0) return [];
  const left = new Set(applied.map(identityOf));
  const unknown = new Set(head.roots.filter(isUnknown).map(({ name }) => name));
  const mayBeLeft = (resource: Resource): boolean => {
    const root = rootOf.get(resource);
    return root !== undefined && [root.name, ...root.declaredBy].some((name) => unknown.has(name));
  };
  return deleted.flatMap((resource) => {
    const identity = identityOf(resource);
    if (identity === undefined || left.has(identity) || mayBeLeft(resource)) return [];
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
