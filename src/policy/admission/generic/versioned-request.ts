// Converts a request's objects to the version that a policy matched (apiserver `admission.NewVersionedAttributes`).

import { formatApiVersion, sameKind } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';

/** Unknown if only the server can convert them. */
export function convertRequest(
  matched: MatchedRequest,
  cluster: Cluster,
): MatchedRequest | { readonly unknown: string } {
  const { request, matchedKind } = matched;
  const writtenKind = request.objectKind ?? request.kind;
  if (sameKind(writtenKind, matchedKind)) return matched;
  const convert = (object: JsonObject | null): JsonObject | null | undefined =>
    object && cluster.convert(object, writtenKind, matchedKind);
  const object = convert(request.object);
  const oldObject = convert(request.oldObject);
  if (object === undefined || oldObject === undefined) {
    const written = formatApiVersion(writtenKind.group, writtenKind.version);
    const wanted = formatApiVersion(matchedKind.group, matchedKind.version);
    return { unknown: `how the server converts ${writtenKind.kind} from ${written} to ${wanted}` };
  }
  return { ...matched, request: { ...request, object, oldObject } };
}
