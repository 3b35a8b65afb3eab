// Rules that read fields of a stored object that other writers set. Their result is unknown here.
import type { Read } from '../../../cel/value/trace.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { selectMessage } from '../../expression/decision-message.ts';
import type { FieldReads } from '../generic/field-reads.ts';
import type { Decision, ValidateResult } from './decision.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

export interface OpenRules {
  /** True if the policy may or may not match. The validations then run as if it matched. */
  readonly isConditional: boolean;
  /** True if the expression at this field of the policy depends on an unseen field. */
  rests(rule: FieldPath): boolean;
  /** The unseen fields that the rule reads. Excludes the status, which no file contains. */
  readBy(rule: FieldPath): readonly FieldPath[];
  readonly missing: readonly string[];
}

const CONDITIONS = 'matchConditions';

/** Undefined if no rule depends on these fields. */
export function openRules(
  { matchConditions }: ValidatingPolicy,
  reads: FieldReads,
  fields: readonly FieldPath[],
): OpenRules | undefined {
  const looked = fields.filter((field) => reads.looksInto(field));
  if (looked.length === 0) return undefined;
  const readBy = (rule: FieldPath) =>
    looked.filter((field) => field[0] !== 'status' && reads.ruleLooksInto(rule, field));
  const rests = (rule: FieldPath): boolean => looked.some((field) => reads.ruleLooksInto(rule, field));
  return {
    isConditional: matchConditions.some((_, index) => rests(['spec', CONDITIONS, index, 'expression'])),
    rests,
    readBy,
    missing: [`${looked.map(formatFieldPath).join(', ')}, which only the server knows`],
  };
}

/** Marks every decision that depends on an unseen field as unknown. Decisions that admit in any case stay. */
export function leaveOpen(
  result: ValidateResult,
  policy: ValidatingPolicy,
  { isConditional, rests, readBy, missing }: OpenRules,
): ValidateResult {
  if (result.skipped || result.decisions.some(({ rule }) => rule[1] !== 'validations')) return result;
  const decisions = result.decisions.map((decision): Decision => {
    const isAdmitted = decision.action === 'admit';
    if (!rests(decision.rule) && (isAdmitted || !isConditional)) return decision;
    const validation = policy.validations[Number(decision.rule[2])] as ValidatingPolicy['validations'][number];
    const supposed = { message: selectMessage(validation, undefined), reason: validation.reason };
    // A passing expression has no deciding read. Show the unseen field that it depends on.
    const explain = isAdmitted ? () => readBy(decision.rule).flatMap(readsOf) : () => decision.explain();
    return { ...decision, ...(isAdmitted && supposed), action: 'deny', evaluation: 'unknown', missing, explain };
  });
  const auditAnnotations = isConditional ? [] : result.auditAnnotations.filter(({ rule }) => !rests(rule));
  return { decisions, auditAnnotations, skipped: false, passes: decisions.every(({ action }) => action === 'admit') };
}

/** Reads `oldObject` if there is no `object`. */
function readsOf(path: FieldPath): readonly Read[] {
  return [
    { root: 'object', path, found: true },
    { root: 'oldObject', path, found: true },
  ];
}
