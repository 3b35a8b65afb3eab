// One policy on one request: its rules in order, each with its context, preconditions and exceptions (`pkg/engine`).
import type { JsonObject } from '../../../source/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json-field.ts';
import { type ContextSource, loadContextEntries } from '../context/context-entries.ts';
import { exceptionsFor, matchingExceptions, type PolicyException } from '../exception/policy-exception.ts';
import type { CelRule, CelSettings } from '../validate/validate-cel.ts';
import { mutatedMessage, mutateResource } from '../mutate/mutate-resource.ts';
import { joinNonEmpty, preconditionsMet, validateResource } from '../validate/validate-resource.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { type CompiledRule, type RuleAction, ruleMatches, type ValidationSettings } from './compiled-rule.ts';
import type { PolicyContext } from './policy-context.ts';
import type { RuleResponse, RuleStatus, RuleType } from './rule-response.ts';

/** What is the same for all policies and requests of a run. */
export interface EngineSettings {
  readonly exceptions: readonly PolicyException[];
  readonly source: ContextSource;
  readonly cel: CelSettings;
}

/** The responses of validate rules; empty where no rule is about the object. */
export function validatePolicy(
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): readonly RuleResponse[] {
  if (!isInNamespace(policy, context)) return [];
  context.json.checkpoint();
  const responses: RuleResponse[] = [];
  for (const rule of policy.rulesFor(context.kind.kind)) {
    const response = validateRule(rule, policy, context, settings);
    if (response !== undefined) responses.push(response);
    if (policy.appliesOneRule && responses.some(({ status }) => status === 'pass' || status === 'fail')) break;
  }
  context.json.restore();
  return responses;
}

export interface MutationResult {
  readonly responses: readonly RuleResponse[];
  /** Undefined after an error: Kyverno then has no object for the rules that follow. */
  readonly object: JsonObject | undefined;
}

/** Mutate rules of all kinds in order, each on what the one before it made. */
export function mutatePolicy(policy: CompiledPolicy, context: PolicyContext, settings: EngineSettings): MutationResult {
  let object = context.object;
  const responses: RuleResponse[] = [];
  if (!isInNamespace(policy, context)) return { responses, object };
  context.json.checkpoint();
  for (const rule of policy.rulesFor(undefined)) {
    const current = { ...context, object };
    const mutated = mutateRule(rule, policy, current, settings);
    if (mutated === undefined) continue;
    responses.push(mutated.response);
    object = mutated.object;
    if (object !== undefined) context.json.setResource('object', object);
    if (policy.appliesOneRule && (mutated.response.status === 'pass' || mutated.response.status === 'fail')) break;
  }
  context.json.restore();
  return { responses, object };
}

function mutateRule(
  rule: CompiledRule,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): { readonly response: RuleResponse; readonly object: JsonObject | undefined } | undefined {
  const { action, name, computed } = rule;
  if (action?.form !== 'mutate' || !isAbout(rule, policy, context)) return undefined;
  // The background controller patches targets, after admission.
  if (objectItems(action.value.get('targets')).length > 0) return undefined;
  let { object } = context;
  const response = withRuleContext(rule, context, settings, 'Mutation', () => {
    const exceptions = matchingExceptions(exceptionsFor(settings.exceptions, policy.key, name), context);
    if (exceptions.length > 0) return skippedByExceptions(name, 'Mutation', exceptions);
    const outcome = mutateResource(computed.value, object ?? new Map(), context, settings.source);
    object = outcome.status === 'error' ? undefined : outcome.resource;
    const message = outcome.status === 'pass' ? mutatedMessage(outcome.resource) : outcome.message;
    return { rule: name, type: 'Mutation', status: outcome.status, message };
  });
  return response && { response, object };
}

function skippedByExceptions(rule: string, type: RuleType, exceptions: readonly PolicyException[]): RuleResponse {
  const keys = exceptions.map(({ key }) => key);
  const message = `rule is skipped due to policy exceptions${keys.join(', ')}`;
  return { rule, type, status: 'skip', message, exceptions: keys };
}

function validateRule(
  rule: CompiledRule,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): RuleResponse | undefined {
  const { action } = rule;
  if (action === undefined || !isValidation(action) || !isAbout(rule, policy, context)) return undefined;
  return withRuleContext(rule, context, settings, 'Validation', () => {
    const exceptions = matchingExceptions(exceptionsFor(settings.exceptions, policy.key, rule.name), context);
    return validate(rule, action, policy, context, settings, exceptions);
  });
}

type ValidateAction = Extract<RuleAction, { readonly form: 'resource' | 'podSecurity' | 'cel' | 'manifests' }>;

function isValidation(action: RuleAction): action is ValidateAction {
  return ['resource', 'podSecurity', 'cel', 'manifests'].includes(action.form);
}

/** The namespace of a Policy is that of its objects. */
export function isInNamespace({ namespace }: CompiledPolicy, { object, oldObject }: PolicyContext): boolean {
  if (namespace === undefined) return true;
  return [object, oldObject].every((each) => each === undefined || namespaceOf(each) === namespace);
}

function namespaceOf(object: JsonObject): string {
  return textField(objectOrEmpty(object.get('metadata')), 'namespace');
}

export function isAbout(rule: CompiledRule, policy: CompiledPolicy, context: PolicyContext): boolean {
  const object = context.object ?? context.oldObject;
  if (object === undefined) return false;
  if (policy.namespace !== undefined && namespaceOf(object) !== policy.namespace) return false;
  return ruleMatches(rule, { ...context, object });
}

/** Loads the rule's context and asks its preconditions before the rule itself. */
export function withRuleContext(
  rule: CompiledRule,
  { json }: PolicyContext,
  settings: EngineSettings,
  type: RuleType,
  evaluate: () => RuleResponse | undefined,
): RuleResponse | undefined {
  const response = (status: RuleStatus, message: string): RuleResponse => ({ rule: rule.name, type, status, message });
  json.checkpoint();
  try {
    const loaded = loadContextEntries(rule.context, json, settings.source);
    if (loaded !== undefined) return response('error', `failed to load context: ${loaded.message}`);
    const met = preconditionsMet(rule.preconditions, json);
    if ('error' in met) return response('error', `failed to evaluate preconditions: ${met.error}`);
    if (!met.holds) return response('skip', joinNonEmpty('preconditions not met', met.message));
    return evaluate();
  } finally {
    json.restore();
  }
}

function validate(
  rule: CompiledRule,
  action: ValidateAction,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
  exceptions: readonly PolicyException[],
): RuleResponse | undefined {
  const { name } = rule;
  if (action.form === 'podSecurity') return undefined;
  if (exceptions.length > 0) return skippedByExceptions(name, 'Validation', exceptions);
  if (action.form === 'manifests') return undefined;
  if (action.form === 'cel') return validateCel(name, action.rule(settings.cel), context);
  return validateResource(
    {
      name,
      message: action.settings.message,
      validation: action.validation,
      failureAction: failureAction(action.settings, policy),
      allowsExistingViolations: action.settings.allowsExistingViolations,
      contextSource: settings.source,
      matches: (subject) => ruleMatches(rule, subject),
    },
    context,
  );
}

function validateCel(rule: string, cel: CelRule, context: PolicyContext): RuleResponse {
  const { request, namespaceObject } = context;
  const matched = { request, matchedKind: request.kind, matchedResource: request.resource };
  const outcome = cel.evaluate({ matched, params: null, namespaceObject });
  const response = (status: RuleStatus, message: string): RuleResponse => ({
    rule,
    type: 'Validation',
    status,
    message,
  });
  if (outcome.result === 'unmet') return response('skip', 'cel preconditions not met');
  if (outcome.result === 'pass') return response('pass', `Validation rule '${rule}' passed.`);
  return { ...response('fail', outcome.message), explain: () => outcome.explain() };
}

function failureAction(settings: ValidationSettings, policy: CompiledPolicy): string {
  return settings.failureAction ?? policy.failureAction;
}
