// Corrects explanations by the outcome: a language explains an open field by its text, but the outcome knows that it is open.
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { type ExplanationStep, type PolicyExplanation, resultInOrder, type StepResult } from './explanation.ts';

/** Explanations that already have an unknown step are kept. */
export function undecidedSteps(
  explanations: readonly PolicyExplanation[],
  evaluations: readonly Evaluation[],
): readonly PolicyExplanation[] {
  return explanations.map((explanation) => {
    const own = evaluations.filter(({ policy }) => policy.resource === explanation.policy.resource);
    const undecided = own.filter(({ result }) => result === 'unknown');
    if (undecided.length === 0 || hasUnknown(explanation.steps)) return explanation;
    const steps = correctedSteps(explanation, own, undecided);
    return { ...explanation, result: resultInOrder(steps.filter(({ result }) => result !== 'stops')), steps };
  });
}

function hasUnknown(steps: readonly ExplanationStep[]): boolean {
  return steps.some(({ result, steps: inner = [] }) => result === 'unknown' || hasUnknown(inner));
}

/** Steps about an undecided rule are replaced. Failing steps about a part of it stay, as unknown. */
function correctedSteps(
  { policy, steps }: PolicyExplanation,
  own: readonly Evaluation[],
  undecided: readonly Evaluation[],
): readonly ExplanationStep[] {
  const left = new Set(own);
  const corrected = steps.flatMap((step): readonly ExplanationStep[] => {
    const { by, steps: inner } = step;
    const isAbout = ({ rule }: Evaluation): boolean => by?.resource === policy.resource && isWithin(rule, by.field);
    if (!undecided.some(isAbout)) {
      const isPart = by?.resource === policy.resource && undecided.some(({ rule }) => isWithin(by.field, rule));
      return [isPart && step.result !== 'passes' ? { ...step, result: 'unknown' } : step];
    }
    const said = [...left].filter(isAbout);
    for (const evaluation of said) left.delete(evaluation);
    const answers = said.map(answerStep);
    if (inner === undefined) return answers;
    const before = inner.filter(({ result }) => result === 'passes');
    return [{ ...step, result: resultInOrder(answers), steps: [...before, ...answers] }];
  });
  return [...corrected, ...undecided.filter((evaluation) => left.has(evaluation)).map(answerStep)];
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((part, index) => path[index] === part);
}

function answerStep({ policy, rule, result, message, missing }: Evaluation): ExplanationStep {
  const reason = missing.length === 0 ? 'undecided' : `undecided, depends on ${missing.join(' and ')}`;
  const says = result === 'unknown' ? `${reason}: ${message}` : message;
  return { result: RESULTS[result], says, by: { resource: policy.resource, field: rule } };
}

const RESULTS: Readonly<Record<Evaluation['result'], StepResult>> = {
  fail: 'fails',
  error: 'error',
  unknown: 'unknown',
};
