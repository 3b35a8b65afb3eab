// Objects that the cluster keeps although head no longer applies them: their controller does not delete them, or cannot render their root.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { keptWhenRemoved } from '../../engine/object/existing-object.ts';
import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import type { Target } from '../../engine/target/target.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { resourceName } from '../../report/finding/finding.ts';
import type { ResourceName } from '../../report/report.ts';
import type { RepositoryContent } from '../state/read-repository.ts';
import type { ComparedStates } from './compared-states.ts';

export interface KeptObject {
  readonly resource: ResourceName;
  /** Why the controller leaves it as it is. */
  readonly because: string;
}

type IdentityOf = (resource: Resource) => string | undefined;

/** The objects are not deleted, so no request is sent for them. `excluded`: the objects of head that their metadata excludes. */
export function keptObjects(
  { head, rootOf }: Pick<ComparedStates, 'head' | 'rootOf'>,
  matched: MatchedObjects,
  excluded: readonly Resource[],
  identityOf: IdentityOf,
): { readonly objects: MatchedObjects; readonly kept: readonly KeptObject[] } {
  if (matched.deleted.length === 0) return { objects: matched, kept: [] };
  const reasons = new Map(
    excluded.flatMap((resource) => {
      const { neverApplied } = resource.manifest;
      return neverApplied?.staysIfExisting ? [[identityOf(resource), `\`${neverApplied.because}\``]] : [];
    }),
  );
  const isOfFailedRoot = ofFailedRoot(head, rootOf);
  const kept: KeptObject[] = [];
  const deleted = matched.deleted.filter((resource) => {
    if (isOfFailedRoot(resource)) return false;
    const because = reasons.get(identityOf(resource)) ?? keptWhenRemoved(resource);
    if (because === undefined) return true;
    kept.push({ resource: resourceName(resource, resource.namespace), because });
    return false;
  });
  return { objects: { ...matched, deleted }, kept };
}

/** The target of head with the policies, Namespaces, params and definitions of base that the cluster keeps. */
export function withKeptFacts(
  base: Target,
  head: Target,
  content: Pick<RepositoryContent, 'roots'>,
  rootOf: ComparedStates['rootOf'],
): Target {
  const present = new Set([...head.facts, ...head.policies].map(nameOf));
  const isOfFailedRoot = ofFailedRoot(content, rootOf);
  const isKept = (resource: Resource): boolean =>
    !present.has(nameOf(resource)) && (isOfFailedRoot(resource) || keptWhenRemoved(resource) !== undefined);
  const [policies, facts] = [base.policies.filter(isKept), base.facts.filter(isKept)];
  if (facts.length === 0 && policies.length === 0) return head;
  return { ...head, policies: [...head.policies, ...policies], facts: [...head.facts, ...facts] };
}

/** A controller deletes nothing as long as it cannot render a root. */
function ofFailedRoot(
  { roots }: Pick<RepositoryContent, 'roots'>,
  rootOf: ComparedStates['rootOf'],
): (resource: Resource) => boolean {
  const failed = new Set(roots.flatMap(({ name, failure }) => (failure === undefined ? [] : [name])));
  return (resource) => {
    const root = rootOf.get(resource);
    return root !== undefined && [root.name, ...root.declaredBy].some((name) => failed.has(name));
  };
}

function nameOf({ gvk, namespace, name }: Resource): string {
  return [gvk.group, gvk.kind, namespace, name].join('\0');
}

/** Number of objects that a notice names. */
const MOST_NAMES = 5;

/** One notice for each reason. */
export function keptNotices(kept: readonly KeptObject[]): readonly Diagnostic[] {
  const byReason = new Map<string, Set<string>>();
  for (const { resource, because } of kept) {
    const { kind, namespace, name } = resource;
    const names = byReason.get(because) ?? new Set();
    byReason.set(because, names.add([kind, [namespace, name].filter(Boolean).join('/')].join(' ')));
  }
  return [...byReason].map(([because, names]) => {
    const listed = [...names].sort().slice(0, MOST_NAMES).join(', ');
    const more = names.size - MOST_NAMES;
    const subject = names.size === 1 ? 'this object stays' : `these ${names.size} objects stay`;
    return {
      code: 'kept-object',
      severity: 'notice',
      message: `${subject} in the cluster as before, because of ${because}: ${listed}${more > 0 ? ` and ${more} more` : ''}`,
      related: [],
      help: 'an object leaves the cluster only if you delete it there',
    } satisfies Diagnostic;
  });
}
