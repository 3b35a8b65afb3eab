// Evaluates one policy for one request: its rules in order, each with context, preconditions and exceptions (`pkg/engine`).
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import { type ContextSource, loadContextEntries } from '../context/context-entries.ts';
import { exceptionsFor, matchingExceptions, type PolicyException } from '../exception/policy-exception.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import {
  both,
  isOpenMatch,
  type MatchAnswer,
  OPEN_NAME,
  type OpenMatch,
  openReason,
} from '../matching/match-answer.ts';
import { mutatedMessage, mutateResource } from '../mutate/mutate-resource.ts';
import { isEnforce } from '../validate/compiled-validation.ts';
import { mentionsVariables } from '../validate/substituted.ts';
import type { CelRule, CelSettings } from '../validate/validate-cel.ts';
import { validateManifests } from '../validate/validate-manifests.ts';
import {
  formatFindings,
  podSecurityFindings,
  podTemplateOf,
  withoutExcluded,
} from '../validate/validate-pod-security.ts';
import {
  joinNonEmpty,
  NOBODY,
  preconditionsMet,
  type ValidateRule,
  validateResource,
} from '../validate/validate-resource.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { isRuleAbout, type KyvernoRule, type RuleAction, type ValidationSettings } from './compiled-rule.ts';
import { mutateExisting, type TargetSource } from './mutate-existing.ts';
import { isDelete, isUpdate, type PolicyContext } from './policy-context.ts';
import {
  answered,
  orUndecided,
  type RuleResponse,
  type RuleStatus,
  type RuleType,
  responseUnder,
  Undecided,
} from './rule-response.ts';
import { verifyImages } from './verify-images.ts';

/** Settings shared by all policies and requests of a run. */
export interface EngineSettings {
  readonly exceptions: readonly PolicyException[];
  readonly source: ContextSource;
  readonly cel: CelSettings;
}

/** Work to match one rule, in steps. */
const STEPS_FOR_RULE = 50;
/** Work to build one response, in steps, besides its queries. */
const STEPS_FOR_RESPONSE = 1_200;

/** Responses of all validate rules, or of `only`. Empty if no rule matches the object. */
export function validatePolicy(
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
  only?: ComputedRule,
): readonly RuleResponse[] {
  if (!isInNamespace(policy, context)) return [];
  context.json.checkpoint();
  const responses: RuleResponse[] = [];
  /** Set if an earlier rule may be the only one that applies. */
  let earlier: OpenMatch | undefined;
  for (const rule of policy.rulesFor(context.kind.kind)) {
    if (only !== undefined && rule.computed !== only) continue;
    context.json.spend(STEPS_FOR_RULE);
    const response = responseUnder(validateOpenRule(rule, policy, context, settings), earlier);
    if (response === undefined) continue;
    context.json.spend(STEPS_FOR_RESPONSE);
    responses.push(response.computed === undefined ? { ...response, computed: rule.computed } : response);
    if (!policy.appliesOneRule) continue;
    if (isLastAnswer(response)) break;
    earlier ??= response.open ?? (response.status === 'unknown' ? { open: [response.message] } : undefined);
  }
  context.json.restore();
  return responses;
}

function isLastAnswer({ status, open }: RuleResponse): boolean {
  return open === undefined && (status === 'pass' || status === 'fail');
}

/** Responses of mutate rules with targets, one per target. The background controller applies them after admission. */
export function mutateTargets(
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
  targets: TargetSource,
): readonly RuleResponse[] {
  if (!isInNamespace(policy, context)) return [];
  const responses: RuleResponse[] = [];
  context.json.checkpoint();
  for (const rule of policy.rulesFor(undefined)) {
    if (rule.action?.form !== 'mutate' || !hasTargets(rule.action.value)) continue;
    const match = matchOf(rule, policy, context);
    if (match === false) continue;
    const { name, computed } = rule;
    const said = withRuleContext(rule, context, settings, 'Mutation', (): readonly RuleResponse[] => {
      const { exceptions } = matchingExceptions(exceptionsFor(settings.exceptions, policy.key, name), context);
      if (exceptions.length > 0) return [skippedByExceptions(name, 'Mutation', exceptions)];
      const written = { name, value: computed.value, policyNamespace: policy.namespace };
      return mutateExisting(written, context, settings.source, targets);
    });
    for (const response of 'status' in said ? [said] : said) {
      responses.push({ ...mutationUnder(response, match), computed });
    }
    if (policy.appliesOneRule && responses.some(isLastAnswer)) break;
  }
  context.json.restore();
  return responses;
}

function hasTargets(mutation: JsonObject): boolean {
  return objectItems(mutation.get('targets')).length > 0;
}

export interface MutationResult {
  readonly responses: readonly RuleResponse[];
  /** Undefined after an error: Kyverno then has no object for later rules. */
  readonly object: JsonObject | undefined;
}

/** Applies the mutate rules of all kinds in order, each to the result of the previous one. */
export function mutatePolicy(policy: CompiledPolicy, context: PolicyContext, settings: EngineSettings): MutationResult {
  let object = context.object;
  const responses: RuleResponse[] = [];
  if (!isInNamespace(policy, context)) return { responses, object };
  context.json.checkpoint();
  for (const rule of policy.rulesFor(undefined)) {
    context.json.spend(STEPS_FOR_RULE);
    const current = { ...context, object };
    const mutated = mutateRule(rule, policy, current, settings);
    if (mutated === undefined) continue;
    context.json.spend(STEPS_FOR_RESPONSE);
    responses.push({ ...mutated.response, computed: rule.computed });
    object = mutated.object;
    if (object !== undefined) context.json.addResource(objectOrEmpty(asDoubles(object)));
    if (policy.appliesOneRule && isLastAnswer(mutated.response)) break;
  }
  context.json.restore();
  return { responses, object };
}

function mutateRule(
  rule: KyvernoRule,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): { readonly response: RuleResponse; readonly object: JsonObject | undefined } | undefined {
  const { action, name, computed } = rule;
  // The background controller patches targets after admission.
  if (action?.form !== 'mutate' || hasTargets(action.value)) return undefined;
  let match = matchOf(rule, policy, context);
  if (match === false) return undefined;
  let { object } = context;
  const response = withRuleContext(rule, context, settings, 'Mutation', (): RuleResponse => {
    const { exceptions, open } = matchingExceptions(exceptionsFor(settings.exceptions, policy.key, name), context);
    if (exceptions.length > 0) return skippedByExceptions(name, 'Mutation', exceptions);
    if (open !== undefined) match = open;
    const outcome = mutateResource(computed.value, object ?? new Map(), context, settings.source);
    object = outcome.status === 'error' ? undefined : outcome.resource;
    const message = outcome.status === 'pass' ? mutatedMessage(outcome.resource) : outcome.message;
    return { rule: name, type: 'Mutation', status: outcome.status, message };
  });
  return isOpenMatch(match)
    ? { response: mutationUnder(response, match), object: context.object }
    : { response, object };
}

/** Responses of the mutate rules for which an open field decides whether they apply. Patches are not evaluated. */
export function undecidedMutations(
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): readonly RuleResponse[] {
  if (!isInNamespace(policy, context)) return [];
  return policy.rulesFor(undefined).flatMap((rule): readonly RuleResponse[] => {
    const { action, name, computed } = rule;
    if (action?.form !== 'mutate' || hasTargets(action.value)) return [];
    const match = matchOf(rule, policy, context);
    if (match === false) return [];
    const response = withRuleContext(rule, context, settings, 'Mutation', () => undefined);
    if (response?.status === 'unknown') return [{ ...response, computed }];
    if (!isOpenMatch(match) || response !== undefined || context.openNamespace !== undefined) return [];
    return [{ ...undecidedResponse(name, 'Mutation', new Undecided(openReason(match))), computed }];
  });
}

/** A patch that may be applied leaves the object unknown. */
function mutationUnder(response: RuleResponse, match: MatchAnswer): RuleResponse {
  const isPatch = response.status === 'pass' && isOpenMatch(match);
  return responseUnder(isPatch ? { ...response, status: 'error' } : response, match);
}

function skippedByExceptions(rule: string, type: RuleType, exceptions: readonly PolicyException[]): RuleResponse {
  const keys = exceptions.map(({ key }) => key);
  const message = `rule is skipped due to policy exceptions${keys.join(', ')}`;
  return { rule, type, status: 'skip', message, exceptions: keys };
}

/** The rule's own match may depend on an open field. */
function validateOpenRule(
  rule: KyvernoRule,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): RuleResponse | undefined {
  try {
    return validateRule(rule, policy, context, settings);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return undecidedResponse(rule.name, 'Validation', error);
  }
}

function undecidedResponse(rule: string, type: RuleType, { message, reads }: Undecided): RuleResponse {
  return { rule, type, status: 'unknown', message, ...(reads.length > 0 && { explain: () => reads }) };
}

function validateRule(
  rule: KyvernoRule,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): RuleResponse | undefined {
  const { action } = rule;
  if (action === undefined) return undefined;
  const type = isValidation(action) ? 'Validation' : 'ImageVerify';
  if (type === 'ImageVerify' && (action.form !== 'verifyImages' || isDelete(context))) return undefined;
  const match = matchOf(rule, policy, context);
  if (match === false) return undefined;
  const response = withRuleContext(rule, context, settings, type, () => {
    const named = exceptionsFor(settings.exceptions, policy.key, rule.name);
    const { exceptions, open } = matchingExceptions(named, context);
    const answer = isValidation(action)
      ? validate(rule, action, policy, context, settings, exceptions)
      : verify(rule, context, exceptions);
    return responseUnder(answer, open);
  });
  return responseUnder(response, match);
}

function verify(
  rule: KyvernoRule,
  context: PolicyContext,
  exceptions: readonly PolicyException[],
): RuleResponse | undefined {
  if (exceptions.length > 0) return skippedByExceptions(rule.name, 'ImageVerify', exceptions);
  const said = verifyImages(rule.computed.value, context);
  return said && { rule: rule.name, type: 'ImageVerify', ...said };
}

type ValidateAction = Extract<RuleAction, { readonly form: 'resource' | 'podSecurity' | 'cel' | 'manifests' }>;

function isValidation(action: RuleAction): action is ValidateAction {
  return ['resource', 'podSecurity', 'cel', 'manifests'].includes(action.form);
}

/** False for a Policy in another namespace than the object. True if the object's namespace is unknown. */
export function isInNamespace(
  { namespace }: CompiledPolicy,
  { object, oldObject, openNamespace }: PolicyContext,
): boolean {
  if (namespace === undefined || openNamespace?.reason === 'unnamed') return true;
  return [object, oldObject].every((each) => each === undefined || namespaceOf(each) === namespace);
}

function namespaceOf(object: JsonObject): string {
  return textField(objectOrEmpty(object.get('metadata')), 'namespace');
}

function matchOf(rule: KyvernoRule, policy: CompiledPolicy, context: PolicyContext): MatchAnswer {
  const object = context.object ?? context.oldObject;
  if (object === undefined) return false;
  if (!isInNamespace(policy, context)) return false;
  const match = isRuleAbout(rule, hasObject(context) ? context : { ...context, object });
  const isOpen = policy.namespace !== undefined && context.openNamespace?.reason === 'unnamed';
  return isOpen ? both(OPEN_NAME, match) : match;
}

function hasObject(context: PolicyContext): context is PolicyContext & { readonly object: JsonObject } {
  return context.object !== undefined;
}

/** Loads the rule's context and checks its preconditions before running the rule. */
function withRuleContext<Answer>(
  rule: KyvernoRule,
  { json }: PolicyContext,
  settings: EngineSettings,
  type: RuleType,
  evaluate: () => Answer,
): RuleResponse | Answer {
  const response = (status: RuleStatus, message: string): RuleResponse => ({ rule: rule.name, type, status, message });
  const { depth } = json;
  json.checkpoint();
  try {
    const loaded = loadContextEntries(rule.context, json, settings.source, rule.name);
    if (loaded !== undefined) return response('error', `failed to load context: ${answered(loaded).message}`);
    const met = orUndecided(() => preconditionsMet(rule.preconditions, json));
    // A mutation that may be skipped would change the object.
    if (met instanceof Undecided && type === 'Mutation') throw met;
    if (met instanceof Undecided) return ifAdmitted(evaluate(), met);
    if ('error' in met) return response('error', `failed to evaluate preconditions: ${met.error}`);
    if (!met.holds) return response('skip', joinNonEmpty('preconditions not met', met.message));
    return evaluate();
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return undecidedResponse(rule.name, type, error);
  } finally {
    while (json.depth > depth) json.restore();
  }
}

/** A rule that may be skipped decides only if it lets the object pass. */
function ifAdmitted<Answer>(answer: Answer, open: Undecided): Answer {
  const status = typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined;
  if (open.isErrorFree && (answer === undefined || status === 'pass' || status === 'skip')) return answer;
  throw open;
}

function validate(
  rule: KyvernoRule,
  action: ValidateAction,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
  exceptions: readonly PolicyException[],
): RuleResponse | undefined {
  const { name } = rule;
  if (action.form === 'podSecurity') return validatePodSecurity(rule, action, policy, context, exceptions);
  if (exceptions.length > 0) return skippedByExceptions(name, 'Validation', exceptions);
  if (action.form === 'manifests') {
    if (isDelete(context)) return undefined;
    const said = validateManifests(action.value, context.object ?? new Map());
    return { rule: name, type: 'Validation', ...said };
  }
  if (action.form === 'cel') return validateCel(name, action.rule(settings.cel), context);
  return validateResource(
    policy.validated(rule, settings.source, () => validated(rule, action, policy, settings)),
    context,
  );
}

function validated(
  rule: KyvernoRule,
  { settings, validation }: Extract<RuleAction, { readonly form: 'resource' }>,
  policy: CompiledPolicy,
  { source }: EngineSettings,
): ValidateRule {
  return {
    name: rule.name,
    computed: rule.computed,
    message: settings.message,
    validation,
    failureAction: failureAction(settings, policy),
    allowsExistingViolations: settings.allowsExistingViolations,
    messages: mentionsVariables(settings.message) ? undefined : new Map(),
    contextSource: source,
    // The same unknown facts decide for the old object.
    matches: (subject) => isRuleAbout(rule, subject) !== false,
  };
}

type PodSecurityAction = Extract<ValidateAction, { readonly form: 'podSecurity' }>;

function validatePodSecurity(
  rule: KyvernoRule,
  action: PodSecurityAction,
  policy: CompiledPolicy,
  context: PolicyContext,
  exceptions: readonly PolicyException[],
): RuleResponse | undefined {
  const { name } = rule;
  const { value: podSecurity, settings } = action;
  if (isDelete(context)) return undefined;
  const response = (status: RuleStatus, message: string): RuleResponse => {
    return { rule: name, type: 'Validation', status, message };
  };
  const skipped = (keys: readonly string[]): RuleResponse => {
    return {
      ...response('skip', `rule is skipped due to policy exception${keys.length > 1 ? 's' : ''} ${keys.join(', ')}`),
      exceptions: keys,
    };
  };
  const whole = exceptions.find((exception) => exception.podSecurity.length === 0);
  if (whole !== undefined) return skipped([whole.key]);
  const template = podTemplateOf(context.object ?? context.oldObject ?? new Map());
  if (template === undefined) {
    return response('error', 'Error while getting new resource: could not find correct resource type');
  }
  const found = podSecurityFindings(podSecurity, template);
  if ('error' in found) return response('error', `failed to parse pod security api version: ${found.error}`);
  const { findings, open } = found;
  if (findings.length === 0 && open !== undefined) throw open;
  if (findings.length === 0) return response('pass', `Validation rule '${name}' passed.`);
  const excludes = exceptions.flatMap((exception) => exception.podSecurity);
  const left = withoutExcluded(findings, excludes, podSecurity, template);
  if (left.length === 0 && open !== undefined) throw open;
  if (left.length === 0) {
    const keys = exceptions.map(({ key }) => key);
    return { ...response('skip', `rule is skipped due to policy exceptions ${keys.join(', ')}`), exceptions: keys };
  }
  const standard = `${textField(podSecurity, 'level')}:${textField(podSecurity, 'version')}`;
  const message = `Validation rule '${name}' failed. It violates PodSecurity "${standard}": ${formatFindings(left, context.kind.kind)}`;
  const failed: RuleResponse = {
    ...response('fail', message),
    paths: left.flatMap(({ errors, places }) =>
      (errors.length > 0 ? errors : places).map(({ path }) => [...template.path, ...path]),
    ),
  };
  if (!isEnforce(failureAction(settings, policy)) || !settings.allowsExistingViolations || !isUpdate(context))
    return failed;
  const prior = priorPodSecurity(rule, action, policy, context, exceptions);
  if (prior?.status !== 'fail') return failed;
  return response('skip', 'skipping the rule evaluation as pre-existing violations are allowed');
}

function priorPodSecurity(
  rule: KyvernoRule,
  action: PodSecurityAction,
  policy: CompiledPolicy,
  context: PolicyContext,
  exceptions: readonly PolicyException[],
): RuleResponse | undefined {
  const { oldObject } = context;
  if (context.operation !== 'UPDATE' || oldObject === undefined) return undefined;
  const old: PolicyContext = { ...context, object: oldObject, oldObject: undefined, operation: 'CREATE' };
  const subject = { ...old, object: oldObject, requestInfo: NOBODY };
  if (isRuleAbout(rule, subject) === false) return undefined;
  return validatePodSecurity(rule, action, policy, old, exceptions);
}

function validateCel(rule: string, cel: CelRule, context: PolicyContext): RuleResponse {
  const { request, namespaceObject } = context;
  const matched = { request, matchedKind: request.kind, matchedResource: request.resource };
  const outcome = cel.evaluate({ matched, namespaceObject });
  const response = (status: RuleStatus, message: string): RuleResponse => ({
    rule,
    type: 'Validation',
    status,
    message,
  });
  if (outcome.result === 'error') return response('error', outcome.message);
  if (outcome.result === 'unmet') return response('skip', 'cel preconditions not met');
  if (outcome.result === 'pass') return response('pass', `Validation rule '${rule}' passed.`);
  return { ...response('fail', outcome.message), explain: () => outcome.explain() };
}

function failureAction(settings: ValidationSettings, policy: CompiledPolicy): string {
  return settings.failureAction ?? policy.failureAction;
}
