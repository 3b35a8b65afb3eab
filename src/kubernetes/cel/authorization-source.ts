// Answers the authorizer checks of expressions. The caller supplies it, because an offline run has no authorizer.
import type { UserInfo } from '../request/admission-request.ts';
import type { SelectorRequirement } from '../selector/selector-text.ts';

export type AuthorizedUser = UserInfo;

export interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  /** Empty: none. */
  readonly subResource: string;
  /** Empty: the check is cluster-wide. */
  readonly namespace: string;
  /** Empty: all of them. */
  readonly name: string;
  /** Empty: no restriction, also if the selector is invalid. */
  readonly fieldSelector: readonly SelectorRequirement[];
  readonly labelSelector: readonly SelectorRequirement[];
}

/** One `check(verb)` of a resource in any version, or of a path. */
export interface AccessAttributes {
  readonly user: AuthorizedUser;
  readonly verb: string;
  readonly resource: ResourceAttributes | undefined;
  /** Empty if the check is for a resource. */
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
