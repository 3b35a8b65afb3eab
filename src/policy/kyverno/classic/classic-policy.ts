// A ClusterPolicy or Policy with where it is written and what it is evaluated with.
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
  /** Of its own webhook; undefined where it has none. */
  readonly webhook: WebhookConditions | undefined;
  /** Of the run's work. */
  readonly spender: Spender;
}

/** As it reaches Kyverno: the API server takes the namespace off what has none, as kustomize's `namespace:` writes it into every kind. */
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
