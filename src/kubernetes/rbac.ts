// What a user may do according to the RBAC objects of a cluster (`plugin/pkg/auth/authorizer/rbac`, `pkg/registry/rbac/validation`).

import type { JsonObject } from '../source/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../source/json-field.ts';
import type { UserInfo } from './admission-request.ts';
import type { Cluster, StoredObject } from './cluster.ts';
import { labelsOf, readLabelSelector, selectorMatches } from './label-selector.ts';

/** What is asked: a resource, or a path (`resource` undefined). */
export interface AccessQuestion {
  readonly verb: string;
  readonly resource:
    | {
        readonly group: string;
        readonly resource: string;
        readonly subResource: string;
        /** Empty: all of them. */
        readonly name: string;
        /** Empty: the whole cluster. */
        readonly namespace: string;
      }
    | undefined;
  readonly path: string;
}

export type AccessAnswer =
  | { readonly allowed: true; readonly reason: string }
  | { readonly allowed: false }
  /** The objects at hand do not settle it; `missing` completes "…, which the repository does not define". */
  | { readonly allowed: 'unknown'; readonly missing: string };

interface Binding {
  readonly description: string;
  readonly role: { readonly kind: string; readonly name: string; readonly namespace: string };
}

const GROUP = 'rbac.authorization.k8s.io';

/**
 * Cluster-wide bindings first, then those of the namespace, as the server visits them. RBAC never denies: not being allowed
 * only means that no rule says yes. A user to whom no binding refers is unknown, since clusters hold bindings no repository has.
 */
export function answerAccess(question: AccessQuestion, user: UserInfo, cluster: Cluster): AccessAnswer {
  if (user.groups.includes('system:masters')) return { allowed: true, reason: '' };
  const namespace = question.resource?.namespace ?? '';
  const bindings = [
    ...bindingsFor(user, 'ClusterRoleBinding', '', cluster),
    ...(namespace === '' ? [] : bindingsFor(user, 'RoleBinding', namespace, cluster)),
  ];
  const missing: string[] = [];
  for (const { description, role } of bindings) {
    const rules = rulesOf(role, cluster);
    if (rules === undefined) missing.push(`${role.kind} ${role.name}`);
    else if (rules.some((rule) => ruleAllows(rule, question))) {
      return { allowed: true, reason: `RBAC: allowed by ${description}` };
    }
  }
  if (missing.length > 0) return { allowed: 'unknown', missing: missing.join(', ') };
  if (bindings.length === 0) return { allowed: 'unknown', missing: `a role binding of ${user.username}` };
  return { allowed: false };
}

function bindingsFor(user: UserInfo, kind: string, namespace: string, cluster: Cluster): readonly Binding[] {
  return cluster.objects({ group: GROUP, version: 'v1', kind }, namespace).flatMap(({ object, resource }) => {
    const subject = objectItems(object.get('subjects')).find((candidate) => isSubject(candidate, user, namespace));
    if (subject === undefined) return [];
    const ref = objectOrEmpty(object.get('roleRef'));
    const role = { kind: textField(ref, 'kind'), name: textField(ref, 'name'), namespace };
    return [{ description: describe(kind, resource, namespace, role, subject), role }];
  });
}

/** `rbac.go: appliesToUser`. A ServiceAccount subject without namespace is of the binding's. */
function isSubject(subject: JsonObject, user: UserInfo, bindingNamespace: string): boolean {
  const name = textField(subject, 'name');
  switch (textField(subject, 'kind')) {
    case 'User':
      return user.username === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount': {
      const namespace = textField(subject, 'namespace') || bindingNamespace;
      return namespace !== '' && user.username === `system:serviceaccount:${namespace}:${name}`;
    }
    default:
      return false;
  }
}

/** Undefined if the role is not there. `cluster-admin` exists in every cluster. */
function rulesOf(role: Binding['role'], cluster: Cluster): readonly JsonObject[] | undefined {
  const namespace = role.kind === 'Role' ? role.namespace : '';
  const roles = cluster.objects({ group: GROUP, version: 'v1', kind: role.kind }, namespace);
  const found = roles.find(({ resource }) => resource.name === role.name);
  if (found !== undefined) return [...ownRules(found), ...aggregatedRules(found, roles)];
  return role.kind === 'ClusterRole' && role.name === 'cluster-admin' ? CLUSTER_ADMIN_RULES : undefined;
}

function ownRules({ object }: StoredObject): readonly JsonObject[] {
  return objectItems(object.get('rules'));
}

/** What the aggregation controller fills in: the rules of every ClusterRole one of the selectors matches. */
function aggregatedRules(role: StoredObject, roles: readonly StoredObject[]): readonly JsonObject[] {
  const selectors = objectItems(objectOrEmpty(role.object.get('aggregationRule')).get('clusterRoleSelectors'));
  return selectors.flatMap((value) => {
    const selector = readLabelSelector(value);
    if ('error' in selector) return [];
    return roles
      .filter((other) => other !== role && selectorMatches(selector, labelsOf(other.object)))
      .flatMap(ownRules);
  });
}

/** `rbac.go: RuleAllows`. */
function ruleAllows(rule: JsonObject, { verb, resource, path }: AccessQuestion): boolean {
  const verbs = textItems(rule.get('verbs'));
  if (!verbs.includes('*') && !verbs.includes(verb)) return false;
  if (resource === undefined) {
    return textItems(rule.get('nonResourceURLs')).some((pattern) => pathMatches(pattern, path));
  }
  const groups = textItems(rule.get('apiGroups'));
  if (!groups.includes('*') && !groups.includes(resource.group)) return false;
  if (!textItems(rule.get('resources')).some((entry) => resourceMatches(entry, resource))) return false;
  const names = textItems(rule.get('resourceNames'));
  return names.length === 0 || names.includes(resource.name);
}

function resourceMatches(
  entry: string,
  { resource, subResource }: { readonly resource: string; readonly subResource: string },
): boolean {
  if (entry === '*') return true;
  if (subResource === '') return entry === resource;
  return entry === `${resource}/${subResource}` || entry === `*/${subResource}`;
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}

function describe(
  kind: string,
  { name }: StoredObject['resource'],
  namespace: string,
  role: Binding['role'],
  subject: JsonObject,
): string {
  const bindingName = kind === 'RoleBinding' ? `${name}/${namespace}` : name;
  const subjectName = textField(subject, 'name');
  const subjectNamespace = textField(subject, 'namespace');
  const of = subjectNamespace === '' ? subjectName : `${subjectName}/${subjectNamespace}`;
  return `${kind} "${bindingName}" of ${role.kind} "${role.name}" to ${textField(subject, 'kind')} "${of}"`;
}

const CLUSTER_ADMIN_RULES: readonly JsonObject[] = [
  new Map([
    ['apiGroups', ['*']],
    ['resources', ['*']],
    ['verbs', ['*']],
  ]),
  new Map([
    ['nonResourceURLs', ['*']],
    ['verbs', ['*']],
  ]),
];
