// What is known of an object's findings and of its verdict as it is evaluated.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Suppressions } from '../baseline/suppression.ts';
import type { FindingDraft, Marks } from '../finding/finding.ts';
import type { FailOn } from '../report.ts';
import { mayFail } from './verdict.ts';

const NO_MARKS: Marks = {};

/** `suppressions`: of its object. */
export function marksOf(draft: FindingDraft, suppressions: Suppressions | undefined): Marks {
  const excuse = suppressions?.excuseOf(draft.names);
  return excuse === undefined ? NO_MARKS : { excuse };
}

/** True if a policy that counts was not asked about the object, or under an assumption. */
export function isOpen({ outcomes }: EvaluatedResource, failOn: FailOn): boolean {
  return outcomes.some(({ openActions }) => openActions !== undefined && mayFail(openActions, failOn));
}
