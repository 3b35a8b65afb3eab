// A ClusterPolicy or Policy with its resource and evaluation settings.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Spender } from '../../../kubernetes/request/run-budget.ts';
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import type { CompiledPolicy } from '../rule/compiled-policy.ts';
import type { EngineSettings } from '../rule/evaluate-policy.ts';
import type { SpokenRules } from './spoken-rules.ts';
import type { WebhookConditions } from './webhook-conditions.ts';

export interface ClassicPolicy {
  readonly identity: PolicyIdentity;
  readonly compiled: CompiledPolicy;
  readonly settings: EngineSettings;
  readonly rules: SpokenRules;
  /** Conditions of the policy's own webhook, if it has one. */
  readonly webhook: WebhookConditions | undefined;
  readonly spender: Spender;
}

/**
 * The policy as Kyverno receives it. The API server removes the namespace from cluster-scoped kinds; kustomize's
 * `namespace:` adds it to every kind.
 */
export function asSeenByKyverno({ gvk, value }: Resource): JsonObject {
  const metadata = value.get('metadata');
  if (gvk.kind !== 'ClusterPolicy' || !isJsonObject(metadata) || !metadata.has('namespace')) return value;
  const kept = new Map([...metadata].filter(([field]) => field !== 'namespace'));
  return new Map([...value, ['metadata', kept]]);
}

export function isClassicPolicy({ gvk }: Resource): boolean {
  return gvk.group === 'kyverno.io' && (gvk.kind === 'ClusterPolicy' || gvk.kind === 'Policy');
}

export function isClassicException({ gvk }: Resource): boolean {
  return gvk.group === 'kyverno.io' && gvk.kind === 'PolicyException';
}
