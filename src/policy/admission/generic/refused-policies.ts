// Policies that the server refuses on creation: they decide nothing, and only what they would have decided about is counted.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { NoteBook } from '../../language/policy-notes.ts';
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

/** Number of the policy, in the order in which its refusal was first asked about; the object, and whether its name is one that many may have. */
type ConcernNote = readonly [policy: number, object: string, isNameless: boolean];

export class RefusedPolicies<Policy, Compiled> {
  readonly notes = new NoteBook<ConcernNote>((note) => this.#concern(note));
  readonly #check: (policy: Policy) => CheckedPolicy<Compiled>;
  /** A server that holds them already refuses nothing. */
  readonly #areStored: boolean;
  readonly #checked = new Map<Policy, CheckedPolicy<Compiled>>();
  readonly #concerns = new Map<Policy, Concern>();
  readonly #policies: Policy[] = [];
  readonly #numbers = new Map<Policy, number>();

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

  /** Of objects asked about until now, those that the policy would be asked about if it were not refused; undefined if it is not. */
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
