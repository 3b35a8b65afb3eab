// Authorization by the RBAC objects of a cluster (`plugin/pkg/auth/authorizer/rbac`, `pkg/registry/rbac/validation`).
import { goQuoteBytes } from '../../go/strconv/quote.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { Cluster, StoredObject } from '../cluster/cluster.ts';
import type { UserInfo } from '../request/admission-request.ts';
import { labelsOf, readLabelSelector, selectorMatches } from '../selector/label-selector.ts';
import { aggregateErrors } from '../validation/aggregate-errors.ts';
import {
  type AccessAnswer,
  type AccessQuestion,
  configuredAnswer,
  type PolicyRule,
  readPolicyRule,
  ruleCovers,
} from './access.ts';
import { type DefaultRoles, defaultRoles, type Role, type RoleBinding, type RoleSubject } from './default-roles.ts';

const GROUP = 'rbac.authorization.k8s.io';
const CLUSTER_KINDS = ['ClusterRole', 'ClusterRoleBinding'];

/** Answers from configured access rules, RBAC objects and the server's default roles. Caches roles and bindings for one run. */
export class RbacAuthorizer {
  readonly #cluster: Cluster;
  readonly #clusterRoles = new Map<string, readonly PolicyRule[] | undefined>();
  readonly #bindings = new Map<string, readonly FoundBinding[]>();
  #defaults: DefaultRoles | undefined;
  #allClusterRoles: readonly Role[] | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /**
   * Checks cluster-wide bindings first, then those of the namespace, in the server's order. RBAC has no deny rules:
   * "not allowed" means that no rule allows it. With incomplete facts, "not allowed" is certain only if a binding in
   * the files refers to the user, and only if the role of every matching binding is known.
   */
  answer(question: AccessQuestion): AccessAnswer {
    const { user, resource } = question;
    if (user.groups.includes('system:masters')) return { allowed: true, reason: '' };
    const configured = configuredAnswer(this.#cluster.accessRules, question);
    if (configured !== undefined) return configured;

    const bindings = [...this.#bindingsIn(''), ...(resource?.namespace ? this.#bindingsIn(resource.namespace) : [])];
    const missing: RoleBinding[] = [];
    let isKnown = false;
    for (const { binding, isDefault } of bindings) {
      const subject = binding.subjects.find((candidate) => isSubject(candidate, user, binding.namespace));
      if (subject === undefined) continue;
      isKnown ||= !isDefault;
      const rules = this.#rulesOf(binding);
      if (rules === undefined) missing.push(binding);
      else if (rules.some((rule) => ruleCovers(rule, question))) {
        return { allowed: true, reason: `RBAC: allowed by ${describeBinding(binding, subject)}` };
      }
    }
    if (!this.#holdsAll(resource?.namespace ?? '')) {
      if (missing.length > 0) return { allowed: 'unknown', missing: missing.map(describeMissingRole).join(', ') };
      if (!isKnown)
        return { allowed: 'unknown', missing: `the files have no binding for ${user.username} or its groups` };
    }
    return {
      allowed: false,
      reason: missing.length === 0 ? '' : `RBAC: ${aggregateErrors(missing.map(roleNotFound))}`,
    };
  }

  /** True if the files have every role and binding that the answer may depend on. */
  #holdsAll(namespace: string): boolean {
    const kinds = namespace === '' ? CLUSTER_KINDS : [...CLUSTER_KINDS, 'Role', 'RoleBinding'];
    return kinds.every((kind) => this.#cluster.holdsAll({ group: GROUP, version: 'v1', kind }, namespace));
  }

  /** Cluster-wide bindings for an empty namespace. */
  #bindingsIn(namespace: string): readonly FoundBinding[] {
    let found = this.#bindings.get(namespace);
    if (found === undefined) {
      const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
      const defaults = this.#defaultRoles().bindings.filter((binding) => binding.namespace === namespace);
      found = [
        ...defaults.map((binding) => ({ binding, isDefault: true })),
        ...this.#objects(kind, namespace).map((object) => ({
          binding: readBinding(object, kind, namespace),
          isDefault: false,
        })),
      ];
      this.#bindings.set(namespace, found);
    }
    return found;
  }

  /** Undefined if the role does not exist. Adds the server's default rules to the written ones, like its reconciliation. */
  #rulesOf({ roleKind, roleName, namespace }: RoleBinding): readonly PolicyRule[] | undefined {
    if (roleKind === 'ClusterRole') {
      if (!this.#clusterRoles.has(roleName)) this.#clusterRoles.set(roleName, this.#rulesOfClusterRole(roleName));
      return this.#clusterRoles.get(roleName);
    }
    const own = this.#objects('Role', namespace).map((object) => readRole(object, 'Role', namespace));
    const roles = [...this.#defaultRoles().roles.filter((role) => role.kind === 'Role'), ...own];
    const found = roles.filter((role) => role.name === roleName && role.namespace === namespace);
    return roleKind === 'Role' && found.length > 0 ? found.flatMap(({ rules }) => rules) : undefined;
  }

  #rulesOfClusterRole(name: string): readonly PolicyRule[] | undefined {
    this.#allClusterRoles ??= [
      ...this.#defaultRoles().roles.filter((role) => role.kind === 'ClusterRole'),
      ...this.#objects('ClusterRole', '').map((object) => readRole(object, 'ClusterRole', '')),
    ];
    const roles = this.#allClusterRoles;
    const found = roles.filter((role) => role.name === name);
    if (found.length === 0) return undefined;
    const reached = new Set(found);
    // The Set grows during iteration: aggregated roles may select other aggregated roles.
    for (const role of reached) {
      for (const other of roles) {
        if (role.aggregated?.some((selector) => selectorMatches(selector, other.labels))) reached.add(other);
      }
    }
    return [...reached].flatMap(({ rules }) => rules);
  }

  #objects(kind: string, namespace: string): readonly StoredObject[] {
    return this.#cluster.objects({ group: GROUP, version: 'v1', kind }, namespace);
  }

  #defaultRoles(): DefaultRoles {
    this.#defaults ??= defaultRoles(this.#cluster.version);
    return this.#defaults;
  }
}

interface FoundBinding {
  readonly binding: RoleBinding;
  readonly isDefault: boolean;
}

/** `rbac.go: appliesToUser`. A ServiceAccount subject without a namespace uses the binding's namespace. */
function isSubject({ kind, name, namespace }: RoleSubject, user: UserInfo, bindingNamespace: string): boolean {
  switch (kind) {
    case 'User':
      return user.username === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount': {
      const effective = namespace || bindingNamespace;
      return effective !== '' && user.username === `system:serviceaccount:${effective}:${name}`;
    }
    default:
      return false;
  }
}

/** The aggregation controller replaces the rules of a role with an aggregationRule. */
function readRole({ object, resource }: StoredObject, kind: string, namespace: string): Role {
  const aggregation = objectField(object, 'aggregationRule');
  const selectors = aggregation && objectItems(aggregation.get('clusterRoleSelectors')).map(readLabelSelector);
  return {
    kind,
    namespace,
    name: resource.name,
    labels: labelsOf(object),
    rules: aggregation === undefined ? objectItems(object.get('rules')).map(readPolicyRule) : [],
    aggregated: selectors?.flatMap((selector) => ('error' in selector ? [] : [selector])),
  };
}

function readBinding({ object, resource }: StoredObject, kind: string, namespace: string): RoleBinding {
  const ref = objectOrEmpty(object.get('roleRef'));
  return {
    kind,
    namespace,
    name: resource.name,
    roleKind: textField(ref, 'kind'),
    roleName: textField(ref, 'name'),
    subjects: objectItems(object.get('subjects')).map(readSubject),
  };
}

function readSubject(subject: JsonObject): RoleSubject {
  return {
    kind: textField(subject, 'kind'),
    name: textField(subject, 'name'),
    namespace: textField(subject, 'namespace'),
  };
}

/** `clusterRoleBindingDescriber` and `roleBindingDescriber`. */
function describeBinding({ kind, name, namespace, roleKind, roleName }: RoleBinding, subject: RoleSubject): string {
  const bindingName = kind === 'RoleBinding' ? `${name}/${namespace}` : name;
  const subjectName =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  return `${kind} ${goQuoteBytes(bindingName)} of ${roleKind} ${goQuoteBytes(roleName)} to ${subject.kind} ${goQuoteBytes(subjectName)}`;
}

function describeMissingRole({ kind, name, roleKind, roleName }: RoleBinding): string {
  return `${roleKind} ${roleName}, which ${kind} ${name} refers to, is not in the files`;
}

function roleNotFound({ roleKind, roleName }: RoleBinding): string {
  if (roleKind !== 'Role' && roleKind !== 'ClusterRole')
    return `unsupported role reference kind: ${goQuoteBytes(roleKind)}`;
  return `${roleKind.toLowerCase()}.${GROUP} ${goQuoteBytes(roleName)} not found`;
}
