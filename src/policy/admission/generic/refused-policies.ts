// Policies that the server rejects on creation. They have no effect; the objects that they would match are counted.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { NoteBook } from '../../language/policy-notes.ts';
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

/** Index of the policy in the order of registration, the object, and whether its name is empty and so not unique. */
type ConcernNote = readonly [policy: number, object: string, isNameless: boolean];

export class RefusedPolicies<Policy, Compiled> {
  readonly notes = new NoteBook<ConcernNote>((note) => this.#concern(note));
  readonly #check: (policy: Policy) => CheckedPolicy<Compiled>;
  /** True if the policies already exist in the cluster. The server then rejects none. */
  readonly #areStored: boolean;
  readonly #checked = new Map<Policy, CheckedPolicy<Compiled>>();
  readonly #concerns = new Map<Policy, Concern>();
  readonly #policies: Policy[] = [];
  readonly #numbers = new Map<Policy, number>();

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
    const number = this.#numberOf(policy);
    return {
      isRefused: () => {
        isRefused ??= !this.#areStored && this.checked(policy).errors.length > 0;
        return isRefused;
      },
      concern: ({ kind, namespace, name }) => {
        this.notes.note([number, [kind.group, kind.kind, namespace, name].join('\0'), name === '']);
      },
    };
  }

  /** Number of objects so far that the policy would match. Undefined if the policies already exist in the cluster. */
  concernsOf(policy: Policy): number | undefined {
    return this.#areStored ? undefined : (this.#concerns.get(policy)?.objects ?? 0);
  }

  #numberOf(policy: Policy): number {
    let number = this.#numbers.get(policy);
    if (number === undefined) {
      number = this.#policies.push(policy) - 1;
      this.#numbers.set(policy, number);
    }
    return number;
  }

  #concern([number, object, isNameless]: ConcernNote): void {
    const policy = this.#policies[number];
    if (policy === undefined) return;
    const concern = this.#concerns.get(policy);
    if (concern === undefined) this.#concerns.set(policy, { objects: 1, last: object });
    else if (concern.last !== object || isNameless) {
      concern.objects += 1;
      concern.last = object;
    }
  }
}
