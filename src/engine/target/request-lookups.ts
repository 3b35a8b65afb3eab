// What the server refuses before it decodes or admits the object: requests that the user may not make, and Namespaces that do not exist.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { RbacAuthorizer } from '../../kubernetes/access/rbac.ts';
import { formatGroupResource } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Cluster, ResourceMapping } from '../../kubernetes/cluster/cluster.ts';
import { quotedInMessage } from '../../kubernetes/validation/field-error.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { ObjectChange } from '../object/object-request.ts';
import { placeholderAt } from '../unknown/placeholder.ts';
import type { Target } from './target.ts';

const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' };
const RBAC = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

/** Namespaces that every server has (`pkg/controlplane/controller/systemnamespaces`). */
const ALWAYS: ReadonlySet<string> = new Set(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
/** `apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go: NewLifecycle`, as kube-apiserver configures it. */
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-public', 'kube-system']);

/** The verb of the request that kubectl and Argo CD send. Server-side apply needs the verb `patch` besides. */
const VERBS = { CREATE: 'create', UPDATE: 'patch', DELETE: 'delete' } as const;

export class RequestLookups {
  readonly #cluster: Cluster;
  readonly #target: Target;
  readonly #authorizer: RbacAuthorizer;

  constructor(cluster: Cluster, target: Target) {
    this.#cluster = cluster;
    this.#target = target;
    this.#authorizer = new RbacAuthorizer(cluster);
  }

  /** Undefined if the request reaches the other plugins. `namespace` is the request's. */
  refusal(change: ObjectChange, mapping: ResourceMapping, namespace: string): Diagnostic | undefined {
    return this.#unauthorized(change, mapping, namespace) ?? this.#lifecycle(change, mapping, namespace);
  }

  /** Only for a configured user, and if the files have all roles and bindings. */
  #unauthorized(
    { operation, resource }: ObjectChange,
    mapping: ResourceMapping,
    namespace: string,
  ): Diagnostic | undefined {
    const { userInfo: user, isComplete } = this.#target;
    const isDeclared = RBAC.every((kind) =>
      this.#cluster.holdsAll({ group: 'rbac.authorization.k8s.io', version: 'v1', kind }, namespace),
    );
    if (user.assumed === true || isComplete === true || !isDeclared) return undefined;
    const verb = VERBS[operation];
    const { group, resource: plural } = mapping.resource;
    const name = operation === 'CREATE' ? '' : resource.name;
    const within = mapping.namespaced ? namespace : '';
    const asked = { group, resource: plural, subResource: '', name, namespace: within };
    const answer = this.#authorizer.answer({ user, verb, resource: asked, path: '' });
    if (answer.allowed !== false) return undefined;
    // apiserver `endpoints/handlers/responsewriters/errors.go: ForbiddenStatusError`
    const shown = name === '' ? '' : ` ${quotedInMessage(name)}`;
    const scope = within === '' ? 'at the cluster scope' : `in the namespace "${within}"`;
    const reason = answer.reason === '' ? '' : `: ${answer.reason}`;
    const message = `${formatGroupResource(group, plural)}${shown} is forbidden: User "${user.username}" cannot ${verb} resource "${plural}" in API group "${group}" ${scope}${reason}`;
    return refused(resource, message, ['kind'], 'the roles and bindings in the files do not allow this request');
  }

  /** `apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go`. */
  #lifecycle(
    { operation, resource }: ObjectChange,
    mapping: ResourceMapping,
    namespace: string,
  ): Diagnostic | undefined {
    if (this.#target.disabledAdmissionPlugins.includes('NamespaceLifecycle')) return undefined;
    const { group, kind } = resource.gvk;
    if (operation === 'DELETE') {
      const isImmortal = group === '' && kind === 'Namespace' && IMMORTAL.has(resource.name);
      if (!isImmortal) return undefined;
      const message = `namespaces ${quotedInMessage(resource.name)} is forbidden: this namespace may not be deleted`;
      return refused(resource, message, ['metadata', 'name'], 'every cluster keeps this Namespace');
    }
    const path = ['metadata', 'namespace'];
    if (!mapping.namespaced || this.#target.isComplete === true || placeholderAt(resource, path) !== undefined)
      return undefined;
    if (ALWAYS.has(namespace) || !this.#cluster.holdsAll(NAMESPACE, '')) return undefined;
    if (this.#cluster.namespace(namespace).resource !== undefined) return undefined;
    const message = `namespaces ${quotedInMessage(namespace)} not found`;
    return refused(
      resource,
      message,
      path,
      'no file contains the Namespace, and the configuration says that the files contain all',
    );
  }
}

function refused(resource: Resource, message: string, path: FieldPath, help: string): Diagnostic {
  return {
    code: 'forbidden-object',
    severity: 'error',
    message,
    primary: resource.locate(path, 'value'),
    related: [],
    help,
    field: path,
  };
}
