// Status and acceptance of an object's findings, determined during evaluation.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Suppressions } from '../baseline/suppression.ts';
import type { FindingDraft, Marks } from '../finding/finding.ts';
import type { FailOn } from '../report.ts';
import { mayFail } from './verdict.ts';

const NO_MARKS: Marks = {};

/** `suppressions`: those of the finding's object. */
export function marksOf(draft: FindingDraft, suppressions: Suppressions | undefined): Marks {
  const excuse = suppressions?.excuseOf(draft.names);
  return excuse === undefined ? NO_MARKS : { excuse };
}

/** True if a relevant policy did not judge the object, or judged it under an assumption. */
export function isOpen({ outcomes }: EvaluatedResource, failOn: FailOn): boolean {
  return outcomes.some(({ openActions }) => openActions !== undefined && mayFail(openActions, failOn));
}
