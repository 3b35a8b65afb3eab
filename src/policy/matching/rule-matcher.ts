// Does a rule cover a request: scope, operation, group, version, resource (apiserver `webhook/predicates/rules`).
import type { Operation } from '../../kubernetes/admission-request.ts';
import type { GroupVersionResource } from '../../kubernetes/group-version.ts';
import type { NamedRuleWithOperations } from './match-resources.ts';

/** What rules look at beside the resource. `namespace` is a Namespace's own name for Namespaces. */
export interface RuleSubject {
  readonly subResource: string;
  readonly namespace: string;
  readonly operation: Operation;
}

/** `resource` is the subject's own or one equivalent to it. */
export function ruleMatches(
  rule: NamedRuleWithOperations,
  resource: GroupVersionResource,
  subject: RuleSubject,
): boolean {
  return (
    scopeMatches(rule.scope, resource, subject.namespace) &&
    exactOrWildcard(rule.operations, subject.operation) &&
    exactOrWildcard(rule.apiGroups, resource.group) &&
    exactOrWildcard(rule.apiVersions, resource.version) &&
    rule.resources.some((entry) => resourceEntryMatches(entry, resource.resource, subject.subResource))
  );
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

/** `pods` and `*` never match subresources; a subresource part of `*` matches with and without one. */
function resourceEntryMatches(entry: string, resource: string, subResource: string): boolean {
  const slash = entry.indexOf('/');
  const wantedResource = slash < 0 ? entry : entry.slice(0, slash);
  const wantedSubResource = slash < 0 ? '' : entry.slice(slash + 1);
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubResource === '*' || wantedSubResource === subResource)
  );
}
