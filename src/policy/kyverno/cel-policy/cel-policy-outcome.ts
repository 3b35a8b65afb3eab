// Collects the CEL policy responses for one request and builds the webhooks' answer (`pkg/webhooks/resource/{vpol,mpol}`).
import type { Read } from '../../../cel/value/trace.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { isJsonArray } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { Evaluation, EvaluationResult } from '../../evaluation/evaluation.ts';
import type { PolicyIdentity, ValidationAction } from '../../language/policy.ts';
import type { AdmissionOutcome, ExceptionUse, RecordedDecision } from '../../language/policy-language.ts';
import type { WrittenCelPolicy } from './cel-policy.ts';
import type { CelResponse } from './cel-response.ts';

export interface NamedCelPolicy {
  readonly identity: PolicyIdentity;
  readonly written: WrittenCelPolicy;
}

interface Failed {
  readonly policy: NamedCelPolicy;
  readonly response: CelResponse;
  readonly result: EvaluationResult;
  readonly actions: readonly ValidationAction[];
  readonly webhook: string;
  /** The webhook's text for the failure. */
  readonly said: string;
  /** What would settle an unknown result. */
  readonly missing?: readonly string[];
}

export class CelPolicyOutcome {
  readonly #request: AdmissionRequest;
  readonly #record: ((decision: RecordedDecision) => void) | undefined;
  readonly #matched = new Set<PolicyIdentity>();
  readonly #failed: Failed[] = [];
  readonly #warnings: string[] = [];
  readonly #exempted: ExceptionUse[] = [];
  #passed = 0;

  constructor(request: AdmissionRequest, record: ((decision: RecordedDecision) => void) | undefined) {
    this.#request = request;
    this.#record = record;
  }

  addValidation(policy: NamedCelPolicy, responses: readonly CelResponse[]): void {
    const actions = validationActions(policy.written);
    for (const [index, response] of responses.entries()) {
      const { status, message } = response;
      const isFailure = status === 'fail' || status === 'error';
      this.#addResponse(policy, index, response, isFailure && actions.includes('Deny'));
      if (status === 'pass') this.#passed++;
      if (!isFailure) continue;
      const said = `Policy ${policy.written.name} ${status === 'fail' ? 'failed' : 'error'}: ${message}`;
      if (actions.includes('Warn')) this.#warnings.push(said);
      const webhook = validatingWebhook(policy.written);
      this.#failed.push({ policy, response, result: status === 'fail' ? 'fail' : 'error', actions, webhook, said });
    }
  }

  /** Adds the policy's result without the exception. */
  addExempted(policy: NamedCelPolicy, response: CelResponse, exception: Resource, until: string | undefined): void {
    const actions = validationActions(policy.written);
    const result = response.status === 'fail' ? 'fail' : 'error';
    const failed: Failed = { policy, response, result, actions, webhook: '', said: response.message };
    this.#exempted.push({ evaluation: evaluationOf(failed, undefined), exception, until });
  }

  /** Adds failed mutations. They block unless failurePolicy is Ignore. Returns true if one blocks. */
  addMutation(policy: NamedCelPolicy, responses: readonly CelResponse[]): boolean {
    const blocks = textField(policy.written.spec, 'failurePolicy') !== 'Ignore';
    let isBlocked = false;
    for (const [index, response] of responses.entries()) {
      const isError = response.status === 'error';
      this.#addResponse(policy, index, response, isError && blocks);
      if (!isError) continue;
      const { name, namespace, kind } = this.#request;
      const errors = `[Policy ${policy.written.name}: ${response.message}]`;
      const said = `Resource: ${namespace}/${name}, Kind: ${kind.kind}, Errors: ${errors}`;
      const webhook = webhookName(policy.written, 'mpol.validate.kyverno.svc', 'nmpol.validate.kyverno.svc');
      this.#failed.push({ policy, response, result: 'error', actions: [blocks ? 'Deny' : 'Audit'], webhook, said });
      isBlocked ||= blocks;
    }
    return isBlocked;
  }

  /** Adds a policy whose result depends on something unknown. */
  addUnknown(policy: NamedCelPolicy, missing: string, reads: readonly Read[] = []): void {
    const message = 'one of its expressions may fail';
    const response: CelResponse = { rule: '', type: 'Validation', status: 'error', message, explain: () => reads };
    this.#match(policy);
    this.#record?.(decisionOf(policy, response, 0, 'deny', 'unknown'));
    this.#failed.push({
      policy,
      response,
      result: 'unknown',
      actions: validationActions(policy.written),
      webhook: '',
      said: message,
      missing: [missing],
    });
  }

  build(exempt: boolean): AdmissionOutcome {
    const denials = this.#denials();
    const [first] = denials.values();
    const { name, resource } = this.#request;
    const details = { name, group: resource.group, kind: resource.resource, cause: '' };
    return {
      exempt,
      matched: [...this.#matched],
      evaluations: this.#failed.map((failed) => evaluationOf(failed, denials.get(failed.webhook))),
      omitted: [],
      passed: this.#passed,
      denial: first === undefined ? undefined : { message: first, reason: '', code: 400, details },
      warnings: this.#warnings,
      auditAnnotations: new Map(),
      unknowns: [],
      ...(this.#exempted.length > 0 && { exceptions: this.#exempted }),
    };
  }

  /** The messages of the denying webhooks, by webhook name. */
  #denials(): ReadonlyMap<string, string> {
    const said = new Map<string, string[]>();
    for (const failed of this.#failed) {
      if (failed.result === 'unknown' || !failed.actions.includes('Deny')) continue;
      said.set(failed.webhook, [...(said.get(failed.webhook) ?? []), failed.said]);
    }
    return new Map(
      [...said].map(([webhook, texts]) => [
        webhook,
        `admission webhook "${webhook}" denied the request: ${texts.join('; ')}`,
      ]),
    );
  }

  /** Adds a policy that matches but has no result at admission. */
  addForeseen(policy: NamedCelPolicy): void {
    this.#match(policy);
  }

  #match({ identity }: NamedCelPolicy): void {
    this.#matched.add(identity);
  }

  #addResponse(policy: NamedCelPolicy, index: number, response: CelResponse, denies: boolean): void {
    this.#match(policy);
    const { status } = response;
    const evaluation = status === 'fail' ? 'deny' : status === 'error' ? 'error' : 'admit';
    this.#record?.(decisionOf(policy, response, index, denies ? 'deny' : 'admit', evaluation));
  }
}

function decisionOf(
  { identity }: NamedCelPolicy,
  { path = [], message }: CelResponse,
  index: number,
  action: RecordedDecision['action'],
  evaluation: RecordedDecision['evaluation'],
): RecordedDecision {
  const whole = { policy: identity, binding: undefined, param: undefined, rule: path, reason: '' };
  return { ...whole, index, action, evaluation, message };
}

function evaluationOf(
  { policy, response, result, actions, said, missing = [] }: Failed,
  denial: string | undefined,
): Evaluation {
  const { path = ['spec'], message, explain } = response;
  return {
    policy: policy.identity,
    binding: undefined,
    param: undefined,
    result,
    missing,
    action: 'deny',
    validationActions: actions,
    rule: path,
    expression: expressionAt(policy.written, path),
    message,
    reason: 'Invalid',
    code: 400,
    serverMessage: actions.includes('Deny') ? (denial ?? said) : said,
    explain: explain ?? (() => []),
  };
}

/** The expression as written, not as moved to a controller's template. */
function expressionAt(
  { spec }: WrittenCelPolicy,
  [, list, index, field]: readonly (string | number)[],
): string | undefined {
  if (typeof list !== 'string' || typeof index !== 'number') return undefined;
  const entry = objectItems(spec.get(list))[index] ?? new Map();
  const holder = field === 'jsonPatch' || field === 'applyConfiguration' ? objectOrEmpty(entry.get(field)) : entry;
  return textField(holder, 'expression') || undefined;
}

function validationActions({ spec }: WrittenCelPolicy): readonly ValidationAction[] {
  const written = spec.get('validationActions');
  if (!isJsonArray(written) || written.length === 0) return ['Deny'];
  return (['Deny', 'Warn', 'Audit'] as const).filter((action) => written.includes(action));
}

/** Only kinds that validate have actions. */
export function neverDenies(policy: WrittenCelPolicy): boolean {
  return policy.kind.endsWith('ValidatingPolicy') && !validationActions(policy).includes('Deny');
}

/** Namespaced image validating policies share the webhook name of the cluster-scoped ones. */
export function validatingWebhook(written: WrittenCelPolicy): string {
  if (written.kind.endsWith('ImageValidatingPolicy')) return webhookName(written, IMAGE_WEBHOOK, IMAGE_WEBHOOK);
  return webhookName(written, 'vpol.validate.kyverno.svc', 'nvpol.validate.kyverno.svc');
}

const IMAGE_WEBHOOK = 'ivpol.validate.kyverno.svc';

/** Policies with conditions, a timeout or matchPolicy Exact have their own webhook. */
function webhookName({ spec, name, namespace }: WrittenCelPolicy, cluster: string, namespaced: string): string {
  const side = textField(spec, 'failurePolicy') === 'Ignore' ? 'ignore' : 'fail';
  const shared = `${namespace === '' ? cluster : namespaced}-${side}`;
  const hasTimeout = objectOrEmpty(spec.get('webhookConfiguration')).get('timeoutSeconds') !== undefined;
  const isExact = textField(objectOrEmpty(spec.get('matchConstraints')), 'matchPolicy') === 'Exact';
  if (!hasTimeout && !isExact && objectItems(spec.get('matchConditions')).length === 0) return shared;
  return `${shared}-finegrained-${namespace === '' ? name : `${namespace}-${name}`}`;
}
