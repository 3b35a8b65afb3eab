// Which of several failures the API server tells: it answers a request with one of them (apiserver `validating/dispatcher.go`).
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type { Evaluation } from '../policy/evaluation.ts';
import type { Finding } from './report.ts';

type ServerTells = NonNullable<Finding['serverTells']>;

/**
 * The failures of one policy, binding and param are told in the order of the policy, so that the first hides the others. Policies,
 * bindings and params have no order on the server: where several fail, any of their first failures may be told. Empty where there is
 * nothing to choose from.
 */
export function serverAnswers({ outcomes }: EvaluatedResource): ReadonlyMap<Evaluation, ServerTells> {
  const deny = ({ validationActions }: Pick<Evaluation, 'validationActions'>): boolean =>
    validationActions.includes('Deny');
  const evaluations = outcomes.flatMap((outcome) => outcome.evaluations).filter((each) => each.action === 'deny');
  const denying = evaluations.filter(deny);
  const denials = denying.filter(({ result }) => result !== 'unknown');
  const isMore = denials.length < denying.length || outcomes.some(({ omitted }) => omitted.some(deny));
  if (denials.length < 2 && !isMore) return new Map();
  const groups = groupedBySpeaker(denials);
  const tells = groups.length === 1 && !isMore ? 'yes' : 'perhaps';
  return new Map(
    groups.flatMap((group) =>
      group.map((each, index): [Evaluation, ServerTells] => [each, index === 0 ? tells : 'no']),
    ),
  );
}

/** By identity, as two policies or bindings may have one name. */
function groupedBySpeaker(evaluations: readonly Evaluation[]): readonly (readonly Evaluation[])[] {
  const numbers = new Map<object | undefined, number>();
  const numberOf = (speaker: object | undefined): number => {
    const number = numbers.get(speaker) ?? numbers.size;
    numbers.set(speaker, number);
    return number;
  };
  const groups = new Map<string, Evaluation[]>();
  for (const evaluation of evaluations) {
    const { policy, binding, param } = evaluation;
    const key = [policy, binding, param].map(numberOf).join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [evaluation]);
    else group.push(evaluation);
  }
  return [...groups.values()];
}
