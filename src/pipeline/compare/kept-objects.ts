// Objects of base that head no longer applies although the cluster keeps them: their controller neither changes nor deletes them.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { keptWhenRemoved } from '../../engine/object/existing-object.ts';
import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { resourceName } from '../../report/finding/finding.ts';
import type { ResourceName } from '../../report/report.ts';

export interface KeptObject {
  readonly resource: ResourceName;
  /** Why the controller leaves it as it is. */
  readonly because: string;
}

/** `excluded`: the objects of head that their metadata excludes. The kept objects are not deleted, so no request is sent for them. */
export function keptObjects(
  matched: MatchedObjects,
  excluded: readonly Resource[],
  identityOf: (resource: Resource) => string | undefined,
): { readonly objects: MatchedObjects; readonly kept: readonly KeptObject[] } {
  const reasons = new Map(
    excluded.flatMap((resource) => {
      const { neverApplied } = resource.manifest;
      return neverApplied?.staysIfExisting ? [[identityOf(resource), `\`${neverApplied.because}\``]] : [];
    }),
  );
  const kept: KeptObject[] = [];
  const deleted = matched.deleted.filter((resource) => {
    const because = reasons.get(identityOf(resource)) ?? keptWhenRemoved(resource);
    if (because === undefined) return true;
    kept.push({ resource: resourceName(resource, resource.namespace), because });
    return false;
  });
  return kept.length === 0 ? { objects: matched, kept } : { objects: { ...matched, deleted }, kept };
}

/** Number of objects that a notice names. */
const MOST_NAMES = 5;

/** One notice for each reason. */
export function keptNotices(kept: readonly KeptObject[]): readonly Diagnostic[] {
  const byReason = new Map<string, Set<string>>();
  for (const {
    resource: { kind, namespace, name },
    because,
  } of kept) {
    const names = byReason.get(because) ?? new Set();
    byReason.set(because, names.add([kind, [namespace, name].filter(Boolean).join('/')].join(' ')));
  }
  return [...byReason].map(([because, names]) => {
    const [first = '', ...others] = [...names].sort();
    const more = names.size - MOST_NAMES;
    const listed = [first, ...others].slice(0, MOST_NAMES).join(', ');
    return {
      code: 'kept-object',
      severity: 'notice',
      message: `${names.size === 1 ? 'this object stays' : `these ${names.size} objects stay`} in the cluster as before, because of ${because}: ${listed}${more > 0 ? ` and ${more} more` : ''}`,
      related: [],
      help: 'an object leaves the cluster only if you delete it there',
    } satisfies Diagnostic;
  });
}
