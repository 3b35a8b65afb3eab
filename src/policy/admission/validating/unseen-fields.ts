// Rules that look at what others write into a stored object: whatever they come to here says nothing.
import type { Read } from '../../../cel/value/trace.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { selectMessage } from '../../expression/decision-message.ts';
import type { FieldReads } from '../generic/field-reads.ts';
import type { Decision, ValidateResult } from './decision.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

/** What of a policy rests on fields that nobody here has seen. */
export interface OpenRules {
  /** True if the policy may match or not: the validations are then asked as if it did. */
  readonly isConditional: boolean;
  /** Whether the expression at a field of the policy rests on one of the fields. */
  rests(rule: FieldPath): boolean;
  /** Which of the fields those are that somebody wrote: the status of a stored object is in no file. */
  readBy(rule: FieldPath): readonly FieldPath[];
  readonly missing: readonly string[];
}

const CONDITIONS = 'matchConditions';

/** Undefined if nothing does. */
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

/** The result with every decision left open that rests on such a field; what is admitted either way stays so. */
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
    // What holds explains nothing; what it rests on is the field that nobody has seen.
    const explain = isAdmitted ? () => readBy(decision.rule).flatMap(readsOf) : () => decision.explain();
    return { ...decision, ...(isAdmitted && supposed), action: 'deny', evaluation: 'unknown', missing, explain };
  });
  const auditAnnotations = isConditional ? [] : result.auditAnnotations.filter(({ rule }) => !rests(rule));
  return { decisions, auditAnnotations, skipped: false, passes: decisions.every(({ action }) => action === 'admit') };
}

/** Of the object, and of the one before where there is no other. */
function readsOf(path: FieldPath): readonly Read[] {
  return [
    { root: 'object', path, found: true },
    { root: 'oldObject', path, found: true },
  ];
}
