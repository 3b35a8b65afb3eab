// The evaluations of one request that are told one by one, and the number of all others: same-named policies and bindings multiply.
import type { Evaluation } from '../../evaluation.ts';
import type { PolicyIdentity } from '../../policy.ts';
import type { OmittedEvaluations } from '../../policy-language.ts';

/** Of those that deny, those that warn, those that are for the audit log, and those that are undecided, each. */
const MAX_EVALUATIONS = 200;

type Kind = Pick<Evaluation, 'policy' | 'result' | 'action' | 'validationActions'>;

export class KeptEvaluations {
  readonly evaluations: Evaluation[] = [];
  readonly #kept = new Map<string, number>();
  readonly #omitted = new Map<PolicyIdentity, Map<string, OmittedEvaluations>>();

  /** `build` is not called for what is only counted. */
  add(kind: Kind, build: () => Evaluation): void {
    const name = kindName(kind);
    const kept = this.#kept.get(name) ?? 0;
    if (kept < MAX_EVALUATIONS) {
      this.#kept.set(name, kept + 1);
      this.evaluations.push(build());
    } else if (kind.action === 'deny') this.#omit(kind);
  }

  omitted(): readonly OmittedEvaluations[] {
    return [...this.#omitted.values()].flatMap((ofPolicy) => [...ofPolicy.values()]);
  }

  #omit({ policy, result, validationActions }: Kind): void {
    const ofPolicy = this.#omitted.get(policy) ?? new Map<string, OmittedEvaluations>();
    const key = `${result} ${validationActions.join()}`;
    const count = (ofPolicy.get(key)?.count ?? 0) + 1;
    this.#omitted.set(policy, ofPolicy.set(key, { policy, result, validationActions, count }));
  }
}

/** What has no consequence must not take the room of what has. */
function kindName({ result, action, validationActions }: Kind): string {
  if (action === 'admit') return 'admit';
  if (result === 'unknown') return result;
  return ['Deny', 'Warn', 'Audit'].find((name) => validationActions.some((each) => each === name)) ?? '';
}
