// What every policy language has in common: something with a name that is written somewhere and says something about requests.
import type { Resource } from '../../kubernetes/api/resource.ts';

/** A policy as reports name it. */
export interface PolicyIdentity {
  readonly kind: string;
  readonly name: string;
  readonly resource: Resource;
}

/** What ties a policy to the resources of a cluster. */
export interface BindingIdentity {
  readonly kind: string;
  readonly name: string;
  readonly resource: Resource;
}

/** What a failure does. */
export type ValidationAction = 'Deny' | 'Warn' | 'Audit';
