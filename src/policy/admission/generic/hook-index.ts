// Finds the policies that may match a request. The result is cached by resource, operation and scope.

import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { mayMatch } from '../../matching/matcher.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';
import type { ResolvedParamKind } from './params.ts';

/** A policy with its bindings. Policies without bindings have no effect and no hook. */
export interface Hook<Policy extends AdmissionPolicy, Binding extends AdmissionBinding> {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
  readonly paramKind: ResolvedParamKind;
}

export class HookIndex<Member extends Hook<AdmissionPolicy, AdmissionBinding>> {
  readonly #hooks: readonly Member[];
  readonly #cluster: Cluster;
  readonly #compile: (hook: Member) => void;
  readonly #byRequest = new Map<string, readonly Member[]>();
  readonly #prepared = new Set<readonly Member[]>();

  /** `prepare` calls `compile` for every hook that may match the request. */
  constructor(hooks: readonly Member[], cluster: Cluster, compile: (hook: Member) => void) {
    this.#hooks = hooks;
    this.#cluster = cluster;
    this.#compile = compile;
  }

  prepare(request: AdmissionRequest): void {
    const hooks = this.hooksFor(request);
    if (this.#prepared.has(hooks)) return;
    this.#prepared.add(hooks);
    for (const hook of hooks) this.#compile(hook);
  }

  hooksFor(request: AdmissionRequest): readonly Member[] {
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
