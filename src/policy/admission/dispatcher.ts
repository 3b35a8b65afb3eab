// One request against all policies and bindings, as the ValidatingAdmissionPolicy plugin does it (apiserver `validating/dispatcher.go`).
import type { AdmissionRequest, MatchedRequest } from '../../kubernetes/admission-request.ts';
import type { Cluster, StoredObject } from '../../kubernetes/cluster.ts';
import type { FieldPath } from '../../source/field-path.ts';
import type { Evaluation } from '../evaluation.ts';
import { matchRequest, mayMatch } from '../matching/matcher.ts';
import type { PolicyIdentity, ValidationAction } from '../policy.ts';
import type { AdmissionOutcome, Denial } from '../policy-engine.ts';
import {
  AuditAnnotationCollector,
  setOnce,
  VALIDATION_FAILURE_KEY,
  validationFailureValue,
} from './audit-annotations.ts';
import type { Decision } from './decision.ts';
import { collectParams } from './params.ts';
import { codeForReason, denial, denialCause, warningText } from './server-message.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';
import type { Validator } from './validator.ts';
import { sentWarnings } from './warning-recorder.ts';

/** A policy with its bindings, compiled. Policies without bindings are inert and have no hook. */
export interface PolicyHook {
  readonly policy: ValidatingPolicy;
  readonly bindings: readonly ValidatingBinding[];
  readonly validator: Validator;
  /** Set when paramKind cannot be resolved; raised on every request the policy matches. */
  readonly configurationError: string | undefined;
}

/**
 * Resources API-based policies never see: the policies themselves (`generic/plugin.go`), authentication and authorization reviews
 * (`pkg/kubeapiserver/admission/exclusion/resources.go`).
 */
const EXEMPT: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'admissionregistration.k8s.io',
    [
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
    ],
  ],
  ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.k8s.io',
    ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  ],
]);

function isExempt({ resource }: AdmissionRequest): boolean {
  return EXEMPT.get(resource.group)?.includes(resource.resource) ?? false;
}

/** The hooks that can concern a request, looked up once for all requests of one resource, operation and scope. */
export class HookIndex {
  readonly #hooks: readonly PolicyHook[];
  readonly #cluster: Cluster;
  readonly #byRequest = new Map<string, readonly PolicyHook[]>();

  constructor(hooks: readonly PolicyHook[], cluster: Cluster) {
    this.#hooks = hooks;
    this.#cluster = cluster;
  }

  hooksFor(request: AdmissionRequest): readonly PolicyHook[] {
    const { group, version, resource } = request.resource;
    const scope = request.namespace === '' ? 'cluster' : 'namespace';
    const key = [group, version, resource, request.subResource, request.operation, scope].join('/');
    let hooks = this.#byRequest.get(key);
    if (hooks === undefined) {
      hooks = this.#hooks.filter(({ policy: { matchConstraints } }) => {
        return matchConstraints === undefined || mayMatch(matchConstraints, request, this.#cluster);
      });
      this.#byRequest.set(key, hooks);
    }
    return hooks;
  }
}

export function dispatch(index: HookIndex, request: AdmissionRequest, cluster: Cluster): AdmissionOutcome {
  const outcome = new OutcomeBuilder(request);
  const exempt = isExempt(request);
  if (!exempt) for (const hook of index.hooksFor(request)) dispatchPolicy(hook, request, cluster, outcome);
  return outcome.build(exempt);
}

function dispatchPolicy(hook: PolicyHook, request: AdmissionRequest, cluster: Cluster, outcome: OutcomeBuilder): void {
  const { policy } = hook;
  const match =
    policy.matchConstraints === undefined
      ? { error: 'policy contained no match constraints, a required field' }
      : matchRequest(policy.matchConstraints, request, cluster);
  if ('error' in match) {
    outcome.configurationError(policy, undefined, match.error, ['spec', 'matchConstraints']);
    return;
  }
  if (!match.matches) return;
  outcome.assumedNamespace(match.assumedNamespaceLabels, policy);
  if (hook.configurationError !== undefined) {
    outcome.configurationError(policy, undefined, hook.configurationError, ['spec', 'paramKind']);
    return;
  }
  const { matchedKind, matchedResource } = match;
  const matched: MatchedRequest = { request, matchedKind, matchedResource };
  const annotations = policy.auditAnnotations.length > 0 ? new AuditAnnotationCollector() : undefined;
  for (const binding of hook.bindings) {
    dispatchBinding(hook, binding, matched, cluster, annotations, outcome);
  }
  annotations?.publish(policy.name, outcome.auditAnnotations);
}

/** A binding without matchResources takes whatever its policy matches. */
const MATCHES = { matches: true, assumedNamespaceLabels: [] } as const;

function dispatchBinding(
  { policy, validator }: PolicyHook,
  binding: ValidatingBinding,
  matched: MatchedRequest,
  cluster: Cluster,
  annotations: AuditAnnotationCollector | undefined,
  outcome: OutcomeBuilder,
): void {
  const { request } = matched;
  const match = binding.matchResources === undefined ? MATCHES : matchRequest(binding.matchResources, request, cluster);
  if ('error' in match) {
    outcome.configurationError(policy, binding, match.error, ['spec', 'matchConstraints']);
    return;
  }
  if (!match.matches) return;
  outcome.assumedNamespace(match.assumedNamespaceLabels, policy);
  outcome.matched(policy);

  const collected = collectParams(policy.paramKind, binding.paramRef, request.namespace, cluster);
  if ('error' in collected) {
    outcome.configurationError(policy, binding, collected.error, ['spec', 'paramKind']);
    return;
  }
  if ('unknown' in collected) {
    outcome.missingParams(policy, binding, collected.unknown);
    return;
  }
  const namespace = namespaceFor(request, cluster);
  for (const param of collected.params) {
    const result = validator.validate(matched, param?.object ?? null, namespace);
    for (let index = 0; index < result.decisions.length; index++) {
      const decision = result.decisions[index] as Decision;
      outcome.decision(policy, binding, param, index, decision);
    }
    for (const annotation of result.auditAnnotations) {
      if (annotation.action === 'publish') annotations?.add(annotation.key, annotation.value);
      else if (annotation.action === 'error') outcome.auditAnnotationError(policy, binding, param, annotation);
    }
  }
}

/** Null for cluster-scoped requests and for Namespaces themselves. */
function namespaceFor(request: AdmissionRequest, cluster: Cluster): StoredObject['object'] | null {
  const { group, version, kind } = request.kind;
  const isNamespace = group === '' && version === 'v1' && kind === 'Namespace';
  if (isNamespace || request.namespace === '') return null;
  return cluster.namespace(request.namespace).object;
}

/** Collects what the policies of one request say, and the one answer the server would give. */
class OutcomeBuilder {
  readonly auditAnnotations = new Map<string, string>();
  readonly #request: AdmissionRequest;
  readonly #matched: PolicyIdentity[] = [];
  readonly #evaluations: Evaluation[] = [];
  readonly #warnings: string[] = [];
  readonly #unknowns = new Set<string>();
  #passed = 0;
  #denial: Denial | undefined;

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  build(exempt: boolean): AdmissionOutcome {
    return {
      exempt,
      matched: this.#matched,
      evaluations: this.#evaluations,
      passed: this.#passed,
      denial: this.#denial,
      warnings: sentWarnings(this.#warnings),
      auditAnnotations: this.auditAnnotations,
      unknowns: [...this.#unknowns],
    };
  }

  matched(policy: PolicyIdentity): void {
    if (this.#matched.at(-1) !== policy) this.#matched.push(policy);
  }

  assumedNamespace(labels: readonly string[], policy: ValidatingPolicy): void {
    for (const label of labels) {
      this.#unknowns.add(
        `Namespace ${this.#request.namespace} is not in the repository, so its label ${label}, which ${policy.name} selects by, is taken as absent`,
      );
    }
  }

  missingParams(policy: ValidatingPolicy, binding: ValidatingBinding, missing: string): void {
    const effect =
      binding.paramRef?.parameterNotFoundAction === 'Deny'
        ? 'if the cluster has none either, every matching request is denied'
        : 'if the cluster has none either, the binding has no effect';
    this.#unknowns.add(
      `${policy.name} with binding ${binding.name} needs ${missing}, not in the repository: ${effect}`,
    );
  }

  /** Follows failurePolicy only: a Warn or Audit binding denies too. */
  configurationError(
    policy: ValidatingPolicy,
    binding: ValidatingBinding | undefined,
    error: string,
    rule: FieldPath,
  ): void {
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error}`;
    const denies = policy.failurePolicy === 'Fail';
    const cause = denialCause(policy.name, binding?.name, message);
    if (denies) this.#denial ??= denial(this.#request, cause, '');
    this.#evaluations.push({
      policy,
      binding,
      param: undefined,
      result: 'error',
      action: denies ? 'deny' : 'admit',
      validationActions: ['Deny'],
      rule,
      expression: undefined,
      message,
      reason: 'Invalid',
      code: codeForReason('Invalid'),
      serverMessage: denial(this.#request, cause, '').message,
      explain: () => [],
    });
  }

  decision(
    policy: ValidatingPolicy,
    binding: ValidatingBinding,
    param: StoredObject | undefined,
    index: number,
    decision: Decision,
  ): void {
    if (decision.evaluation === 'admit') {
      this.#passed += 1;
      return;
    }
    const reason = decision.reason === '' ? 'Invalid' : decision.reason;
    const cause = denialCause(policy.name, binding.name, decision.message);
    const denies = decision.action === 'deny';
    for (const action of denies ? binding.validationActions : []) {
      if (action === 'Deny') this.#denial ??= denial(this.#request, cause, decision.reason);
      else if (action === 'Warn') this.#warnings.push(warningText(policy.name, binding.name, decision.message));
      else {
        const value = validationFailureValue(binding, index, decision);
        setOnce(this.auditAnnotations, VALIDATION_FAILURE_KEY, value);
      }
    }
    this.#evaluations.push({
      policy,
      binding,
      param: param?.resource,
      result: decision.evaluation === 'deny' ? 'fail' : 'error',
      action: decision.action,
      validationActions: binding.validationActions,
      rule: decision.rule,
      expression: decision.expression,
      message: decision.message,
      reason,
      code: codeForReason(reason),
      serverMessage: this.#serverMessage(policy, binding, decision, cause),
      explain: () => decision.explain(),
    });
  }

  /** An audit annotation that cannot be evaluated denies under failurePolicy Fail, whatever the validationActions. */
  auditAnnotationError(
    policy: ValidatingPolicy,
    binding: ValidatingBinding,
    param: StoredObject | undefined,
    annotation: { readonly error: string; readonly rule: FieldPath; readonly expression: string },
  ): void {
    const cause = denialCause(policy.name, binding.name, annotation.error);
    const answer = denial(this.#request, cause, '');
    this.#denial ??= answer;
    this.#evaluations.push({
      policy,
      binding,
      param: param?.resource,
      result: 'error',
      action: 'deny',
      validationActions: ['Deny'],
      rule: annotation.rule,
      expression: annotation.expression,
      message: annotation.error,
      reason: 'Invalid',
      code: codeForReason('Invalid'),
      serverMessage: answer.message,
      explain: () => [],
    });
  }

  #serverMessage(policy: ValidatingPolicy, binding: ValidatingBinding, decision: Decision, cause: string): string {
    const actions: readonly ValidationAction[] = binding.validationActions;
    if (actions.includes('Deny')) return denial(this.#request, cause, decision.reason).message;
    if (actions.includes('Warn')) return warningText(policy.name, binding.name, decision.message);
    return decision.message;
  }
}
