// The sets of rules that a change is held to where two states are compared.
import type { ObjectChange } from '../../engine/object-request.ts';
import type { Target } from '../../engine/target.ts';
import type { ChangeEvaluation, TargetEvaluator } from '../../engine/target-evaluator.ts';
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isNamespace } from '../state/rule-resources.ts';

export interface ComparedRules {
  /** Base's, with what head adds to the cluster. */
  readonly base: TargetEvaluator;
  /** What a finding must not come from to be new. */
  readonly before: TargetEvaluator;
  /** The same as `base` if no rule changed. */
  readonly head: TargetEvaluator;
  readonly verdict: TargetEvaluator;
  /** Rules whose findings count besides the verdict's own. */
  readonly also: TargetEvaluator | undefined;
  readonly evaluators: readonly TargetEvaluator[];
}

/** What each set of rules says of one change, asked once. */
export class Answers {
  readonly #change: ObjectChange;
  readonly #answers = new Map<TargetEvaluator, ChangeEvaluation>();

  constructor(change: ObjectChange) {
    this.#change = change;
  }

  of(rules: TargetEvaluator): ChangeEvaluation {
    const answer = this.#answers.get(rules) ?? rules.evaluate(this.#change);
    this.#answers.set(rules, answer);
    return answer;
  }
}

/** What base says of the cluster counts; only Namespaces and kinds that are new come from head, as there is nothing else to know of them. */
export function verdictFacts(base: Target, head: Target): readonly Resource[] {
  const isNewKind = (resource: Resource): boolean => isNamespace(resource) || isCustomResourceDefinition(resource);
  const identity = ({ gvk, name }: Resource): string => `${gvk.kind}\0${name}`;
  const known = new Set(base.facts.filter(isNewKind).map(identity));
  return [...base.facts, ...head.facts.filter((resource) => isNewKind(resource) && !known.has(identity(resource)))];
}
