// Authorization questions and answers, and matching of policy rules (`pkg/apis/rbac/v1/evaluation_helpers.go`).
import type { JsonObject } from '../../source/json/json.ts';
import { textItems } from '../../source/json/json-field.ts';
import type { UserInfo } from '../request/admission-request.ts';

export interface AccessedResource {
  readonly group: string;
  readonly resource: string;
  /** Empty: the resource itself. */
  readonly subResource: string;
  /** Empty: all of them. */
  readonly name: string;
  /** Empty: the question is cluster-wide. */
  readonly namespace: string;
}

/** May the user act on this resource, or on this path if `resource` is undefined? */
export interface AccessQuestion {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resource: AccessedResource | undefined;
  readonly path: string;
}

export type AccessAnswer =
  | { readonly allowed: true; readonly reason: string }
  /** No rule allows it. RBAC has no deny rules. */
  | { readonly allowed: false; readonly reason: string }
  /** The known objects do not decide the question. */
  | { readonly allowed: 'unknown'; readonly missing: string };

/** `rbac/v1 PolicyRule`. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** An answer from configuration instead of from RBAC objects. */
export interface AccessRule extends PolicyRule {
  readonly allowed: boolean;
  /** Both lists empty: the rule applies to every user. */
  readonly users: readonly string[];
  readonly groups: readonly string[];
  /** Empty: in every namespace and cluster-wide. */
  readonly namespaces: readonly string[];
}

export function readPolicyRule(rule: JsonObject): PolicyRule {
  return {
    verbs: textItems(rule.get('verbs')),
    apiGroups: textItems(rule.get('apiGroups')),
    resources: textItems(rule.get('resources')),
    resourceNames: textItems(rule.get('resourceNames')),
    nonResourceURLs: textItems(rule.get('nonResourceURLs')),
  };
}

/** `rbac.go: RuleAllows`. */
export function ruleCovers(rule: PolicyRule, { verb, resource, path }: AccessQuestion): boolean {
  if (!rule.verbs.includes('*') && !rule.verbs.includes(verb)) return false;
  if (resource === undefined) return rule.nonResourceURLs.some((pattern) => pathMatches(pattern, path));
  if (!rule.apiGroups.includes('*') && !rule.apiGroups.includes(resource.group)) return false;
  if (!rule.resources.some((entry) => resourceMatches(entry, resource))) return false;
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(resource.name);
}

/** The first rule that applies to the user and covers the question. */
export function configuredAnswer(rules: readonly AccessRule[], question: AccessQuestion): AccessAnswer | undefined {
  const { user, resource } = question;
  const rule = rules.find(({ users, groups, namespaces, ...candidate }) => {
    const isAnyone = users.length === 0 && groups.length === 0;
    const concerns = isAnyone || users.includes(user.username) || groups.some((group) => user.groups.includes(group));
    const inNamespace = namespaces.length === 0 || namespaces.includes(resource?.namespace ?? '');
    return concerns && inNamespace && ruleCovers(candidate, question);
  });
  return rule && { allowed: rule.allowed, reason: '' };
}

/** `alice may get pods/log web in namespace shop`, `alice may get /healthz`. */
export function describeAccess({ user, verb, resource, path }: AccessQuestion): string {
  if (resource === undefined) return `${user.username} may ${verb} ${path}`;
  const subResource = resource.subResource === '' ? '' : `/${resource.subResource}`;
  const group = resource.group === '' ? '' : `.${resource.group}`;
  const name = resource.name === '' ? '' : ` ${resource.name}`;
  const where = resource.namespace === '' ? 'cluster-wide' : `in namespace ${resource.namespace}`;
  return `${user.username} may ${verb} ${resource.resource}${group}${subResource}${name} ${where}`;
}

function resourceMatches(entry: string, { resource, subResource }: AccessedResource): boolean {
  if (entry === '*') return true;
  if (subResource === '') return entry === resource;
  return entry === `${resource}/${subResource}` || entry === `*/${subResource}`;
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*{1,1000}$/, '')));
}
