// What the objects of one target add up to, counted as they are evaluated.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { PolicyIdentity } from '../../policy/language/policy.ts';
import type { LoadedPolicy } from '../../policy/language/policy-language.ts';
import type { PolicySummary, TargetSummary } from '../report.ts';
import { AdditionsOfTarget, type CountedAdditions } from './cluster-additions.ts';

type CountedEvaluation = Pick<Evaluation, 'policy' | 'result' | 'validationActions'>;

interface PolicyCounts {
  matched: number;
  denied: number;
  warned: number;
  audited: number;
}

/** Plain data. */
export interface CountedTarget extends CountedAdditions {
  readonly evaluated: number;
  /** In the order of the target's policies; of those that are not there nothing was counted. */
  readonly counts: readonly (Readonly<PolicyCounts> | undefined)[];
}

export class TargetTally {
  readonly #additions = new AdditionsOfTarget();
  readonly #counts = new Map<PolicyIdentity, PolicyCounts>();
  #evaluated = 0;

  /** `order`: of the object among those of its target; only where what is counted will be joined with other parts. */
  add(evaluated: EvaluatedResource, order = 0): void {
    this.#additions.add(evaluated, order);
    this.#evaluated += 1;
    for (const outcome of evaluated.outcomes) {
      for (const policy of outcome.matched) this.#countsOf(policy).matched += 1;
      for (const evaluation of outcome.evaluations) {
        if (evaluation.action === 'deny') this.#countEvaluations(evaluation, 1);
      }
      for (const evaluations of outcome.omitted) this.#countEvaluations(evaluations, evaluations.count);
    }
  }

  /** What other parts counted of the same target. */
  join(parts: readonly CountedTarget[], policies: readonly LoadedPolicy[]): void {
    this.#additions.join(parts);
    for (const { evaluated, counts } of parts) {
      this.#evaluated += evaluated;
      for (const [index, { identity }] of policies.entries()) {
        const more = counts[index];
        if (more === undefined) continue;
        const own = this.#countsOf(identity);
        own.matched += more.matched;
        own.denied += more.denied;
        own.warned += more.warned;
        own.audited += more.audited;
      }
    }
  }

  counted(policies: readonly LoadedPolicy[]): CountedTarget {
    return {
      ...this.#additions.counted(),
      evaluated: this.#evaluated,
      counts: policies.map(({ identity }) => this.#counts.get(identity)),
    };
  }

  /** `describes`: tells what each policy is and needs, which takes time. */
  summary(
    policies: readonly LoadedPolicy[],
    describes: boolean,
  ): Pick<TargetSummary, 'evaluated' | 'policies' | 'additions' | 'mutatedAway'> {
    const summaries = policies.map(
      ({ identity, bindings, facts: describe }): PolicySummary => ({
        kind: identity.kind,
        name: identity.name,
        path: identity.resource.manifest.file.path,
        bindings,
        ...this.#countsOf(identity),
        ...(describes && describe && { facts: describe() }),
      }),
    );
    return { evaluated: this.#evaluated, policies: summaries, ...this.#additions.summary() };
  }

  #countEvaluations({ policy, result, validationActions }: CountedEvaluation, number: number): void {
    if (result === 'unknown') return;
    const counts = this.#countsOf(policy);
    if (validationActions.includes('Deny')) counts.denied += number;
    if (validationActions.includes('Warn')) counts.warned += number;
    if (validationActions.includes('Audit')) counts.audited += number;
  }

  #countsOf(policy: PolicyIdentity): PolicyCounts {
    let counts = this.#counts.get(policy);
    if (counts === undefined) {
      counts = { matched: 0, denied: 0, warned: 0, audited: 0 };
      this.#counts.set(policy, counts);
    }
    return counts;
  }
}
