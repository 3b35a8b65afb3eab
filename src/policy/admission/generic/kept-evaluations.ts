// The evaluations of one request that are told one by one, and the number of all others: same-named policies and bindings multiply.
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PolicyIdentity, ValidationAction } from '../../language/policy.ts';
import type { OmittedEvaluations } from '../../language/policy-language.ts';

/** Of those that deny, those that warn, those that are for the audit log, and those that are undecided, each. */
const MAX_EVALUATIONS = 200;

type Kind = Pick<Evaluation, 'policy' | 'result' | 'action' | 'validationActions'>;

/** Very many are only counted: nothing is made for one of those. */
export class KeptEvaluations {
  readonly evaluations: Evaluation[] = [];
  readonly #kept = new Map<string, number>();
  readonly #omitted = new Map<PolicyIdentity, Counted[]>();

  /** `build` is not called for what is only counted. */
  add(kind: Kind, build: () => Evaluation): void {
    if (this.keeps(kind.result, kind.action, kind.validationActions)) this.evaluations.push(build());
    else if (kind.action === 'deny') this.omit(kind.policy, kind.result, kind.validationActions);
  }

  /** Whether there is room for one more of its kind, which is then taken. */
  keeps(
    result: Evaluation['result'],
    action: Evaluation['action'],
    validationActions: readonly ValidationAction[],
  ): boolean {
    const name = kindName(result, action, validationActions);
    const kept = this.#kept.get(name) ?? 0;
    if (kept === MAX_EVALUATIONS) return false;
    this.#kept.set(name, kept + 1);
    return true;
  }

  /** Counts one that denies. */
  omit(policy: PolicyIdentity, result: Evaluation['result'], validationActions: readonly ValidationAction[]): void {
    let ofPolicy = this.#omitted.get(policy);
    if (ofPolicy === undefined) {
      ofPolicy = [];
      this.#omitted.set(policy, ofPolicy);
    }
    const same = ofPolicy.find((each) => each.result === result && isSame(each.validationActions, validationActions));
    if (same === undefined) ofPolicy.push({ policy, result, validationActions, count: 1 });
    else same.count += 1;
  }

  omitted(): readonly OmittedEvaluations[] {
    return [...this.#omitted.values()].flat();
  }
}

interface Counted extends OmittedEvaluations {
  count: number;
}

function isSame(one: readonly ValidationAction[], other: readonly ValidationAction[]): boolean {
  return one === other || one.join() === other.join();
}

/** What has no consequence must not take the room of what has. */
function kindName(
  result: Evaluation['result'],
  action: Evaluation['action'],
  validationActions: readonly ValidationAction[],
): string {
  if (action === 'admit') return 'admit';
  if (result === 'unknown') return result;
  if (validationActions.includes('Deny')) return 'Deny';
  if (validationActions.includes('Warn')) return 'Warn';
  return validationActions.includes('Audit') ? 'Audit' : '';
}
