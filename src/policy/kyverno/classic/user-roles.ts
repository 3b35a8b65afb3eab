// The roles of a user (`pkg/userinfo/roleRef.go`): the bindings of the repository, and those that every API server creates.
import { defaultRoles } from '../../../kubernetes/access/default-roles.ts';
import type { GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest, UserInfo } from '../../../kubernetes/request/admission-request.ts';
import { compareUtf8, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { RequestInfo } from '../matching/resource-filter.ts';

const ROLE_BINDING: GroupVersionKind = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'RoleBinding' };
const CLUSTER_ROLE_BINDING: GroupVersionKind = { ...ROLE_BINDING, kind: 'ClusterRoleBinding' };

type Roles = Pick<RequestInfo, 'roles' | 'clusterRoles' | 'openRoles'>;

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

interface Binding {
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly roleKind: string;
  readonly roleName: string;
  readonly subjects: readonly Subject[];
  readonly isDefault: boolean;
}

/** Lives for one run. */
export class UserRoles {
  readonly #cluster: Cluster;
  readonly #known = new Map<string, Roles>();
  #bindings: readonly Binding[] | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  of({ userInfo, namespace }: AdmissionRequest): Roles {
    const key = JSON.stringify([namespace, userInfo.username, userInfo.groups]);
    let roles = this.#known.get(key);
    if (roles === undefined) {
      roles = this.#rolesOf(userInfo, namespace);
      this.#known.set(key, roles);
    }
    return roles;
  }

  /** Roles of all namespaces count. A ClusterRole that a RoleBinding refers to counts only in the binding's namespace. */
  #rolesOf(user: UserInfo, requestNamespace: string): Roles {
    const roles = new Set<string>();
    const clusterRoles = new Set<string>();
    let isBound = false;
    for (const { namespace, roleKind, roleName, subjects, isDefault } of this.#allBindings()) {
      const subject = subjects.find((candidate) => isSubject(candidate, user, namespace));
      if (subject === undefined) continue;
      // A binding for a group, such as system:authenticated, says little about the roles of this user.
      isBound ||= !isDefault && subject.kind !== 'Group';
      if (roleKind === 'Role' && namespace !== '') roles.add(`${namespace}:${roleName}`);
      else if (roleKind === 'ClusterRole' && (namespace === '' || namespace === requestNamespace)) {
        clusterRoles.add(roleName);
      }
    }
    return {
      roles: [...roles].sort(compareUtf8),
      clusterRoles: [...clusterRoles].sort(compareUtf8),
      ...(!isBound && { openRoles: (kind, names) => this.#openRoles(kind, names, requestNamespace) }),
    };
  }

  /** The configuration may declare that the files contain all bindings. */
  #openRoles(kind: 'Role' | 'ClusterRole', names: readonly string[], namespace: string): readonly string[] {
    const cluster = this.#cluster;
    const isOpenIn = (each: string): boolean => each !== '' && !cluster.holdsAll(ROLE_BINDING, each);
    if (kind === 'Role') return names.filter((name) => isOpenIn(name.split(':')[0] ?? ''));
    return cluster.holdsAll(CLUSTER_ROLE_BINDING, '') && !isOpenIn(namespace) ? [] : names;
  }

  #allBindings(): readonly Binding[] {
    this.#bindings ??= [
      ...defaultRoles(this.#cluster.version).bindings.map((binding) => ({ ...binding, isDefault: true })),
      ...['', ...this.#cluster.namespacesWith(ROLE_BINDING)].flatMap((namespace) =>
        this.#cluster
          .objects(namespace === '' ? CLUSTER_ROLE_BINDING : ROLE_BINDING, namespace)
          .map(({ object }) => readBinding(object, namespace)),
      ),
    ];
    return this.#bindings;
  }
}

function readBinding(object: JsonObject, namespace: string): Binding {
  const reference = objectOrEmpty(object.get('roleRef'));
  return {
    namespace,
    roleKind: textField(reference, 'kind'),
    roleName: textField(reference, 'name'),
    subjects: objectItems(object.get('subjects')).map((subject) => ({
      kind: textField(subject, 'kind'),
      name: textField(subject, 'name'),
      namespace: textField(subject, 'namespace'),
    })),
    isDefault: false,
  };
}

function isSubject({ kind, name, namespace }: Subject, user: UserInfo, bindingNamespace: string): boolean {
  switch (kind) {
    case 'User':
      return name === user.username;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount':
      return user.username === `system:serviceaccount:${namespace || bindingNamespace}:${name}`;
    default:
      return false;
  }
}
