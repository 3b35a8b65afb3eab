// A ClusterPolicy or Policy with where it is written and what it is evaluated with.
import type { Resource } from '../../../kubernetes/resource.ts';
import type { PolicyIdentity } from '../../policy.ts';
import type { CompiledPolicy } from '../rule/compiled-policy.ts';
import type { EngineSettings } from '../rule/evaluate-policy.ts';
import type { WebhookConditions } from './webhook-conditions.ts';

export interface ClassicPolicy {
  readonly identity: PolicyIdentity;
  readonly compiled: CompiledPolicy;
  readonly settings: EngineSettings;
  /** Of its own webhook; undefined where it has none. */
  readonly webhook: WebhookConditions | undefined;
}

export function isClassicPolicy({ gvk }: Resource): boolean {
  return gvk.group === 'kyverno.io' && (gvk.kind === 'ClusterPolicy' || gvk.kind === 'Policy');
}

export function isClassicException({ gvk }: Resource): boolean {
  return gvk.group === 'kyverno.io' && gvk.kind === 'PolicyException';
}
