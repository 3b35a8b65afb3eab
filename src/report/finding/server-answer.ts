// Determines which of several failures the API server returns; it answers with one (apiserver `validating/dispatcher.go`).
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { Finding } from '../report.ts';

type ServerTells = NonNullable<Finding['serverTells']>;

/**
 * Policy languages are evaluated in turn, and the first that denies ends the request. Within one policy, binding and param, the first
 * failure hides the others, unless one response contains them all. The server does not define an order of policies, bindings and params, so
 * any of their first failures may be returned. Empty if there is at most one failure.
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

/** By identity, because two policies or bindings may have the same name. */
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
