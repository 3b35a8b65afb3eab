// Identity of policies and bindings, common to all policy languages.
import type { Resource } from '../../kubernetes/api/resource.ts';

export interface PolicyIdentity {
  readonly kind: string;
  readonly name: string;
  readonly resource: Resource;
}

export interface BindingIdentity {
  readonly kind: string;
  readonly name: string;
  readonly resource: Resource;
}

export type ValidationAction = 'Deny' | 'Warn' | 'Audit';
