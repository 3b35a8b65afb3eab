// The messages that kube-apiserver builds around a decision (apiserver `validating/dispatcher.go`, `admission/errors.go`).
import { goQuote } from '../../../go/strconv/quote.ts';
import { formatGroupResource } from '../../../kubernetes/api/group-version.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { isJsonObject } from '../../../source/json/json.ts';
import type { Denial } from '../../language/policy-language.ts';

/** Cause of the Status. `binding` is undefined for errors of the policy as a whole. */
export function denialCause(policy: string, binding: string | undefined, message: string): string {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  return `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
}

/** Text of the warning header, before deduplication and truncation. */
export function warningText(policy: string, binding: string, message: string): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;
}

/** `admission.NewForbidden` with the policy's reason: the message always says `is forbidden`. */
export function denial(request: AdmissionRequest, cause: string, reason: string): Denial {
  const { group, resource } = request.resource;
  const name = nameForMessage(request);
  const effectiveReason = reason === '' ? 'Invalid' : reason;
  return {
    message: `${formatGroupResource(group, resource)} ${goQuote(name)} is forbidden: ${cause}`,
    reason: effectiveReason,
    code: codeForReason(effectiveReason),
    details: { name, group, kind: resource, cause },
  };
}

/** `validating/dispatcher.go: reasonToCode`. */
export function codeForReason(reason: string): number {
  switch (reason) {
    case 'Forbidden':
      return 403;
    case 'Unauthorized':
      return 401;
    case 'RequestEntityTooLarge':
      return 413;
    default:
      return 422;
  }
}

/** `admission/errors.go: extractResourceName`: the request's name, the object's name, generateName or Unknown. */
function nameForMessage(request: AdmissionRequest): string {
  if (request.name !== '') return request.name;
  const metadata = request.object?.get('metadata');
  if (!isJsonObject(metadata)) return request.object === null ? 'Unknown' : 'Unknown/errorGettingName';
  for (const field of ['name', 'generateName']) {
    const value = metadata.get(field);
    if (typeof value === 'string' && value !== '') return value;
  }
  return 'Unknown';
}
