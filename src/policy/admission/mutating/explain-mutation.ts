// Explains why a MutatingAdmissionPolicy applies to an object. Its effect is reported through its changes.
import { ErrorValue } from '../../../cel/value/value.ts';
import type { StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest, MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type {
  ExplanationStep,
  ObservedExpression,
  PolicyExplanation,
  StepResult,
} from '../../explanation/explanation.ts';
import { authorizerValues } from '../../expression/authorizer-values.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import { observeExpression } from '../../expression/observed-expression.ts';
import { type Phase, RequestActivation } from '../../expression/request-activation.ts';
import type { DispatchContext } from '../generic/admission-steps.ts';
import { explainPolicy } from '../generic/explain-policy.ts';
import type { BoundPolicy } from '../generic/hook-index.ts';
import { withEveryAnswer } from '../generic/possible-answers.ts';
import { convertRequest } from '../generic/versioned-request.ts';
import { expressionPath } from './compiled-policy.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import type { Mutator } from './mutator.ts';

type ExplainedMutation = BoundPolicy<MutatingPolicy, MutatingBinding, Mutator>;
type ExplanationContext = DispatchContext<MutatingPolicy, MutatingBinding, Mutator>;

/** `request` holds the object before any mutation. Every policy is explained with that object, regardless of the others. */
export function explainMutations(
  policies: readonly ExplainedMutation[],
  request: AdmissionRequest,
  context: ExplanationContext,
): readonly PolicyExplanation[] {
  return policies.map((explained) => {
    const judge = (_: MutatingBinding, param: StoredObject | undefined, matched: MatchedRequest) =>
      mutationSteps(explained, param, matched, context);
    return explainPolicy({ ...explained, isRefused: explained.refusal.isRefused(), judge }, request, context.cluster);
  });
}

function mutationSteps(
  { policy, runner }: ExplainedMutation,
  param: StoredObject | undefined,
  matched: MatchedRequest,
  { cluster, namespaces, authorizer }: ExplanationContext,
): readonly ExplanationStep[] {
  const { resource } = policy;
  const converted = convertRequest(matched, cluster);
  if ('unknown' in converted) {
    return [{ result: 'unknown', says: converted.unknown, by: { resource, field: ['spec', 'matchConstraints'] } }];
  }
  const { variables, matchConditions, mutations } = runner().compiled;
  const namespace = namespaces.of(matched.request);
  const observe = (phase: Phase, compiled: CompiledExpression | undefined): ObservedExpression | undefined => {
    const { results } = withEveryAnswer(authorizer, (authorization) => {
      const authorizerFor = () => authorizerValues(converted, authorization());
      const subject = { matched: converted, params: param?.object ?? null, namespace, authorizerFor };
      return observeExpression(compiled, new RequestActivation(subject, phase, variables, true), variables);
    });
    return results[0];
  };
  const isIgnored = policy.failurePolicy === 'Ignore';
  const conditions = policy.matchConditions.map(({ name }, index) => {
    return { name, index, observed: observe('matchConditions', matchConditions[index]) };
  });
  // One false condition decides, even if others fail.
  const isFalse = conditions.some(({ observed }) => observed?.trace.value === false);
  const steps = conditions.map(({ name, index, observed }): ExplanationStep => {
    const value = observed?.trace.value;
    const isError = value !== true && value !== false;
    const result: StepResult = value === true ? 'passes' : isError && !isFalse && !isIgnored ? 'error' : 'stops';
    const words = isError ? ` fails to evaluate${!isFalse && isIgnored ? IGNORED : ''}` : value ? '' : ' is false';
    const by = { resource, field: ['spec', 'matchConditions', index, 'expression'] };
    return { result, says: `matchCondition ${name}${words}`, by, ...(observed && { observed }) };
  });
  if (steps.some(({ result }) => result !== 'passes')) return steps;
  for (const index of policy.mutations.keys()) {
    const observed = observe('validations', mutations[index]);
    const by = { resource, field: expressionPath(policy, index) };
    const isError = observed?.trace.value instanceof ErrorValue;
    const result: StepResult = isError && !isIgnored ? 'error' : 'passes';
    const words = isError ? `fails to evaluate${isIgnored ? IGNORED : ''}` : 'is evaluated';
    steps.push({ result, says: `mutations[${index}] ${words}`, by, ...(observed && { observed }) });
  }
  return steps;
}

const IGNORED = ' (ignored: failurePolicy is Ignore)';
