// Selects the findings of a change to report: those that base's rules do not already report for base's object.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { ComparedResource } from '../../report/builder/report-builder.ts';
import type { EvaluatedChange } from './evaluate-changes.ts';

export interface RelevantFindings {
  /** Its findings are new unless `before` has them too. */
  readonly compared: ComparedResource | undefined;
  /** All its findings are fixed, because the change deletes the object. */
  readonly fixed: EvaluatedResource | undefined;
}

export function relevantFindings(answer: EvaluatedChange): RelevantFindings {
  const { change, verdict, also, before, recreated } = answer;
  const { evaluated } = verdict;
  const known = before?.evaluated;
  const isDeleted = change.operation === 'DELETE';
  const compared = evaluated && {
    evaluated,
    also,
    ...(known && !isDeleted && { before: known }),
    ...(recreated && { recreated }),
  };
  return { compared, fixed: isDeleted ? known : undefined };
}
