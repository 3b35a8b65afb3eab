// Accumulates the totals of one target while its objects are evaluated.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { PolicyIdentity } from '../../policy/language/policy.ts';
import type { AdmissionOutcome, LoadedPolicy } from '../../policy/language/policy-language.ts';
import type { PolicySummary, TargetSummary } from '../report.ts';
import { AuditAnnotationsOfTarget } from './audit-annotations.ts';
import { AdditionsOfTarget } from './cluster-additions.ts';

type CountedEvaluation = Pick<Evaluation, 'policy' | 'result' | 'validationActions'>;

interface PolicyCounts {
  matched: number;
  denied: number;
  warned: number;
  audited: number;
  undecided: number;
}

type PolicySummaryCounts = Pick<PolicySummary, 'matched' | 'denied' | 'warned' | 'audited' | 'undecided'>;

export class TargetTally {
  readonly #additions = new AdditionsOfTarget();
  readonly #auditAnnotations = new AuditAnnotationsOfTarget();
  readonly #counts = new Map<PolicyIdentity, PolicyCounts>();
  #evaluated = 0;

  add(evaluated: EvaluatedResource): void {
    this.#additions.add(evaluated);
    this.#auditAnnotations.add(evaluated);
    this.#evaluated += 1;
    for (const outcome of evaluated.outcomes) {
      for (const policy of outcome.matched) this.#countsOf(policy).matched += 1;
      for (const evaluation of outcome.evaluations) {
        if (evaluation.action === 'deny') this.#countEvaluations(evaluation, 1);
      }
      for (const policy of undecidedBy(outcome)) this.#countsOf(policy).undecided += 1;
      for (const evaluations of outcome.omitted) this.#countEvaluations(evaluations, evaluations.count);
    }
  }

  /** `describes`: also describes each policy, which takes time. */
  summary(
    policies: readonly LoadedPolicy[],
    describes: boolean,
  ): Pick<TargetSummary, 'evaluated' | 'policies' | 'additions' | 'mutatedAway' | 'auditAnnotations'> {
    const summaries = policies.map(
      ({ identity, bindings, neverDenies = false, facts: describe }): PolicySummary => ({
        kind: identity.kind,
        name: identity.name,
        path: identity.resource.manifest.file.path,
        bindings,
        ...countsToReport(this.#countsOf(identity)),
        ...(neverDenies && { neverDenies }),
        ...(describes && describe && { facts: describe() }),
      }),
    );
    const auditAnnotations = this.#auditAnnotations.summary();
    return {
      evaluated: this.#evaluated,
      policies: summaries,
      ...this.#additions.summary(),
      ...(auditAnnotations.length > 0 && { auditAnnotations }),
    };
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
      counts = { matched: 0, denied: 0, warned: 0, audited: 0, undecided: 0 };
      this.#counts.set(policy, counts);
    }
    return counts;
  }
}

/** Matching policies whose result for the request is unknown. */
function undecidedBy({ matched, evaluations, open = [] }: AdmissionOutcome): ReadonlySet<PolicyIdentity> {
  const undecided = new Set<PolicyIdentity>();
  for (const { policy, result } of evaluations) if (result === 'unknown') undecided.add(policy);
  const names = new Set(open.map(({ policy }) => policy));
  for (const policy of matched) if (names.has(policy.name)) undecided.add(policy);
  return undecided;
}

function countsToReport({ undecided, ...counts }: PolicyCounts): PolicySummaryCounts {
  return { ...counts, ...(undecided > 0 && { undecided }) };
}
