// Which of the known kinds a policy is about, by its matchConstraints.
import type { KnownKind } from '../../kubernetes/cel/known-kinds.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.ts';
import type { MatchResources, NamedRuleWithOperations } from '../matching/match-resources.ts';
import { type RuleSubject, ruleMatches } from '../matching/rule-matcher.ts';

export interface MatchedKind {
  /** Of the request's object. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource: string;
  /** False if a rule only matches it among everything else. */
  readonly isNamed: boolean;
}

export interface MatchedKinds {
  readonly kinds: readonly MatchedKind[];
  /** True if the rules name every kind, and all of them are known. */
  readonly isComplete: boolean;
}

export function matchedKinds(constraints: MatchResources, known: readonly KnownKind[]): MatchedKinds {
  const found = new Map<string, MatchedKind>();
  let isComplete = true;
  for (const rule of constraints.resourceRules) {
    const before = found.size;
    for (const kind of known) {
      for (const matched of kindsOf(rule, kind)) {
        if (isExcluded(matched, kind, rule, constraints.excludeResourceRules)) continue;
        const key = `${matched.resource.group}/${matched.resource.version}/${matched.resource.resource}/${matched.subResource}`;
        const isNamed = matched.isNamed || found.get(key)?.isNamed === true;
        found.set(key, { ...matched, isNamed });
      }
    }
    const entries = [...rule.apiGroups, ...rule.apiVersions, ...rule.resources];
    const wanted = rule.apiGroups.length * rule.apiVersions.length * rule.resources.length;
    if (entries.some((entry) => entry.includes('*')) || found.size - before < wanted) isComplete = false;
  }
  return { kinds: [...found.values()], isComplete };
}

function kindsOf(rule: NamedRuleWithOperations, known: KnownKind): readonly MatchedKind[] {
  const { group, version, kind, resource } = known;
  if (!includes(rule.apiGroups, group) || !includes(rule.apiVersions, version)) return [];
  const isVersionNamed = rule.apiVersions.includes(version);
  if (!isVersionNamed && !known.isPreferred) return [];
  return rule.resources.flatMap((entry): MatchedKind[] => {
    const [name = '', subResource = ''] = entry.split('/');
    if (name !== '*' && name !== resource) return [];
    const isNamed = name !== '*';
    const matched = { resource: { group, version, resource }, isNamed };
    // Of all subresources at once only those that are the resource itself are meant with any certainty.
    if (subResource === '' || subResource === '*')
      return [{ ...matched, kind: { group, version, kind }, subResource: '' }];
    const body = known.subresources.get(subResource);
    return body === undefined ? [] : [{ ...matched, kind: body, subResource }];
  });
}

function includes(items: readonly string[], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

/** Out of scope, or excluded for every operation of the rule. */
function isExcluded(
  { resource, subResource }: MatchedKind,
  { namespaced }: KnownKind,
  rule: NamedRuleWithOperations,
  exclusions: readonly NamedRuleWithOperations[],
): boolean {
  const subject = { resource, subResource, namespace: namespaced ? 'any' : '' };
  const covers = (candidate: NamedRuleWithOperations, operation: RuleSubject['operation']): boolean =>
    ruleMatches(candidate, { ...subject, operation });
  const operations = OPERATIONS.filter((operation) => covers(rule, operation));
  const without = exclusions.filter(({ resourceNames }) => resourceNames.length === 0);
  return operations.every((operation) => without.some((exclusion) => covers(exclusion, operation)));
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
