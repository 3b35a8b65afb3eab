// Keeps a limited number of evaluations per request and counts the rest. Policies and bindings with equal names multiply them.
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PolicyIdentity, ValidationAction } from '../../language/policy.ts';
import type { OmittedEvaluations } from '../../language/policy-language.ts';

/** Limit for each consequence: deny, warn, audit, undecided. */
const MAX_EVALUATIONS = 200;

type Kind = Pick<Evaluation, 'policy' | 'result' | 'action' | 'validationActions'>;

/** Builds no evaluation for results that are only counted. */
export class KeptEvaluations {
  readonly evaluations: Evaluation[] = [];
  readonly #kept = new Map<string, number>();
  readonly #omitted = new Map<PolicyIdentity, Counted[]>();

  /** Calls `build` only if the evaluation is kept. */
  add(kind: Kind, build: () => Evaluation): void {
    if (this.keeps(kind.result, kind.action, kind.validationActions)) this.evaluations.push(build());
    else if (kind.action === 'deny') this.omit(kind.policy, kind.result, kind.validationActions);
  }

  /** True if the limit for this kind is not reached. Takes one of its slots. */
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

  /** Counts a denial that is not kept. */
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

/** Groups by consequence, so that results without consequences do not use up the limit of others. */
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
