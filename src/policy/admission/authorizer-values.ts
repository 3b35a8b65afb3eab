// The CEL values `authorizer` and `authorizer.requestResource` of a request.
import type { MatchedRequest } from '../../kubernetes/admission-request.ts';
import type { Cluster } from '../../kubernetes/cluster.ts';
import type { AuthorizerValues } from './validator.ts';

export function authorizerValues(_matched: MatchedRequest, _cluster: Cluster): AuthorizerValues {
  return { authorizer: null, requestResource: null };
}
