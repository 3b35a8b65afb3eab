// Collects the failures of a request's mutating policies and builds the answer.

import { formatApiVersion, type GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import type { AdmissionOutcome, Denial, OpenQuestion } from '../../language/policy-language.ts';
import { assumedContent, assumedLabels } from '../generic/assumed-namespaces.ts';
import { KeptEvaluations } from '../generic/kept-evaluations.ts';
import { missingParams } from '../generic/params.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import { type FailureSource, failureText, type PolicyFailure, rejection } from './rejection.ts';

export class MutatingOutcomeBuilder {
  readonly #request: AdmissionRequest;
  readonly #matched = new Set<PolicyIdentity>();
  readonly #failures: PolicyFailure[] = [];
  readonly #unknowns = new Set<string>();
  readonly #openQuestions = new Map<string, OpenQuestion>();
  #passed = 0;
  #fault: { readonly denial: Denial; readonly source: FailureSource } | undefined;
  #exhausted: MutatingPolicy | undefined;

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  /** True if a failure is not ignored by its failurePolicy. */
  get isRejected(): boolean {
    return this.#counting().length > 0;
  }

  /** True if anything failed, ignored or not. */
  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  matched(policy: PolicyIdentity): void {
    this.#matched.add(policy);
  }

  succeeded(): void {
    this.#passed += 1;
  }

  failure(failure: PolicyFailure): void {
    this.#failures.push(failure);
  }

  configurationError(
    policy: MutatingPolicy,
    binding: MutatingBinding | undefined,
    error: string,
    rule: FieldPath,
  ): void {
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error}`;
    this.failure({ policy, binding, param: undefined, message, reason: 'Forbidden', rule, expression: undefined });
  }

  /** Ends the request at once, regardless of failurePolicy. */
  fault(denial: Denial, source: FailureSource): void {
    this.#fault = { denial, source };
  }

  /** True if the request ended before all policies ran. */
  get isFaulted(): boolean {
    return this.#fault !== undefined;
  }

  get isExhausted(): boolean {
    return this.#exhausted !== undefined;
  }

  exhausted(policy: MutatingPolicy): void {
    this.#exhausted = policy;
  }

  unknown(sentence: string): void {
    this.#unknowns.add(sentence);
  }

  assumedLabels(
    policy: MutatingPolicy,
    bindings: readonly MutatingBinding[],
    request: AdmissionRequest,
    cluster: Cluster,
  ): void {
    this.#open(policy, assumedLabels(policy, bindings, request, cluster));
  }

  assumedContent(policy: MutatingPolicy, namespace: string, cluster: Cluster): void {
    this.#open(policy, assumedContent(policy, namespace, cluster));
  }

  missingParams(policy: MutatingPolicy, binding: MutatingBinding, missing: string): void {
    this.#open(policy, missingParams(policy, binding, missing));
  }

  openQuestion(policy: MutatingPolicy, question: string): void {
    this.#open(policy, `${policy.name} changes objects depending on ${question}`);
  }

  /** Later policies may see another object, and a failed mutation would reject the request. */
  #open({ name }: MutatingPolicy, sentence: string): void {
    this.unknown(sentence);
    this.#openQuestions.set(sentence, { sentence, policy: name, actions: ['Deny'] });
  }

  unknownKind(policy: MutatingPolicy, { group, version, kind }: GroupVersionKind): void {
    const name = `${formatApiVersion(group, version)} ${kind}`;
    this.unknown(
      `${policy.name} changes ${name} objects, whose schema is not in the repository, so how the server merges their lists is unknown`,
    );
  }

  build(exempt: boolean): AdmissionOutcome {
    const kept = new KeptEvaluations();
    if (this.#exhausted !== undefined) {
      const evaluation = givenUp(this.#exhausted);
      kept.add(evaluation, () => evaluation);
    }
    if (this.#fault !== undefined) {
      const evaluation = faultOf(this.#fault.denial, this.#fault.source);
      kept.add(evaluation, () => evaluation);
    }
    for (const failure of this.#failures) {
      const evaluation = this.#evaluation(failure);
      kept.add(evaluation, () => evaluation);
    }
    return {
      exempt,
      matched: [...this.#matched],
      evaluations: kept.evaluations,
      omitted: kept.omitted(),
      passed: this.#passed,
      denial: this.#fault?.denial ?? rejection(this.#request, this.#counting()),
      warnings: [],
      auditAnnotations: new Map(),
      unknowns: [...this.#unknowns],
      ...(this.#openQuestions.size > 0 && { open: [...this.#openQuestions.values()] }),
    };
  }

  #counting(): readonly PolicyFailure[] {
    return this.#failures.filter(({ policy }) => policy.failurePolicy === 'Fail');
  }

  #evaluation(failure: PolicyFailure): Evaluation {
    const { policy, binding, param, rule, expression, message, reason } = failure;
    return {
      policy,
      binding,
      param,
      result: 'error',
      missing: [],
      action: policy.failurePolicy === 'Fail' ? 'deny' : 'admit',
      validationActions: ['Deny'],
      rule,
      expression,
      message,
      reason,
      code: 403,
      serverMessage: failureText(failure),
      ...(expression !== undefined && { isMutation: true }),
      explain: () => failure.explain?.() ?? [],
    };
  }
}

/** Uses the server's message as the policy's. */
function faultOf({ message, reason, code }: Denial, source: FailureSource): Evaluation {
  return {
    policy: source.policy,
    binding: source.binding,
    param: source.param,
    result: 'error',
    missing: [],
    action: 'deny',
    validationActions: ['Deny'],
    rule: source.rule,
    expression: source.expression,
    message,
    reason,
    code,
    serverMessage: message,
    isMutation: true,
    explain: () => source.explain?.() ?? [],
  };
}

/** Policies then evaluate the unmodified object, because the result of the mutations is unknown. */
function givenUp(policy: MutatingPolicy): Evaluation {
  const message = 'the mutations of one request exceed the limit of 10,000,000 cost units';
  return {
    policy,
    binding: undefined,
    param: undefined,
    result: 'unknown',
    missing: ['the result of the mutating policies'],
    isUnfinished: true,
    action: 'deny',
    validationActions: ['Deny'],
    rule: ['spec', 'mutations'],
    expression: undefined,
    message,
    reason: 'Invalid',
    code: 403,
    serverMessage: message,
    explain: () => [],
  };
}
