// Evaluates all policies and bindings for one request, like the ValidatingAdmissionPolicy plugin (apiserver `validating/dispatcher.go`).

import type { StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import type {
  AdmissionRequest,
  InventedFields,
  MatchedRequest,
} from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import type { AdmissionOutcome, RecordedDecision } from '../../language/policy-language.ts';
import { ruleMatches } from '../../matching/rule-matcher.ts';
import type { DispatchContext } from '../generic/admission-steps.ts';
import { assumedContent, assumedLabels } from '../generic/assumed-namespaces.ts';
import { assumedUser } from '../generic/assumed-user.ts';
import { DispatchedRequest } from '../generic/dispatched-request.ts';
import { isExempt } from '../generic/exempt-resources.ts';
import type { Hook } from '../generic/hook-index.ts';
import { collectParams, missingParams } from '../generic/params.ts';
import { type PossibleResults, withEveryAnswer } from '../generic/possible-answers.ts';
import { convertRequest } from '../generic/versioned-request.ts';
import { AuditAnnotationCollector } from './audit-annotations.ts';
import type { Decision, ValidateResult } from './decision.ts';
import { mergeResults } from './merge-results.ts';
import { OutcomeBuilder } from './outcome-builder.ts';
import { fieldsToLeaveOpen, leaveOpen } from './unseen-fields.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';
import type { Validator } from './validator.ts';

type PolicyHook = Hook<ValidatingPolicy, ValidatingBinding, Validator>;

export type ValidatingContext = DispatchContext<ValidatingPolicy, ValidatingBinding, Validator>;

export function dispatch(
  request: AdmissionRequest,
  context: ValidatingContext,
  record?: (decision: RecordedDecision) => void,
): AdmissionOutcome {
  const outcome = new OutcomeBuilder(request, context.cluster.version, record);
  const exempt = isExempt(request.resource);
  if (exempt) return outcome.build(exempt);
  const dispatched = new DispatchedRequest(request, context.namespaces, context.paths, context.cluster);
  for (const hook of context.index.hooksFor(request)) dispatchPolicy(hook, dispatched, context, outcome);
  return outcome.build(exempt);
}

function dispatchPolicy(
  hook: PolicyHook,
  dispatched: DispatchedRequest,
  context: ValidatingContext,
  outcome: OutcomeBuilder,
): void {
  const { policy } = hook;
  const { request } = dispatched;
  const match =
    policy.matchConstraints === undefined
      ? { error: 'policy contained no match constraints, a required field', isAssumed: false }
      : dispatched.match(policy.matchConstraints);
  if (hook.refusal.isRefused()) {
    const isConcerned = !('error' in match) && match.matches;
    if (isConcerned && hook.bindings.some((binding) => dispatched.mayApply(binding))) {
      hook.refusal.concern(request);
      outcome.matched(policy);
    }
    return;
  }
  const applying = match.isAssumed ? hook.bindings.filter((binding) => dispatched.mayApply(binding)) : [];
  if (applying.length > 0) {
    // Bindings that apply under any labels produce a result anyway.
    const isUnasked = 'error' in match || !match.matches;
    const open = isUnasked ? failingIfAsked(hook, applying, dispatched, context, outcome) : [];
    const sentence = (): string => assumedLabels(policy, hook.bindings, request, context.cluster);
    if (!isUnasked || open.length > 0) outcome.unknown(sentence(), open);
  }
  if ('error' in match) {
    outcome.configurationError(policy, undefined, match.error, ['spec', 'matchConstraints']);
    return;
  }
  if (!match.matches) return;
  if (hook.paramKind.error !== undefined) {
    outcome.configurationError(policy, undefined, hook.paramKind.error, ['spec', 'paramKind']);
    return;
  }
  // Skips early: most policies with bindings for a few Namespaces end here.
  if (!mayApply(hook.bindings, dispatched)) return;
  const { matchedKind, matchedResource } = match;
  const matched = { request, matchedKind, matchedResource };
  const dispatcher = new BindingDispatcher(hook, dispatched, matched, context, outcome);
  for (const binding of hook.bindings) dispatcher.dispatch(binding);
  dispatcher.publish();
}

/** The bindings that may produce a result other than a pass, if the policy matches. */
function failingIfAsked(
  hook: PolicyHook,
  bindings: readonly ValidatingBinding[],
  dispatched: DispatchedRequest,
  context: ValidatingContext,
  outcome: OutcomeBuilder,
): readonly ValidatingBinding[] {
  const { request } = dispatched;
  const rules = hook.policy.matchConstraints?.resourceRules ?? [];
  // Another version than the request's needs a conversion.
  if (hook.paramKind.error !== undefined || !rules.some((rule) => ruleMatches(rule, request.resource, request))) {
    return bindings;
  }
  const matched = { request, matchedKind: request.kind, matchedResource: request.resource };
  const dispatcher = new BindingDispatcher(hook, dispatched, matched, context, outcome);
  return bindings.filter((binding) => !dispatcher.passesIfAsked(binding));
}

function mayApply(bindings: readonly ValidatingBinding[], dispatched: DispatchedRequest): boolean {
  for (const binding of bindings) if (dispatched.mayApply(binding)) return true;
  return false;
}

interface Answer {
  readonly result: ValidateResult;
  /** Open authorizer checks that affect the result. */
  readonly questions: readonly string[];
  /** True if the policy admits the request only because of the assumed user. */
  readonly isForUser?: boolean;
}

const NO_QUESTIONS: readonly string[] = [];
const NO_FIELDS: readonly FieldPath[] = [];

/** For policies whose expressions do not use the authorizer. */
function neverAsked(): never {
  throw new Error('an expression calls the authorizer without naming it');
}

/** The bindings of one policy for one matched request. */
class BindingDispatcher {
  readonly #hook: PolicyHook;
  readonly #dispatched: DispatchedRequest;
  readonly #matched: MatchedRequest;
  readonly #context: ValidatingContext;
  readonly #outcome: OutcomeBuilder;
  readonly #annotations: AuditAnnotationCollector | undefined;
  /** The request with its objects in the matched version. Converted for the first binding that needs it. */
  #converted: MatchedRequest | { readonly unknown: string } | undefined;
  /** Results by params: a policy's result does not depend on the binding. */
  #answers: Map<JsonObject | null, Answer> | undefined;
  /** Fields with server-side values that the policy may read. */
  #inventedRead: readonly FieldPath[] | undefined;
  /** Cached: the sentence is the same for all bindings. */
  #assumption: string | undefined;

  constructor(
    hook: PolicyHook,
    dispatched: DispatchedRequest,
    matched: MatchedRequest,
    context: ValidatingContext,
    outcome: OutcomeBuilder,
  ) {
    this.#hook = hook;
    this.#dispatched = dispatched;
    this.#matched = matched;
    this.#context = context;
    this.#outcome = outcome;
    this.#annotations = hook.policy.auditAnnotations.length > 0 ? new AuditAnnotationCollector() : undefined;
  }

  dispatch(binding: ValidatingBinding): void {
    const { policy, bindings, paramKind } = this.#hook;
    const { request } = this.#matched;
    const { cluster } = this.#context;
    const match = this.#dispatched.matchBinding(binding);
    if (match.isAssumed) {
      const isAsked = !('error' in match) && match.matches;
      if (isAsked || !this.passesIfAsked(binding)) {
        this.#assumption ??= assumedLabels(policy, bindings, request, cluster);
        this.#outcome.unknown(this.#assumption, isAsked ? [] : [binding]);
      }
    }
    if ('error' in match) {
      this.#outcome.configurationError(policy, binding, match.error, ['spec', 'matchConstraints']);
      return;
    }
    if (!match.matches) return;
    this.#outcome.matched(policy);
    if (paramKind.assumption !== undefined) this.#outcome.unknown(paramKind.assumption);
    const collected = collectParams(paramKind.gvk, binding.paramRef, request.namespace, cluster);
    if ('error' in collected) {
      this.#outcome.configurationError(policy, binding, collected.error, ['spec', 'paramKind']);
    } else if ('unknown' in collected) {
      this.#outcome.unknown(missingParams(policy, binding, collected.unknown), [binding]);
    } else if (collected.params.length > 0) this.#evaluate(binding, collected.params);
  }

  /** True if a binding that may not apply changes nothing, because the policy passes. */
  passesIfAsked(binding: ValidatingBinding): boolean {
    const { paramKind, runner } = this.#hook;
    const { cluster } = this.#context;
    if (paramKind.assumption !== undefined || runner().readsAuthorizer) return false;
    if (binding.paramRef !== undefined && this.#matched.request.isNamespaceAssumed === true) return false;
    if (this.#dispatched.namespace?.isAssumed === true && runner().readsNamespace) return false;
    const collected = collectParams(paramKind.gvk, binding.paramRef, this.#matched.request.namespace, cluster);
    if (!('params' in collected)) return false;
    this.#converted ??= convertRequest(this.#matched, cluster);
    const matched = this.#converted;
    if ('unknown' in matched) return false;
    return collected.params.every((param) => this.#validate(binding, matched, param?.object ?? null).passes);
  }

  publish(): void {
    this.#annotations?.publish(this.#hook.policy.name, this.#outcome.auditAnnotations);
  }

  #evaluate(binding: ValidatingBinding, params: readonly (StoredObject | undefined)[]): void {
    const { policy, runner } = this.#hook;
    const { namespace } = this.#dispatched;
    if (this.#converted === undefined) {
      this.#converted = convertRequest(this.#matched, this.#context.cluster);
      if ('unknown' in this.#converted) this.#outcome.undecided(policy, this.#converted.unknown);
    }
    if ('unknown' in this.#converted) return;
    for (const param of params) {
      const result = this.#validate(binding, this.#converted, param?.object ?? null);
      if (!result.skipped && namespace?.isAssumed && runner().readsNamespace) {
        this.#outcome.unknown(assumedContent(policy, this.#matched.request.namespace, this.#context.cluster), [
          binding,
        ]);
      }
      if (result.passes && !this.#outcome.isRecording) {
        this.#outcome.passes(result.decisions.length);
        continue;
      }
      const speaker = { policy, binding, param: param?.resource };
      const { decisions } = result;
      for (let index = 0; index < decisions.length; index++) {
        const decision = decisions[index] as Decision;
        this.#outcome.decision(speaker, expressionIndex(decision), decision);
      }
      if (result.auditAnnotations.length === 0) continue;
      for (const annotation of result.auditAnnotations) {
        if (annotation.action === 'publish') this.#annotations?.add(annotation.key, annotation.value);
        else if (annotation.action === 'error') this.#outcome.auditAnnotationError(speaker, annotation);
      }
    }
  }

  #validate(binding: ValidatingBinding, matched: MatchedRequest, params: JsonObject | null): ValidateResult {
    const { policy, bindings } = this.#hook;
    const answer = this.#answers?.get(params) ?? this.#ask(matched, params);
    if (bindings.length > 1) this.#answers = (this.#answers ?? new Map()).set(params, answer);
    if (answer.questions.length > 0) {
      for (const question of answer.questions)
        this.#outcome.unknown(`${policy.name} with binding ${binding.name} checks with the authorizer ${question}`);
    }
    if (answer.isForUser === true) this.#outcome.unknown(assumedUser(policy, matched.request.userInfo));
    return answer.result;
  }

  /** With the answer for other users, if the configuration names none. */
  #ask(matched: MatchedRequest, params: JsonObject | null): Answer {
    const answer = this.#askUser(matched, params);
    const { userInfo } = matched.request;
    if (userInfo.assumed !== true || this.#context.cluster.isComplete) return answer;
    const { namespace } = this.#dispatched;
    const isForUser = this.#hook.runner().admitsOnlyUser(matched, params, namespace, answer.result);
    return isForUser ? { ...answer, isForUser } : answer;
  }

  #askUser(matched: MatchedRequest, params: JsonObject | null): Answer {
    const { invented } = this.#matched.request;
    const { unseen = NO_FIELDS } = invented ?? {};
    const open = unseen.length === 0 ? unseen : fieldsToLeaveOpen(this.#hook.runner().reads, unseen);
    const answer = this.#askPossible(matched, params, open);
    if (open.length === 0) return answer;
    const plain = () => this.#askPossible(matched, params, NO_FIELDS).result;
    const reasons = new Map(open.map((path) => [formatFieldPath(path), path]));
    const reasonOf = (field: string) => {
      const path = reasons.get(field);
      return path && invented?.reasonOf?.(path);
    };
    return { ...answer, result: leaveOpen(answer.result, plain, reasonOf) };
  }

  #askPossible(matched: MatchedRequest, params: JsonObject | null, open: readonly FieldPath[]): Answer {
    const validator = this.#hook.runner();
    const { invented } = this.#matched.request;
    this.#inventedRead ??= validator.reads.among(this.#dispatched.inventedPaths);
    const read = this.#inventedRead;
    // The common case.
    if ((invented === undefined || read.length === 0) && !validator.readsAuthorizer) {
      const result = validator.validate(matched, params, this.#dispatched.namespace, neverAsked, open);
      return { result, questions: NO_QUESTIONS };
    }
    return this.#askEveryPossible(validator, matched, params, open, read);
  }

  #askEveryPossible(
    validator: Validator,
    matched: MatchedRequest,
    params: JsonObject | null,
    open: readonly FieldPath[],
    read: readonly FieldPath[],
  ): Answer {
    const { namespace } = this.#dispatched;
    const { invented } = this.#matched.request;
    const { authorizer } = this.#context;
    if (invented === undefined || read.length === 0) {
      const possible = withEveryAnswer(authorizer, (authorization) =>
        validator.validate(matched, params, namespace, authorization, open),
      );
      const [only] = possible.results;
      if (only !== undefined && possible.results.length === 1) return { result: only, questions: NO_QUESTIONS };
      return merge([possible], () => []);
    }
    const ask = (request: MatchedRequest): PossibleResults<ValidateResult> =>
      withEveryAnswer(authorizer, (authorization) =>
        validator.validate(request, params, namespace, authorization, open),
      );
    return merge(this.#possibleRequests(invented).map(ask), ({ rule }) => {
      const deciding = read.filter((path) => validator.reads.ruleMayRead(rule, path));
      const names = [...new Set(deciding.map(formatFieldPath))];
      return names.length === 0 ? [] : [`${names.join(', ')}, which only the server knows`];
    });
  }

  /** In the matched version. Objects that cannot be converted are already decided. */
  #possibleRequests({ possible }: InventedFields): readonly MatchedRequest[] {
    const { request } = this.#matched;
    return possible().flatMap((objects) => {
      const converted = convertRequest(
        { ...this.#matched, request: { ...request, ...objects } },
        this.#context.cluster,
      );
      return 'unknown' in converted ? [] : [converted];
    });
  }
}

/** Index in the server's list of decisions: the validation's index, or 0 if one error replaced the list. */
function expressionIndex({ rule: [, list, index] }: Decision): number {
  return list === 'validations' && typeof index === 'number' ? index : 0;
}

/** `possible`: results for each object that the server may hold. `missing` names the fields in which they differ. */
function merge(
  possible: readonly PossibleResults<ValidateResult>[],
  missing: (decision: Decision) => readonly string[],
): Answer {
  const questions = [...new Set(possible.flatMap((each) => each.missing))];
  const { result, isSettled } = mergeResults({
    results: possible.flatMap(({ results }) => results),
    missing: questions,
    isExhaustive: possible.every(({ isExhaustive }) => isExhaustive),
  });
  if (isSettled) return { result, questions: [] };
  const decisions = result.decisions.map((decision) =>
    decision.evaluation === 'unknown' && decision.dependsOn === undefined
      ? { ...decision, missing: [...questions, ...missing(decision)] }
      : decision,
  );
  return { result: { ...result, decisions }, questions };
}
