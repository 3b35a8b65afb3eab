// Policies that the server rejects on creation. They have no effect; the objects that they would match are counted.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { PolicyFieldError } from './validate-admission-policy.ts';

/** A policy with the server's validation errors on creation. */
export interface CheckedPolicy<Compiled> {
  readonly compiled: Compiled;
  readonly errors: readonly PolicyFieldError[];
}

/** Whether the server rejects a policy, and a counter for the objects that it would match. */
export interface PolicyRefusal {
  readonly isRefused: () => boolean;
  readonly concern: (request: AdmissionRequest) => void;
}

interface Concern {
  objects: number;
  /** The last counted object. A request's old object follows directly and must not count twice. */
  last: string;
}

export class RefusedPolicies<Policy, Compiled> {
  readonly #check: (policy: Policy) => CheckedPolicy<Compiled>;
  /** True if the policies already exist in the cluster. The server then rejects none. */
  readonly #areStored: boolean;
  readonly #checked = new Map<Policy, CheckedPolicy<Compiled>>();
  readonly #concerns = new Map<Policy, Concern>();

  /** `check` runs once per policy. */
  constructor(areStored: boolean, check: (policy: Policy) => CheckedPolicy<Compiled>) {
    this.#areStored = areStored;
    this.#check = check;
  }

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

  /** Number of objects so far that the policy would match. Undefined if the policies already exist in the cluster. */
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
