// The CEL values `authorizer` and `authorizer.requestResource` of a request, answered from RBAC objects.
import type { MatchedRequest } from '../../kubernetes/admission-request.ts';
import type { AccessAttributes, AuthorizationSource } from '../../kubernetes/cel/authorization-source.ts';
import { AuthorizerValue, ResourceCheckValue } from '../../kubernetes/cel/library/authz.ts';
import type { Cluster } from '../../kubernetes/cluster.ts';
import { answerAccess } from '../../kubernetes/rbac.ts';
import type { AuthorizerValues } from '../expression/request-activation.ts';

/** apiserver `library.NewAuthorizerVal` and `NewResourceAuthorizerVal`: the request's own resource, not the matched one. */
export function authorizerValues({ request }: MatchedRequest, source: AuthorizationSource): AuthorizerValues {
  const authorizer = new AuthorizerValue(source, request.userInfo);
  const requestResource = new ResourceCheckValue(authorizer, {
    group: request.resource.group,
    resource: request.resource.resource,
    subResource: request.subResource,
    namespace: request.namespace,
    name: request.name,
    fieldSelector: '',
    labelSelector: '',
  });
  return { authorizer, requestResource };
}

/** `unknown` is told each time the RBAC objects do not settle a question; the check then counts as not allowed. */
export function repositoryAuthorization(
  cluster: Cluster,
  unknown: (question: AccessAttributes, missing: string) => void = () => {},
): AuthorizationSource {
  return {
    check: (question) => {
      const answer = answerAccess(question, question.user, cluster);
      if (answer.allowed === true) return { decision: 'allow', reason: answer.reason };
      if (answer.allowed === 'unknown') unknown(question, answer.missing);
      return { decision: 'noOpinion', reason: '' };
    },
  };
}
