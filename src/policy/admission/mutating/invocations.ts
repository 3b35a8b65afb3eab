// Selects the policies, bindings and params that mutate a request's object, before any mutation (apiserver `generic/policy_dispatcher.go`).

import type { Cluster, StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import type { MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type { DispatchedRequest } from '../generic/dispatched-request.ts';
import type { Hook } from '../generic/hook-index.ts';
import { collectParams } from '../generic/params.ts';
import type { MutatingOutcomeBuilder } from './mutating-outcome.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import type { Mutator } from './mutator.ts';

export type MutatingHook = Hook<MutatingPolicy, MutatingBinding, Mutator>;

/** The server defines no order. */
export type PolicyOrder = 'by-name' | 'reverse';

export interface Invocation {
  readonly hook: MutatingHook;
  readonly binding: MutatingBinding;
  readonly param: StoredObject | undefined;
  readonly matched: Pick<MatchedRequest, 'matchedKind' | 'matchedResource'>;
}

export interface InvocationChoice {
  readonly cluster: Cluster;
  readonly order: PolicyOrder;
  /** Receives configuration errors and unknowns. */
  readonly builder: MutatingOutcomeBuilder;
}

/** Matches the unmodified object. `hooks` and their bindings are sorted by name. */
export function chooseInvocations(
  hooks: readonly MutatingHook[],
  dispatched: DispatchedRequest,
  choice: InvocationChoice,
): readonly Invocation[] {
  return inOrder(hooks, choice).flatMap((hook) => invocationsOf(hook, dispatched, choice));
}

function invocationsOf(
  hook: MutatingHook,
  dispatched: DispatchedRequest,
  choice: InvocationChoice,
): readonly Invocation[] {
  const { policy, bindings, paramKind, refusal } = hook;
  const { builder, cluster } = choice;
  const match =
    policy.matchConstraints === undefined
      ? { error: 'policy contained no match constraints, a required field', isAssumed: false }
      : dispatched.match(policy.matchConstraints);
  if (refusal.isRefused()) {
    if (!('error' in match) && match.matches && bindings.some((binding) => dispatched.mayApply(binding))) {
      refusal.concern(dispatched.request);
      builder.matched(policy);
    }
    return [];
  }
  if (match.isAssumed) builder.assumedLabels(policy, bindings, dispatched.request, cluster);
  if ('error' in match) {
    builder.configurationError(policy, undefined, match.error, ['spec', 'matchConstraints']);
    return [];
  }
  if (!match.matches) return [];
  if (paramKind.error !== undefined) {
    builder.configurationError(policy, undefined, paramKind.error, ['spec', 'paramKind']);
    return [];
  }
  return inOrder(bindings, choice).flatMap((binding) =>
    paramsOf(hook, binding, dispatched, choice).map((param) => ({ hook, binding, param, matched: match })),
  );
}

function paramsOf(
  { policy, bindings, paramKind }: MutatingHook,
  binding: MutatingBinding,
  dispatched: DispatchedRequest,
  choice: InvocationChoice,
): readonly (StoredObject | undefined)[] {
  const { builder, cluster } = choice;
  const { namespace } = dispatched.request;
  if (binding.matchResources !== undefined) {
    const match = dispatched.match(binding.matchResources);
    if (match.isAssumed) builder.assumedLabels(policy, bindings, dispatched.request, cluster);
    if ('error' in match) {
      builder.configurationError(policy, binding, match.error, ['spec', 'matchConstraints']);
      return [];
    }
    if (!match.matches) return [];
  }
  builder.matched(policy);
  if (paramKind.assumption !== undefined) builder.unknown(paramKind.assumption);
  const collected = collectParams(paramKind.gvk, binding.paramRef, namespace, cluster);
  if ('error' in collected) {
    builder.configurationError(policy, binding, collected.error, ['spec', 'paramKind']);
    return [];
  }
  if ('unknown' in collected) {
    builder.missingParams(policy, binding, collected.unknown);
    return [];
  }
  return inOrder(collected.params, choice);
}

function inOrder<Item>(items: readonly Item[], { order }: InvocationChoice): readonly Item[] {
  return order === 'by-name' ? items : items.toReversed();
}
