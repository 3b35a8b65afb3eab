// Explains what each MutatingAdmissionPolicy did to an object, and why.
import type { StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest, MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import { valueAt } from '../../../source/json/json-field.ts';
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
import { expressionPath } from './compiled-policy.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import type { MutationAttempt, PatchAttempt } from './mutation-attempt.ts';
import type { Mutator } from './mutator.ts';

type ExplainedMutation = BoundPolicy<MutatingPolicy, MutatingBinding, Mutator>;
type ExplanationContext = DispatchContext<MutatingPolicy, MutatingBinding, Mutator>;

/**
 * `request` holds the object before any mutation. `attempts`: what a run on that request did, empty if no policy can
 * change the object. Each step shows the object as the policy found it.
 */
export function explainMutations(
  policies: readonly ExplainedMutation[],
  request: AdmissionRequest,
  context: ExplanationContext,
  attempts: readonly MutationAttempt[],
): readonly PolicyExplanation[] {
  return policies.map((explained) => {
    const { resource } = explained.policy;
    const own = attempts.filter(({ of }) => of.hook.policy.resource === resource);
    const judge = (binding: MutatingBinding, param: StoredObject | undefined) => {
      const meant = own.filter(({ of }) => of.binding.resource === binding.resource && of.param === param);
      return mutationSteps(explained, meant, param, context);
    };
    return explainPolicy({ ...explained, isRefused: explained.refusal.isRefused(), judge }, request, context.cluster);
  });
}

function mutationSteps(
  { policy, runner }: ExplainedMutation,
  attempts: readonly MutationAttempt[],
  param: StoredObject | undefined,
  { namespaces, authorizer }: ExplanationContext,
): readonly ExplanationStep[] {
  const { resource } = policy;
  if (attempts.length === 0) return [{ result: 'stops', says: NOT_RUN, by: { resource, field: ['metadata', 'name'] } }];
  const { variables, matchConditions, mutations } = runner().compiled;
  const observe = (matched: MatchedRequest, phase: Phase, compiled: CompiledExpression | undefined) => {
    const { results } = withEveryAnswer(authorizer, (authorization) => {
      const authorizerFor = () => authorizerValues(matched, authorization());
      const namespace = namespaces.of(matched.request);
      const subject = { matched, params: param?.object ?? null, namespace, authorizerFor };
      return observeExpression(compiled, new RequestActivation(subject, phase, variables, true), variables);
    });
    return results[0];
  };
  return attempts.flatMap((attempt): readonly ExplanationStep[] => {
    const { matched, list } = attempt;
    if (list === 'matchConditions') {
      // A reinvocation repeats the conditions. Its mutations follow only if they hold.
      if (attempt.pass === 2) return [];
      return conditionSteps(policy, attempt, (index) => observe(matched, 'matchConditions', matchConditions[index]));
    }
    const observed = observe(matched, 'validations', mutations[attempt.index]);
    return [{ ...mutationStep(policy, attempt), ...(observed && { observed }) }];
  });
}

function conditionSteps(
  { resource, matchConditions, failurePolicy }: MutatingPolicy,
  { open }: MutationAttempt,
  observe: (index: number) => ObservedExpression | undefined,
): readonly ExplanationStep[] {
  const isIgnored = failurePolicy === 'Ignore';
  const conditions = matchConditions.map(({ name }, index) => ({ name, index, observed: observe(index) }));
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
  if (open === undefined) return steps;
  const by = { resource, field: ['spec', 'matchConditions'] };
  return [...steps, { result: 'unknown', says: `matchConditions depend on ${open}`, by }];
}

function mutationStep(policy: MutatingPolicy, { index, pass, open, end }: PatchAttempt): ExplanationStep {
  const { resource } = policy;
  const by = { resource, field: expressionPath(policy, index) };
  const name = `mutations[${index}]${pass === 2 ? ', reinvoked,' : ''}`;
  if ('error' in end) {
    const isIgnored = end.isIgnorable && policy.failurePolicy === 'Ignore';
    const says = `${name} fails${isIgnored ? IGNORED : ''}: ${end.error}`;
    return { result: isIgnored ? 'passes' : 'error', says, by };
  }
  if ('unknownKind' in end) {
    return {
      result: 'unknown',
      says: `${name} needs the schema of ${end.unknownKind.kind}, which is not in the repository`,
      by,
    };
  }
  const { before, after, paths } = end;
  const patch = paths.map((path) => ({ path, before: valueAt(before, path), after: valueAt(after, path) }));
  const says = `${name} ${paths.length === 0 ? 'changes nothing' : 'changes the object'}`;
  if (open !== undefined) return { result: 'unknown', says: `${says}, depending on ${open}`, by, patch };
  return { result: 'passes', says, by, patch };
}

const IGNORED = ' (ignored: failurePolicy is Ignore)';
const NOT_RUN = 'does not run: an earlier policy ends the request';
