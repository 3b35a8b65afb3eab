// Status and acceptance of an object's findings, determined during evaluation.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { OpenQuestion } from '../../policy/language/policy-language.ts';
import type { Suppressions } from '../baseline/suppression.ts';
import type { FindingDraft, Marks } from '../finding/finding.ts';
import { mayFail } from '../gate/may-fail.ts';
import type { FailOn } from '../report.ts';

const NO_MARKS: Marks = {};

/** `suppressions`: those of the finding's object. */
export function marksOf(draft: FindingDraft, suppressions: Suppressions | undefined): Marks {
  const excuse = suppressions?.excuseOf(draft.names);
  return excuse === undefined ? NO_MARKS : { excuse };
}

/** True if a relevant policy did not judge the object, or judged it under an assumption. */
export function openQuestions({ outcomes }: EvaluatedResource, failOn: FailOn): readonly OpenQuestion[] {
  const questions = outcomes.flatMap(({ open = [] }) => open.filter(({ actions }) => mayFail(actions, failOn)));
  return [...new Map(questions.map((question) => [question.sentence, question])).values()];
}
