// Explains why an admission policy applies to a request: constraints, bindings and params in the server's order, then the kind's own steps.

import type { Cluster, StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest, MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import {
  type ExplanationStep,
  type PolicyExplanation,
  resultInOrder,
  resultOfAny,
  type StepResult,
} from '../../explanation/explanation.ts';
import { explainMatch } from '../../matching/explain-match.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { matchRequest } from '../../matching/matcher.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';
import { collectParams, type ResolvedParamKind } from './params.ts';

export interface JudgedPolicy<Binding extends AdmissionBinding> {
  readonly policy: AdmissionPolicy;
  readonly bindings: readonly Binding[];
  /** Undefined: the server ignores the policy because its paramKind has an invalid apiVersion. */
  readonly paramKind: ResolvedParamKind | undefined;
  readonly isRefused: boolean;
  /** The policy's steps for one binding and param. */
  judge(binding: Binding, param: StoredObject | undefined, matched: MatchedRequest): readonly ExplanationStep[];
}

export function explainPolicy<Binding extends AdmissionBinding>(
  explained: JudgedPolicy<Binding>,
  request: AdmissionRequest,
  cluster: Cluster,
): PolicyExplanation {
  const { policy, bindings } = explained;
  const ways = policySteps(explained, request, cluster);
  if (ways.some(({ result }) => result !== 'passes')) return { policy, result: resultInOrder(ways), steps: ways };
  const match = matchRequest(policy.matchConstraints as MatchResources, request, cluster);
  if ('error' in match || !match.matches) return { policy, result: 'stops', steps: ways };
  const { matchedKind, matchedResource } = match;
  const matched = { request, matchedKind, matchedResource };
  const bound = bindings.map((binding) => bindingStep(explained, binding, matched, cluster));
  return { policy, result: resultOfAny(bound), steps: [...ways, ...bound] };
}

function policySteps<Binding extends AdmissionBinding>(
  { policy, bindings, paramKind, isRefused }: JudgedPolicy<Binding>,
  request: AdmissionRequest,
  cluster: Cluster,
): readonly ExplanationStep[] {
  const { resource, matchConstraints } = policy;
  const step = (result: 'stops' | 'error', says: string, ...field: string[]): ExplanationStep => {
    return { result, says, by: { resource, field } };
  };
  if (isRefused) return [step('stops', 'the API server rejects the policy, so it has no effect', 'spec')];
  if (bindings.length === 0) return [step('stops', `no binding names ${policy.name}`, 'metadata', 'name')];
  if (matchConstraints === undefined) {
    return [step('error', 'policy contained no match constraints, a required field', 'spec', 'matchConstraints')];
  }
  const matches = explainMatch(matchConstraints, request, cluster, resource, ['spec', 'matchConstraints']);
  const error = paramKind === undefined ? 'its apiVersion is invalid' : paramKind.error;
  if (error === undefined || matches.some(({ result }) => result !== 'passes')) return matches;
  return [...matches, step('error', `paramKind: ${error}`, 'spec', 'paramKind')];
}

function bindingStep<Binding extends AdmissionBinding>(
  { paramKind, judge }: JudgedPolicy<Binding>,
  binding: Binding,
  matched: MatchedRequest,
  cluster: Cluster,
): ExplanationStep {
  const { request } = matched;
  const { resource, matchResources, paramRef } = binding;
  const says = `${binding.kind} ${binding.name}`;
  const own = { says, by: { resource, field: ['metadata', 'name'] } };
  const matches =
    matchResources && explainMatch(matchResources, request, cluster, resource, ['spec', 'matchResources']);
  const ways = matches ?? [];
  if (ways.some(({ result }) => result !== 'passes')) return { ...own, result: resultInOrder(ways), steps: ways };
  const by = { resource, field: ['spec', paramRef === undefined ? 'policyName' : 'paramRef'] };
  const ended = (result: StepResult, why: string): ExplanationStep => {
    return { ...own, result, steps: [...ways, { result, says: why, by }] };
  };
  const collected = collectParams(paramKind?.gvk, paramRef, request.namespace, cluster);
  if ('error' in collected) return ended('error', collected.error);
  if ('unknown' in collected) return ended('unknown', `${collected.unknown}: not in the repository`);
  if (collected.params.length === 0) {
    return ended('stops', 'no params found, and parameterNotFoundAction is not Deny');
  }
  const judged = collected.params.map((param): ExplanationStep => {
    const steps = judge(binding, param, matched);
    const named = param === undefined ? 'without a param' : `param ${paramText(param)}`;
    return { result: resultInOrder(steps), says: named, by, steps };
  });
  const [only] = collected.params;
  const inner = collected.params.length === 1 && only === undefined ? (judged[0]?.steps ?? []) : judged;
  return { ...own, result: resultOfAny(judged), steps: [...ways, ...inner] };
}

function paramText({ resource }: StoredObject): string {
  const { kind } = resource.gvk;
  return resource.namespace === '' ? `${kind} ${resource.name}` : `${kind} ${resource.namespace}/${resource.name}`;
}
