// Policies that the server refuses on creation: they decide nothing, and only what they would have decided about is counted.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { PolicyFieldError } from './validate-admission-policy.ts';

/** A policy as the server looks at it on creation. */
export interface CheckedPolicy<Compiled> {
  readonly compiled: Compiled;
  readonly errors: readonly PolicyFieldError[];
}

/** Whether the server refuses a policy, and how many objects it would have been asked about. */
export interface PolicyRefusal {
  readonly isRefused: () => boolean;
  readonly concern: (request: AdmissionRequest) => void;
}

interface Concern {
  objects: number;
  /** The object that was counted last: what it was before a change is asked about right after it. */
  last: string;
}

export class RefusedPolicies<Policy, Compiled> {
  readonly #check: (policy: Policy) => CheckedPolicy<Compiled>;
  /** A server that holds them already refuses nothing. */
  readonly #areStored: boolean;
  readonly #checked = new Map<Policy, CheckedPolicy<Compiled>>();
  readonly #concerns = new Map<Policy, Concern>();

  /** `check` is asked once for each policy. */
  constructor(areStored: boolean, check: (policy: Policy) => CheckedPolicy<Compiled>) {
    this.#areStored = areStored;
    this.#check = check;
  }

  /** As on creation. */
  checked(policy: Policy): CheckedPolicy<Compiled> {
    let checked = this.#checked.get(policy);
    if (checked === undefined) {
      checked = this.#check(policy);
      this.#checked.set(policy, checked);
    }
    return checked;
  }

  refusalOf(policy: Policy): PolicyRefusal {
    let isRefused: boolean | undefined;
    return {
      isRefused: () => {
        isRefused ??= !this.#areStored && this.checked(policy).errors.length > 0;
        return isRefused;
      },
      concern: (request) => this.#concern(policy, request),
    };
  }

  /** Of objects asked about until now, those that the policy would be asked about if it were not refused; undefined if it is not. */
  concernsOf(policy: Policy): number | undefined {
    return this.#areStored ? undefined : (this.#concerns.get(policy)?.objects ?? 0);
  }

  #concern(policy: Policy, { kind, namespace, name }: AdmissionRequest): void {
    const object = [kind.group, kind.kind, namespace, name].join('\0');
    const concern = this.#concerns.get(policy);
    if (concern === undefined) this.#concerns.set(policy, { objects: 1, last: object });
    else if (concern.last !== object || name === '') {
      concern.objects += 1;
      concern.last = object;
    }
  }
}
