// Rules whose result depends on fields that the repository does not contain.
import type { Read } from '../../../cel/value/trace.ts';
import { type OpenReason, openReasonText } from '../../../kubernetes/request/open-reason.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import type { FieldReads } from '../generic/field-reads.ts';
import type { Decision, ValidateResult } from './decision.ts';

/**
 * The fields that the policy may read. A value around the status counts only if the policy names the status: a rule
 * about the whole object is about the fields in its file.
 */
export function fieldsToLeaveOpen(reads: FieldReads, unseen: readonly FieldPath[]): readonly FieldPath[] {
  return unseen.filter((path) => (path[0] === 'status' ? reads.looksInto(path) : reads.mayRead(path)));
}

/**
 * Replaces the names of open fields in `missing` by their reasons. `plain`: the result with the values that stand in for
 * the open fields.
 */
export function leaveOpen(
  result: ValidateResult,
  plain: () => ValidateResult,
  reasonOf: (field: string) => OpenReason | undefined,
): ValidateResult {
  if (result.decisions.every(({ dependsOn }) => dependsOn === undefined)) return result;
  const supposed = new Map(plain().decisions.map((decision) => [formatFieldPath(decision.rule), decision]));
  const decisions = result.decisions.map((decision): Decision => {
    const { dependsOn } = decision;
    if (dependsOn === undefined) return decision;
    const assumed = supposed.get(formatFieldPath(decision.rule));
    const fails = assumed?.action === 'deny';
    const reason = reasonOf(formatFieldPath(dependsOn));
    const explain = (): readonly Read[] => {
      const reads = fails ? assumed.explain() : decision.explain();
      // No file contains the status.
      return reads.length > 0 || dependsOn[0] === 'status' ? reads : readsOf(dependsOn);
    };
    return { ...decision, missing: [openReasonText(dependsOn, reason, fails)], explain };
  });
  return { ...result, decisions };
}

/** Reads `oldObject` if there is no `object`. */
function readsOf(path: FieldPath): readonly Read[] {
  return [
    { root: 'object', path, found: true },
    { root: 'oldObject', path, found: true },
  ];
}
