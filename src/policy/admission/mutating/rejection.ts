// The server's answer when mutating policies fail (apiserver `generic/policy_dispatcher.go`).
import type { Read } from '../../../cel/value/trace.ts';
import { goQuote } from '../../../go/strconv/quote.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { Denial } from '../../language/policy-language.ts';
import { denial } from '../generic/server-message.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';

export interface FailureSource {
  readonly policy: MutatingPolicy;
  /** Absent when the policy itself is misconfigured. */
  readonly binding: MutatingBinding | undefined;
  readonly param: Resource | undefined;
  readonly rule: FieldPath;
  readonly expression: string | undefined;
  /** Fields that the expression read before it failed. Absent if nothing was evaluated. */
  readonly explain?: () => readonly Read[];
}

/** One failure. failurePolicy decides whether it is ignored. */
export interface PolicyFailure extends FailureSource {
  readonly message: string;
  /** Configuration errors use Forbidden. */
  readonly reason: 'Invalid' | 'Forbidden';
}

export function failureText({ policy, binding, message }: PolicyFailure): string {
  return binding === undefined
    ? `policy ${goQuote(policy.name)} denied request: ${message}`
    : `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`;
}

/** Always 403. The message is the first failure's; all failures are causes. */
export function rejection(request: AdmissionRequest, failures: readonly PolicyFailure[]): Denial | undefined {
  const [first] = failures;
  if (first === undefined) return undefined;
  const cause = failureText(first);
  const { details } = denial(request, cause, first.reason);
  return { message: cause, reason: first.reason, code: 403, details };
}

export function serverFault(request: AdmissionRequest, code: 500 | 503, message: string): Denial {
  const { details } = denial(request, message, '');
  return { message, reason: code === 500 ? 'InternalError' : 'ServiceUnavailable', code, details };
}
