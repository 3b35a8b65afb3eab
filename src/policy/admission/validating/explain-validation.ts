// Explains a ValidatingAdmissionPolicy's result: its conditions and rules, with the value of each part.

import type { StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest, MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { undecidedMessage } from '../../evaluation/unknown.ts';
import type {
  ExplanationStep,
  ObservedExpression,
  PolicyExplanation,
  StepResult,
} from '../../explanation/explanation.ts';
import type { RecordedDecision } from '../../language/policy-language.ts';
import { explainPolicy } from '../generic/explain-policy.ts';
import type { BoundPolicy } from '../generic/hook-index.ts';
import { withEveryAnswer } from '../generic/possible-answers.ts';
import { convertRequest } from '../generic/versioned-request.ts';
import { dispatch, type ValidatingContext } from './dispatcher.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';
import type { ObservedValidation, Validator } from './validator.ts';

type ExplainedValidation = BoundPolicy<ValidatingPolicy, ValidatingBinding, Validator>;

/** The decisions come from `dispatch`. The expressions run again with tracing. */
export function explainValidations(
  policies: readonly ExplainedValidation[],
  request: AdmissionRequest,
  context: ValidatingContext,
): readonly PolicyExplanation[] {
  const decisions: RecordedDecision[] = [];
  const { exempt } = dispatch(request, context, (decision) => void decisions.push(decision));
  if (exempt) {
    const says = `the API server evaluates no ValidatingAdmissionPolicy for ${request.kind.kind} objects`;
    return policies.map(({ policy }) => ({ policy, result: 'stops', steps: [{ result: 'stops', says }] }));
  }
  return policies.map((explained) => {
    const { policy } = explained;
    const own = decisions.filter((decision) => decision.policy === policy);
    const isRefused = explained.refusal.isRefused();
    const judge = (
      binding: ValidatingBinding,
      param: StoredObject | undefined,
      matched: MatchedRequest,
    ): readonly ExplanationStep[] => {
      const said = own.filter((each) => each.binding === binding && each.param === param?.resource);
      const whole = own.filter((each) => each.binding === undefined);
      return judgement(explained, [...said, ...whole], observed(explained, param, matched, context));
    };
    return explainPolicy({ ...explained, isRefused, judge }, request, context.cluster);
  });
}

/** Traces the request that was decided, with "no" for open authorizer checks. */
function observed(
  { runner }: ExplainedValidation,
  param: StoredObject | undefined,
  matched: MatchedRequest,
  { cluster, namespaces, authorizer }: ValidatingContext,
): ObservedValidation | undefined {
  const converted = convertRequest(matched, cluster);
  if ('unknown' in converted) return undefined;
  const namespace = namespaces.of(matched.request);
  const { results } = withEveryAnswer(authorizer, (authorization) =>
    runner().observe(converted, param?.object ?? null, namespace, authorization),
  );
  return results[0];
}

function judgement(
  { policy }: ExplainedValidation,
  decisions: readonly RecordedDecision[],
  seen: ObservedValidation | undefined,
): readonly ExplanationStep[] {
  const { resource } = policy;
  const steps: ExplanationStep[] = [];
  const addStep = (result: StepResult, says: string, field: FieldPath, expression?: ObservedExpression): void => {
    steps.push({ result, says, by: { resource, field }, ...(expression && { observed: expression }) });
  };
  for (const [index, { name }] of policy.matchConditions.entries()) {
    const expression = seen?.matchConditions[index];
    const value = expression?.trace.value;
    const field = ['spec', 'matchConditions', index, 'expression'];
    if (value === true || value === undefined) addStep('passes', `matchCondition ${name}`, field, expression);
    else if (value === false && decisions.length > 0) {
      addStep('passes', `matchCondition ${name} may be false; that depends on the cluster`, field, expression);
    } else if (value === false) {
      addStep('stops', `matchCondition ${name} is false`, field, expression);
      return steps;
    }
  }
  for (const { rule, index, evaluation, message, action, missing = [] } of decisions) {
    const list = rule[1];
    const named = list === 'validations' ? `validations[${index}]` : rule.slice(1).join('.');
    const expression = list === 'validations' ? seen?.validations[index] : conditionAt(seen, rule);
    const admitted = action === 'admit' && evaluation !== 'admit' ? ' (ignored: failurePolicy is Ignore)' : '';
    const says = evaluation === 'admit' ? named : `${named}: ${undecidedMessage(missing, message)}${admitted}`;
    addStep(RESULTS[evaluation], says, rule, expression);
  }
  return steps;
}

function conditionAt(seen: ObservedValidation | undefined, [, list, index]: FieldPath): ObservedExpression | undefined {
  return list === 'matchConditions' && typeof index === 'number' ? seen?.matchConditions[index] : undefined;
}

const RESULTS: Readonly<Record<RecordedDecision['evaluation'], StepResult>> = {
  admit: 'passes',
  deny: 'fails',
  error: 'error',
  unknown: 'unknown',
};
