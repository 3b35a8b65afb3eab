// Data for CEL rules from the repository: params, and permissions from RBAC objects.
import { describeAccess } from '../../../kubernetes/access/access.ts';
import { RbacAuthorizer } from '../../../kubernetes/access/rbac.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { AuthorizationSource } from '../../../kubernetes/cel/authorization-source.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { OR_VALUE_LIBRARY } from '../cel/or-value-library.ts';
import { Undecided } from '../rule/rule-response.ts';
import type { CelSettings } from '../validate/validate-cel.ts';

export function repositoryCel(cluster: Cluster): CelSettings {
  let source: AuthorizationSource | undefined;
  return {
    work: cluster.work,
    environments: new AdmissionEnvironments(cluster.version, [OR_VALUE_LIBRARY]),
    authorization: () => {
      source ??= authorizationOf(new RbacAuthorizer(cluster));
      return source;
    },
    params: {
      isNamespaced: (kind) => {
        const { namespaced, origin } = cluster.mappingFor(kind);
        if (origin !== 'conventional') return namespaced;
        if (cluster.isAllKnownOf(kind.group)) return { error: 'not found' };
        throw new Undecided(`whether ${kind.kind} is namespaced, because no file defines it`);
      },
      list: (kind, namespace) => {
        const objects = cluster.objects(kind, namespace);
        const open = objects.find(({ isOpen }) => isOpen);
        if (open !== undefined) throw new Undecided(`the content of the ${kind.kind} ${open.resource.name}`);
        return objects.map(({ object }) => object);
      },
      isComplete: cluster.isComplete,
    },
  };
}

function authorizationOf(authorizer: RbacAuthorizer): AuthorizationSource {
  return {
    check: (question) => {
      const answer = authorizer.answer(question);
      if (answer.allowed === 'unknown') throw new Undecided(`whether ${describeAccess(question)} (${answer.missing})`);
      return { decision: answer.allowed ? 'allow' : 'noOpinion', reason: answer.reason };
    },
  };
}
