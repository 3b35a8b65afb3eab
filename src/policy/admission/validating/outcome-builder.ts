// Collects the policy results of one request and builds the server's answer.

import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PolicyIdentity, ValidationAction } from '../../language/policy.ts';
import type { AdmissionOutcome, Denial, OpenQuestion, RecordedDecision } from '../../language/policy-language.ts';
import { KeptEvaluations } from '../generic/kept-evaluations.ts';
import { codeForReason, denial, denialCause, warningText } from '../generic/server-message.ts';
import { sentWarnings } from '../generic/warning-recorder.ts';
import { ValidationFailures } from './audit-annotations.ts';
import type { AuditAnnotationDecision, Decision } from './decision.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';

export interface Speaker {
  readonly policy: ValidatingPolicy;
  /** Absent when the policy itself is misconfigured. */
  readonly binding: ValidatingBinding | undefined;
  readonly param: Resource | undefined;
}

export class OutcomeBuilder {
  readonly auditAnnotations = new Map<string, string>();
  readonly #validationFailures: ValidationFailures;
  readonly #request: AdmissionRequest;
  readonly #record: ((decision: RecordedDecision) => void) | undefined;
  readonly #matched: PolicyIdentity[] = [];
  readonly #kept = new KeptEvaluations();
  readonly #warnings: string[] = [];
  readonly #unknowns = new Set<string>();
  readonly #open = new Map<string, OpenQuestion>();
  #passed = 0;
  #denial: Denial | undefined;

  constructor(request: AdmissionRequest, version: KubernetesVersion, record?: (decision: RecordedDecision) => void) {
    this.#request = request;
    this.#validationFailures = new ValidationFailures(this.auditAnnotations, version);
    this.#record = record;
  }

  build(exempt: boolean): AdmissionOutcome {
    this.#validationFailures.close();
    return {
      exempt,
      matched: this.#matched,
      evaluations: this.#kept.evaluations,
      omitted: this.#kept.omitted(),
      passed: this.#passed,
      denial: this.#denial,
      warnings: sentWarnings(this.#warnings),
      auditAnnotations: this.auditAnnotations,
      unknowns: [...this.#unknowns],
      ...(this.#open.size > 0 && { open: [...this.#open.values()] }),
    };
  }

  /** True if the caller records every decision, including passes. */
  get isRecording(): boolean {
    return this.#record !== undefined;
  }

  passes(decisions: number): void {
    this.#passed += decisions;
  }

  matched(policy: PolicyIdentity): void {
    if (this.#matched.at(-1) !== policy) this.#matched.push(policy);
  }

  /** Adds a sentence about an unknown fact. `open`: the bindings whose result depends on it. */
  unknown(sentence: string, open: readonly ValidatingBinding[] = []): void {
    this.#unknowns.add(sentence);
    if (open.length === 0) return;
    const earlier = this.#open.get(sentence)?.actions ?? [];
    const actions = [...new Set([...earlier, ...open.flatMap(({ validationActions }) => validationActions)])];
    this.#open.set(sentence, { sentence, actions, ...(open[0] && { policy: open[0].policyName }) });
  }

  /** Follows failurePolicy only: with a Warn or Audit binding, the error denies too. */
  configurationError(
    policy: ValidatingPolicy,
    binding: ValidatingBinding | undefined,
    error: string,
    rule: FieldPath,
  ): void {
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error}`;
    const action = policy.failurePolicy === 'Fail' ? 'deny' : 'admit';
    const speaker = { policy, binding, param: undefined };
    const evaluation = this.#addError(this.#evaluation(speaker, action, message, rule, undefined), speaker);
    this.#recordWhole(evaluation, 'error');
  }

  /** Under failurePolicy Fail, an audit annotation that cannot be evaluated denies, regardless of validationActions. */
  auditAnnotationError(speaker: Speaker, annotation: AuditAnnotationDecision): void {
    const { error, rule, expression } = annotation;
    const evaluation = this.#evaluation(speaker, 'deny', error, rule, expression);
    this.#addError({ ...evaluation, explain: () => annotation.explain() }, speaker);
  }

  /** Nothing was evaluated: the missing fact decides the policy's input. */
  undecided(policy: ValidatingPolicy, missing: string): void {
    const speaker = { policy, binding: undefined, param: undefined };
    const rule = ['spec', 'matchConstraints'];
    const error = this.#evaluation(speaker, 'deny', 'not evaluated', rule, undefined);
    const evaluation: Evaluation = { ...error, result: 'unknown', missing: [missing] };
    this.#kept.add(evaluation, () => evaluation);
    this.#recordWhole(evaluation, 'unknown');
  }

  decision(speaker: Speaker & { readonly binding: ValidatingBinding }, index: number, decision: Decision): void {
    const { policy, binding, param } = speaker;
    const { action, evaluation } = decision;
    if (this.#record !== undefined) {
      const { rule, reason, message } = decision;
      this.#record({
        policy,
        binding,
        param,
        rule,
        index,
        action,
        evaluation,
        reason,
        message,
        ...(decision.missing && { missing: decision.missing }),
      });
    }
    if (evaluation === 'admit') {
      this.#passed += 1;
      return;
    }
    if (action === 'deny' && evaluation !== 'unknown') this.#act(policy, binding, index, decision);
    const result = evaluation === 'deny' ? 'fail' : evaluation;
    if (this.#kept.keeps(result, action, binding.validationActions)) {
      this.#kept.evaluations.push(this.#decided(speaker, result, decision));
    } else if (action === 'deny') this.#kept.omit(policy, result, binding.validationActions);
  }

  /** Sets every field explicitly: spread objects take ten times the memory, and there may be very many. */
  #decided(
    speaker: Speaker & { readonly binding: ValidatingBinding },
    result: Evaluation['result'],
    decision: Decision,
  ): Evaluation {
    const { policy, binding, param } = speaker;
    const reason = decision.reason === '' ? 'Invalid' : decision.reason;
    const evaluation: Evaluation = {
      policy,
      binding,
      param,
      result,
      action: decision.action,
      validationActions: binding.validationActions,
      missing: decision.missing ?? NOTHING,
      rule: decision.rule,
      expression: decision.expression,
      message: decision.message,
      reason,
      code: codeForReason(reason),
      serverMessage: this.#serverMessage(speaker, binding, decision),
      explain: () => decision.explain(),
    };
    return decision.isUnfinished === true ? { ...evaluation, isUnfinished: true } : evaluation;
  }

  #act(policy: ValidatingPolicy, binding: ValidatingBinding, index: number, decision: Decision): void {
    for (const action of binding.validationActions) {
      if (action === 'Deny') {
        this.#denial ??= denial(
          this.#request,
          denialCause(policy.name, binding.name, decision.message),
          decision.reason,
        );
      } else if (action === 'Warn')
        this.#warnings.push(warningText(binding.policyName, binding.name, decision.message));
      else this.#validationFailures.add(binding, index, decision);
    }
  }

  /** Adds an error that is independent of validationActions. */
  #addError(evaluation: Evaluation, speaker: Speaker): Evaluation {
    const { action, message } = evaluation;
    if (action === 'deny') this.#denial ??= denial(this.#request, this.#cause(speaker, message), '');
    this.#kept.add(evaluation, () => evaluation);
    return evaluation;
  }

  /** Records a result of a policy or binding as a whole, not of a single validation. */
  #recordWhole({ policy, binding, rule, action, message, missing }: Evaluation, evaluation: 'error' | 'unknown'): void {
    this.#record?.({
      policy,
      binding,
      param: undefined,
      rule,
      index: 0,
      action,
      evaluation,
      reason: '',
      message,
      missing,
    });
  }

  #evaluation(
    speaker: Speaker,
    action: 'admit' | 'deny',
    message: string,
    rule: FieldPath,
    expression: string | undefined,
  ): Evaluation {
    return {
      ...speaker,
      result: 'error',
      missing: [],
      action,
      validationActions: ['Deny'],
      rule,
      expression,
      message,
      reason: 'Invalid',
      code: codeForReason('Invalid'),
      serverMessage: denial(this.#request, this.#cause(speaker, message), '').message,
      explain: () => [],
    };
  }

  #cause({ policy, binding }: Speaker, message: string): string {
    return denialCause(policy.name, binding?.name, message);
  }

  #serverMessage(speaker: Speaker, binding: ValidatingBinding, { message, reason }: Decision): string {
    const actions: readonly ValidationAction[] = binding.validationActions;
    if (actions.includes('Deny')) return denial(this.#request, this.#cause(speaker, message), reason).message;
    // A warning that fits no header is lost, regardless of the policy.
    if (actions.includes('Warn'))
      return sentWarnings([warningText(speaker.policy.name, binding.name, message)])[0] ?? '';
    return message;
  }
}

const NOTHING: readonly string[] = [];
