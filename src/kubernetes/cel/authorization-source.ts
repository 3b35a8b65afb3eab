// Who answers the access questions of expressions: supplied by the caller, since an offline evaluation has no authorizer of its own.
import type { UserInfo } from '../request/admission-request.ts';
import type { SelectorRequirement } from '../selector/selector-text.ts';

export type AuthorizedUser = UserInfo;

export interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  /** Empty: none. */
  readonly subResource: string;
  /** Empty: the whole cluster. */
  readonly namespace: string;
  /** Empty: all of them. */
  readonly name: string;
  /** Empty: no restriction, also when the text could not be read. */
  readonly fieldSelector: readonly SelectorRequirement[];
  readonly labelSelector: readonly SelectorRequirement[];
}

/** One `check(verb)`: of a resource in any version, or of a path. */
export interface AccessAttributes {
  readonly user: AuthorizedUser;
  readonly verb: string;
  readonly resource: ResourceAttributes | undefined;
  /** Empty when a resource is asked for. */
  readonly path: string;
}

/** apiserver `authorizer.Decision` with its reason and error. */
export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
  readonly error?: string;
}

export interface AuthorizationSource {
  check(attributes: AccessAttributes): AuthorizationDecision;
}
