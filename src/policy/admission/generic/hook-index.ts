// Finds the policies that may match a request. The result is cached by resource, operation and scope.

import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { mayMatch } from '../../matching/matcher.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';
import type { ResolvedParamKind } from './params.ts';
import type { PolicyRefusal } from './refused-policies.ts';

/** A policy with its bindings. Policies without bindings have no effect and no hook. */
export interface BoundPolicy<Policy extends AdmissionPolicy, Binding extends AdmissionBinding, Runner> {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
  /** Undefined: the server drops the policy because it cannot read its paramKind. */
  readonly paramKind: ResolvedParamKind | undefined;
  readonly refusal: PolicyRefusal;
  /** Compiles the policy on the first call: a small change concerns few policies. */
  readonly runner: () => Runner;
}

/** A policy that can answer requests. Policies without bindings are inert and have no hook. */
export interface Hook<Policy extends AdmissionPolicy, Binding extends AdmissionBinding, Runner>
  extends BoundPolicy<Policy, Binding, Runner> {
  readonly paramKind: ResolvedParamKind;
}

export class HookIndex<Indexed extends Hook<AdmissionPolicy, AdmissionBinding, unknown>> {
  readonly #hooks: readonly Indexed[];
  readonly #cluster: Cluster;
  readonly #byRequest = new Map<string, readonly Indexed[]>();
  readonly #prepared = new Set<readonly Indexed[]>();

  constructor(hooks: readonly Indexed[], cluster: Cluster) {
    this.#hooks = hooks;
    this.#cluster = cluster;
  }

  get isEmpty(): boolean {
    return this.#hooks.length === 0;
  }

  prepare(request: AdmissionRequest): void {
    const hooks = this.hooksFor(request);
    if (this.#prepared.has(hooks)) return;
    this.#prepared.add(hooks);
    for (const { refusal, runner } of hooks) if (!refusal.isRefused()) runner();
  }

  hooksFor(request: AdmissionRequest): readonly Indexed[] {
    const { group, version, resource } = request.resource;
    const scope = request.namespace === '' ? 'cluster' : 'namespace';
    const key = `${group}/${version}/${resource}/${request.subResource}/${request.operation}/${scope}`;
    let hooks = this.#byRequest.get(key);
    if (hooks === undefined) {
      hooks = this.#hooks.filter(({ policy: { matchConstraints } }) => {
        return matchConstraints === undefined || mayMatch(matchConstraints, request, this.#cluster);
      });
      this.#byRequest.set(key, hooks);
    }
    return hooks;
  }
}
