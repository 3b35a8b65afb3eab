// Decides whether a rule matches a request: scope, operation, group, version, resource (apiserver `webhook/predicates/rules`).

import type { GroupVersionResource } from '../../kubernetes/api/group-version.ts';
import type { Operation } from '../../kubernetes/request/admission-request.ts';
import type { NamedRuleWithOperations } from './match-resources.ts';

/** Inputs of a rule besides the resource. For a Namespace, `namespace` is its own name. */
export interface RuleSubject {
  readonly subResource: string;
  readonly namespace: string;
  readonly operation: Operation;
}

/** Fields of a rule that can fail to match. */
export type RuleField = 'scope' | 'operations' | 'apiGroups' | 'apiVersions' | 'resources';

/** `resource`: the request's own resource or an equivalent one. */
export function ruleMatches(
  rule: NamedRuleWithOperations,
  resource: GroupVersionResource,
  subject: RuleSubject,
): boolean {
  return ruleMismatch(rule, resource, subject) === undefined;
}

/** The first field, in the server's order, that does not match. Undefined: the rule matches. */
export function ruleMismatch(
  rule: NamedRuleWithOperations,
  resource: GroupVersionResource,
  subject: RuleSubject,
): RuleField | undefined {
  if (!scopeMatches(rule.scope, resource, subject.namespace)) return 'scope';
  if (!exactOrWildcard(rule.operations, subject.operation)) return 'operations';
  if (!exactOrWildcard(rule.apiGroups, resource.group)) return 'apiGroups';
  if (!exactOrWildcard(rule.apiVersions, resource.version)) return 'apiVersions';
  const covers = rule.resources.some((entry) => resourceEntryMatches(entry, resource.resource, subject.subResource));
  return covers ? undefined : 'resources';
}

function scopeMatches(scope: string, resource: GroupVersionResource, namespace: string): boolean {
  const isNamespaceObject = resource.group === '' && resource.version === 'v1' && resource.resource === 'namespaces';
  switch (scope) {
    case '*':
      return true;
    case 'Namespaced':
      return !isNamespaceObject && namespace !== '';
    case 'Cluster':
      return isNamespaceObject || namespace === '';
    default:
      return false;
  }
}

function exactOrWildcard(items: readonly string[], requested: string): boolean {
  return items.includes('*') || items.includes(requested);
}

/** `pods` and `*` never match subresources. `pods/*` matches with and without a subresource. */
function resourceEntryMatches(entry: string, resource: string, subResource: string): boolean {
  const slash = entry.indexOf('/');
  const wantedResource = slash < 0 ? entry : entry.slice(0, slash);
  const wantedSubResource = slash < 0 ? '' : entry.slice(slash + 1);
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubResource === '*' || wantedSubResource === subResource)
  );
}
