// Which of several failures the API server tells: it answers a request with one of them (apiserver `validating/dispatcher.go`).
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { Finding } from '../report.ts';

type ServerTells = NonNullable<Finding['serverTells']>;

/**
 * The languages are asked one after another, and the first that denies is the last. In a language the failures of one policy,
 * binding and param are told in the order of the policy, so that the first hides the others, unless one answer tells them all.
 * Policies, bindings and params have no order on the server: where several fail, any of their first failures may be told. Empty
 * where there is nothing to choose from.
 */
export function serverAnswers({ outcomes }: EvaluatedResource): ReadonlyMap<Evaluation, ServerTells> {
  if (outcomes.every(({ evaluations, omitted }) => evaluations.length === 0 && omitted.length === 0)) return NONE;
  const answers = new Map<Evaluation, ServerTells>();
  const texts = new Set<string>();
  let isAnswered = false;
  let isMore = false;
  for (const { evaluations, omitted } of outcomes) {
    const denying = evaluations.filter((each) => each.action === 'deny' && denies(each));
    const denials = denying.filter(({ result }) => result !== 'unknown');
    const isMoreHere = denials.length < denying.length || omitted.some(denies);
    const groups = groupedBySpeaker(denials);
    isMore ||= isMoreHere;
    const tells = groups.length === 1 && !isMore ? 'yes' : 'perhaps';
    for (const group of groups) {
      const [first] = group;
      for (const each of group) {
        const isHidden = isAnswered || each.serverMessage !== first?.serverMessage;
        answers.set(each, isHidden ? 'no' : tells);
        texts.add(each.serverMessage);
      }
    }
    isAnswered ||= denials.length > 0;
  }
  return texts.size < 2 && !isMore ? new Map() : answers;
}

const NONE: ReadonlyMap<Evaluation, ServerTells> = new Map();

function denies({ validationActions }: Pick<Evaluation, 'validationActions'>): boolean {
  return validationActions.includes('Deny');
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
    const key = `${numberOf(policy)},${numberOf(binding)},${numberOf(param)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [evaluation]);
    else group.push(evaluation);
  }
  return [...groups.values()];
}
