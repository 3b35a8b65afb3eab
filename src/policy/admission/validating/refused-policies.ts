// Policies and bindings that the server refuses on creation: they decide nothing, and only what they would have decided about is counted.
import type { AdmissionRequest } from '../../../kubernetes/admission-request.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { KubernetesVersion } from '../../../kubernetes/version.ts';
import { compilePolicy } from './compiled-policy.ts';
import type { PolicyRefusal } from './dispatcher.ts';
import type { CheckedPolicy } from './policy-diagnostics.ts';
import { validatePolicy } from './validate-policy.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

interface Concern {
  objects: number;
  /** The object that was counted last: what it was before a change is asked about right after it. */
  last: string;
}

export class RefusedPolicies {
  readonly #environments: AdmissionEnvironments;
  readonly #version: KubernetesVersion;
  /** A server that holds them already refuses nothing. */
  readonly #areStored: boolean;
  readonly #checked = new Map<ValidatingPolicy, CheckedPolicy>();
  readonly #concerns = new Map<ValidatingPolicy, Concern>();

  constructor(environments: AdmissionEnvironments, version: KubernetesVersion, areStored: boolean) {
    this.#environments = environments;
    this.#version = version;
    this.#areStored = areStored;
  }

  /** As on creation. */
  checked(policy: ValidatingPolicy): CheckedPolicy {
    let checked = this.#checked.get(policy);
    if (checked === undefined) {
      const compiled = compilePolicy(policy, 'new', this.#environments);
      checked = { compiled, errors: validatePolicy(policy, compiled, this.#version) };
      this.#checked.set(policy, checked);
    }
    return checked;
  }

  refusalOf(policy: ValidatingPolicy): PolicyRefusal {
    return {
      isRefused: () => !this.#areStored && this.checked(policy).errors.length > 0,
      concern: (request) => this.#concern(policy, request),
    };
  }

  /** Of objects asked about until now, those that the policy would be asked about if it were not refused; undefined if it is not. */
  concernsOf(policy: ValidatingPolicy): number | undefined {
    return this.#areStored ? undefined : (this.#concerns.get(policy)?.objects ?? 0);
  }

  #concern(policy: ValidatingPolicy, { kind, namespace, name }: AdmissionRequest): void {
    const object = [kind.group, kind.kind, namespace, name].join('\0');
    const concern = this.#concerns.get(policy);
    if (concern === undefined) this.#concerns.set(policy, { objects: 1, last: object });
    else if (concern.last !== object || name === '') {
      concern.objects += 1;
      concern.last = object;
    }
  }
}
