// Collects the rule responses for one request and builds the webhook's answer (`pkg/utils/engine`, `pkg/webhooks/utils`).
import type { Read } from '../../../cel/value/trace.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PolicyIdentity, ValidationAction } from '../../language/policy.ts';
import type { AdmissionOutcome, Denial, ExceptionUse, RecordedDecision } from '../../language/policy-language.ts';
import type { MatchAnswer } from '../matching/match-answer.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { type RuleResponse, responseUnder } from '../rule/rule-response.ts';
import { mentionsVariables } from '../validate/substituted.ts';
import type { ClassicPolicy } from './classic-policy.ts';
import type { DenialWriter, FailedRule } from './denial-text.ts';

interface Failed {
  readonly policy: ClassicPolicy;
  readonly response: RuleResponse;
  readonly blocks: boolean;
  readonly warns: boolean;
  readonly result: Evaluation['result'];
  /** Undefined: use the outcome's own `#explain`. */
  readonly explain: (() => readonly Read[]) | undefined;
}

export class ClassicOutcome {
  readonly #request: AdmissionRequest;
  readonly #record: ((decision: RecordedDecision) => void) | undefined;
  readonly #writer: DenialWriter;
  readonly #explain: (policy: ClassicPolicy, response: RuleResponse) => readonly Read[];
  readonly #matched = new Set<PolicyIdentity>();
  readonly #failed: Failed[] = [];
  readonly #warnings: string[] = [];
  readonly #exempted: ExceptionUse[] = [];
  #passed = 0;
  #mutationDenial: string | undefined;

  constructor(
    request: AdmissionRequest,
    writer: DenialWriter,
    record?: (decision: RecordedDecision) => void,
    explain: (policy: ClassicPolicy, response: RuleResponse) => readonly Read[] = () => [],
  ) {
    this.#request = request;
    this.#writer = writer;
    this.#record = record;
    this.#explain = explain;
  }

  add(policy: ClassicPolicy, responses: readonly RuleResponse[], context: PolicyContext): void {
    this.#match(policy);
    for (let index = 0; index < responses.length; index++) {
      const given = responses[index] as RuleResponse;
      if (given.status !== 'fail' && given.status !== 'error' && given.status !== 'unknown') {
        if (given.status === 'pass') this.#passed++;
        this.#addResponse(policy, index, given, false);
        continue;
      }
      const { compiled } = policy;
      const blocking = isBlocking(policy, given, context);
      const response = responseUnder(given, blocking);
      const { status, rule, message } = response;
      const blocks = blocking !== false;
      this.#addResponse(policy, index, response, blocks);
      const warns = status !== 'unknown' && compiled.spec.get('emitWarning') === true;
      if (warns) this.#warnings.push(`policy ${compiled.name}.${rule}: ${message}`);
      const result = status === 'fail' || status === 'error' ? status : 'unknown';
      this.#failed.push({ policy, response, blocks, warns, result, explain: undefined });
    }
  }

  /** Adds a failure that an exception suppresses. */
  addExempted(
    policy: ClassicPolicy,
    response: RuleResponse,
    exception: Resource,
    context: PolicyContext,
    explain: () => readonly Read[],
  ): void {
    const blocks = isBlocking(policy, response, context) !== false;
    const result = response.status === 'fail' ? 'fail' : 'error';
    const failed: Failed = { policy, response, blocks, warns: false, result, explain };
    this.#exempted.push({ evaluation: this.#evaluation(failed, undefined), exception, until: undefined });
  }

  /** Adds rules that apply after admission. They deny nothing. */
  addBackground(policy: ClassicPolicy, responses: readonly RuleResponse[]): void {
    this.#match(policy);
    for (const [index, response] of responses.entries()) this.#addResponse(policy, index, response, false);
    this.#passed += responses.length;
  }

  /** Adds failed mutate rules. Returns true if the request is denied because of them. */
  addMutation(policy: ClassicPolicy, responses: readonly RuleResponse[], explain: () => readonly Read[]): boolean {
    this.#match(policy);
    const blocks = policy.rules.failsOnError;
    for (const [index, response] of responses.entries()) {
      this.#addResponse(policy, index, response, blocks);
      const result = response.status === 'unknown' ? 'unknown' : 'error';
      this.#failed.push({ policy, response, blocks, warns: false, result, explain });
    }
    const errors = responses.filter(({ status }) => status === 'error');
    if (!blocks || errors.length === 0) return false;
    const rules = errors.map(({ rule, message }) => `${rule}: ${message}`).join(' ');
    const text = `failed to apply policy ${policy.compiled.name} rules [${rules}]`;
    this.#mutationDenial = `admission webhook "mutate.kyverno.svc-fail" denied the request: ${text}`;
    return true;
  }

  /** Kyverno crashes. The server sees only a webhook that does not answer. */
  panic(policy: ClassicPolicy, problem: string): void {
    this.#policyProblem(policy, 'error', `Kyverno crashes while it evaluates this policy: ${problem}`);
  }

  /** The server cannot decide whether to call Kyverno. */
  webhookError(policy: ClassicPolicy, problem: string): void {
    this.#policyProblem(policy, 'error', problem);
  }

  webhookUnknown(policy: ClassicPolicy, missing: string): void {
    this.#policyProblem(policy, 'unknown', missing);
  }

  #policyProblem(policy: ClassicPolicy, status: 'error' | 'unknown', message: string): void {
    this.#match(policy);
    const response: RuleResponse = { rule: '', type: 'Validation', status, message };
    const blocks = policy.rules.failsOnError;
    this.#addResponse(policy, 0, response, blocks);
    this.#failed.push({ policy, response, blocks, warns: false, result: status, explain: () => [] });
  }

  #match({ identity }: ClassicPolicy): void {
    this.#matched.add(identity);
  }

  #addResponse({ identity }: ClassicPolicy, index: number, response: RuleResponse, denies: boolean): void {
    if (this.#record === undefined) return;
    const { status, message, computed } = response;
    const evaluation = status === 'fail' ? 'deny' : status === 'error' || status === 'unknown' ? status : 'admit';
    this.#record({
      policy: identity,
      binding: undefined,
      param: undefined,
      rule: computed === undefined ? [] : ['spec', 'rules', computed.index],
      index,
      action: denies ? 'deny' : 'admit',
      evaluation,
      reason: '',
      message,
    });
  }

  build(exempt: boolean): AdmissionOutcome {
    const text = this.#denialText();
    return {
      exempt,
      matched: [...this.#matched],
      evaluations: this.#failed.map((failed) => this.#evaluation(failed, text)),
      omitted: [],
      passed: this.#passed,
      denial: text === undefined ? undefined : this.#denial(text),
      warnings: this.#warnings,
      auditAnnotations: new Map(),
      unknowns: [],
      ...(this.#exempted.length > 0 && { exceptions: this.#exempted }),
    };
  }

  /** Policies that fail on errors have their own webhook. The server reports its answer first. */
  #denialText(): string | undefined {
    if (this.#mutationDenial !== undefined) return this.#mutationDenial;
    if (!this.#failed.some(({ blocks }) => blocks)) return undefined;
    for (const isFail of [true, false]) {
      const failures: FailedRule[] = [];
      let isBlocked = false;
      for (const { policy, response, blocks, result } of this.#failed) {
        if (result === 'unknown' || policy.rules.failsOnError !== isFail) continue;
        isBlocked ||= blocks;
        failures.push({ policy: policy.compiled.name, rule: response.rule, message: response.message });
      }
      if (!isBlocked) continue;
      const webhook = `validate.kyverno.svc-${isFail ? 'fail' : 'ignore'}`;
      const object = this.#request.object ?? this.#request.oldObject ?? new Map();
      return `admission webhook "${webhook}" denied the request: ${this.#writer.write(object, failures)}`;
    }
    return undefined;
  }

  #denial(message: string): Denial {
    const { name, resource } = this.#request;
    return {
      message,
      reason: '',
      code: 400,
      details: { name, group: resource.group, kind: resource.resource, cause: '' },
    };
  }

  #evaluation({ policy, response, blocks, warns, result, explain }: Failed, text: string | undefined): Evaluation {
    const actions: ValidationAction[] = [blocks ? 'Deny' : 'Audit'];
    if (warns) actions.push('Warn');
    const warning = `policy ${policy.compiled.name}.${response.rule}: ${response.message}`;
    const said = blocks && text !== undefined ? text : warns ? warning : response.message;
    return {
      policy: policy.identity,
      binding: undefined,
      param: undefined,
      result,
      missing: result === 'unknown' ? [response.message] : [],
      action: 'deny',
      validationActions: actions,
      rule: policy.rules.field(response),
      expression: undefined,
      isOfObject: true,
      message: result === 'unknown' ? ruleText(response) : response.message,
      reason: 'Invalid',
      code: 400,
      serverMessage: said,
      explain: explain ?? (() => this.#explain(policy, response)),
    };
  }
}

function isBlocking({ rules }: ClassicPolicy, { status, computed }: RuleResponse, context: PolicyContext): MatchAnswer {
  if (status === 'error') return rules.failsOnError;
  const { request } = context;
  const metadata = objectOrEmpty(objectOrEmpty(request.object ?? request.oldObject ?? undefined).get('metadata'));
  return rules.isEnforced(computed, textField(metadata, 'namespace'), context);
}

/** The rule's description by its author. */
function ruleText({ rule, computed }: RuleResponse): string {
  const text = textField(objectOrEmpty(computed?.value.get('validate')), 'message');
  return text === '' || mentionsVariables(text) ? `rule ${rule}` : text;
}
