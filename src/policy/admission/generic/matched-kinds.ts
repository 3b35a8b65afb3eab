// Lists the known kinds that a policy's matchConstraints match.

import type { GroupVersionKind, GroupVersionResource } from '../../../kubernetes/api/group-version.ts';
import type { KnownKind } from '../../../kubernetes/cel/known-kinds.ts';
import type { MatchResources, NamedRuleWithOperations } from '../../matching/match-resources.ts';
import { type RuleSubject, ruleMatches } from '../../matching/rule-matcher.ts';

export interface MatchedKind {
  /** Kind of the request's object. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource: string;
  /** False if only wildcards match it. */
  readonly isNamed: boolean;
}

export interface MatchedKinds {
  readonly kinds: readonly MatchedKind[];
  /** True if the rules name every kind and all of them are known. */
  readonly isComplete: boolean;
}

export function matchedKinds(constraints: MatchResources, known: readonly KnownKind[]): MatchedKinds {
  const found = new Map<string, MatchedKind>();
  let isComplete = true;
  for (const rule of constraints.resourceRules) {
    const before = found.size;
    const entries = rule.resources.map(readEntry);
    for (const kind of known) {
      if (!includes(rule.apiGroups, kind.group) || !includes(rule.apiVersions, kind.version)) continue;
      if (!kind.isPreferred && !rule.apiVersions.includes(kind.version)) continue;
      for (const matched of kindsOf(entries, kind)) {
        if (isExcluded(matched, kind, rule, constraints.excludeResourceRules)) continue;
        const { group, version, resource } = matched.resource;
        const key = `${group}/${version}/${resource}/${matched.subResource}`;
        found.set(key, { ...matched, isNamed: matched.isNamed || found.get(key)?.isNamed === true });
      }
    }
    const { apiGroups, apiVersions, resources } = rule;
    const named = apiGroups.length * apiVersions.length * resources.length;
    if ([...apiGroups, ...apiVersions, ...resources].some((entry) => entry.includes('*'))) isComplete = false;
    if (found.size - before < named) isComplete = false;
  }
  return { kinds: [...found.values()], isComplete };
}

/** Parsed from `pods`, `pods/status`, `pods/*`, `*` and similar. */
interface ResourceEntry {
  readonly resource: string;
  readonly subResource: string;
}

function readEntry(entry: string): ResourceEntry {
  const [resource = '', subResource = ''] = entry.split('/');
  return { resource, subResource };
}

function kindsOf(entries: readonly ResourceEntry[], known: KnownKind): readonly MatchedKind[] {
  const { group, version, kind, resource } = known;
  return entries.flatMap((entry): readonly MatchedKind[] => {
    if (entry.resource !== '*' && entry.resource !== resource) return [];
    const matched = { resource: { group, version, resource }, isNamed: entry.resource !== '*' };
    // For all subresources, only the resource itself is certain to match.
    if (entry.subResource === '' || entry.subResource === '*') {
      return [{ ...matched, kind: { group, version, kind }, subResource: '' }];
    }
    const body = known.subresources.get(entry.subResource);
    return body === undefined ? [] : [{ ...matched, kind: body, subResource: entry.subResource }];
  });
}

function includes(items: readonly string[], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

/** True if the scope does not match, or the kind is excluded for every operation of the rule. */
function isExcluded(
  { resource, subResource }: MatchedKind,
  { namespaced }: KnownKind,
  rule: NamedRuleWithOperations,
  exclusions: readonly NamedRuleWithOperations[],
): boolean {
  const subject = { subResource, namespace: namespaced ? 'any' : '' };
  const covers = (candidate: NamedRuleWithOperations, operation: RuleSubject['operation']): boolean =>
    ruleMatches(candidate, resource, { ...subject, operation });
  const operations = OPERATIONS.filter((operation) => covers(rule, operation));
  const without = exclusions.filter(({ resourceNames }) => resourceNames.length === 0);
  return operations.every((operation) => without.some((exclusion) => covers(exclusion, operation)));
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
