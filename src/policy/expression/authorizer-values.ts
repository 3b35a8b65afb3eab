// The CEL variables `authorizer` and `authorizer.requestResource` of a request.

import type { AuthorizationSource } from '../../kubernetes/cel/authorization-source.ts';
import { AuthorizerValue, ResourceCheckValue } from '../../kubernetes/cel/library/authz.ts';
import type { MatchedRequest } from '../../kubernetes/request/admission-request.ts';
import type { AuthorizerValues } from './request-activation.ts';

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
