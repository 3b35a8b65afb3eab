// Explains a ClusterPolicy's result rule by rule: match, exclude, preconditions with their values, and the response.
import type { Read } from '../../../cel/value/trace.ts';
import { append } from '../../../go/slices/append.ts';
import { isSecretKind } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import {
  type ExplanationStep,
  type PolicyExplanation,
  resultInOrder,
  type StepResult,
} from '../../explanation/explanation.ts';
import type { AnyAllConditions, Condition, Conditions } from '../conditions/condition.ts';
import { evaluateConditions } from '../conditions/evaluate-conditions.ts';
import { loadContextEntries } from '../context/context-entries.ts';
import { explainBlock } from '../matching/explain-block.ts';
import { isOpenMatch, openReason } from '../matching/match-answer.ts';
import type { MatchSubject } from '../matching/resource-filter.ts';
import { isRuleAbout, type KyvernoRule } from '../rule/compiled-rule.ts';
import { isInNamespace } from '../rule/evaluate-policy.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { type RuleResponse, Undecided } from '../rule/rule-response.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError } from '../variables/variable-error.ts';
import type { ClassicPolicy } from './classic-policy.ts';

export interface AskedRule {
  /** Undefined if the rule has no response. */
  response(rule: KyvernoRule): RuleResponse | undefined;
  /** Fields of the object behind a response, best first. */
  reads(response: RuleResponse): readonly Read[];
  /** `key` is `namespace/name`. */
  exception(key: string): Resource | undefined;
}

/** `context` is modified: entries are loaded into it. */
export function explainRules(policy: ClassicPolicy, context: PolicyContext, asked: AskedRule): PolicyExplanation {
  const { identity, compiled } = policy;
  if (!isInNamespace(compiled, context)) {
    const says = `a Policy in ${compiled.namespace} applies only to its own Namespace`;
    return {
      policy: identity,
      result: 'stops',
      steps: [stepAt(identity.resource, 'stops', says, ['metadata', 'namespace'])],
    };
  }
  const steps = compiled
    .rulesFor(context.kind.kind)
    .map((rule) => ruleStep(rule, identity.resource, context, policy, asked));
  if (steps.length === 0)
    return { policy: identity, result: 'stops', steps: [{ result: 'stops', says: 'the policy has no rules' }] };
  const applied = steps.filter(({ result }) => result !== 'stops');
  return { policy: identity, result: applied.length === 0 ? 'stops' : resultInOrder(applied), steps };
}

function stepAt(resource: Resource, result: StepResult, says: string, field: FieldPath): ExplanationStep {
  return { result, says, by: { resource, field } };
}

function ruleStep(
  rule: KyvernoRule,
  resource: Resource,
  context: PolicyContext,
  policy: ClassicPolicy,
  asked: AskedRule,
): ExplanationStep {
  const { index, template } = rule.computed;
  const place: FieldPath = ['spec', 'rules', index];
  const made =
    template.length === 0 ? '' : `, which Kyverno generates for ${context.kind.kind} objects from the rule for Pods`;
  const steps = [...matchSteps(rule, resource, place, context)];
  const whole = (): ExplanationStep => {
    return { ...stepAt(resource, resultInOrder(steps), `rule ${rule.name}${made}`, place), steps };
  };
  if (steps.some(({ result }) => result === 'stops')) return whole();
  const conditions = preconditionSteps(rule, resource, place, context, policy);
  append(steps, conditions);
  if (conditions.some(({ result }) => result === 'stops')) return whole();
  const response = asked.response(rule);
  if (response === undefined) steps.push(stepAt(resource, 'stops', 'the rule has no result for this request', place));
  else for (const each of responseSteps(rule, response, resource, place, context, asked)) steps.push(each);
  return whole();
}

function matchSteps(
  rule: KyvernoRule,
  resource: Resource,
  place: FieldPath,
  context: PolicyContext,
): readonly ExplanationStep[] {
  const subject: MatchSubject = { ...context, object: context.object ?? context.oldObject ?? new Map() };
  const about = isRuleAbout(rule, subject);
  if (isOpenMatch(about)) {
    return [stepAt(resource, 'unknown', `whether the rule applies depends on ${openReason(about)}`, place)];
  }
  const steps: ExplanationStep[] = [];
  const matched = explainBlock(rule.match, subject, true);
  const isMatch =
    rule.match.form === 'any'
      ? matched.at(-1)?.mismatch === undefined
      : matched.every(({ mismatch }) => mismatch === undefined);
  for (const { field, mismatch } of isMatch ? matched.slice(-1) : matched) {
    const name = ['match', ...field];
    const says =
      mismatch === undefined ? `${formatFieldPath(name)} matches the object` : `${formatFieldPath(name)}: ${mismatch}`;
    steps.push(stepAt(resource, mismatch === undefined ? 'passes' : 'stops', says, [...place, ...name]));
  }
  if (!isMatch || rule.exclude === undefined) return steps;
  const reasons = explainBlock(rule.exclude, subject, false);
  const excluded =
    rule.exclude.form === 'all'
      ? reasons.every(({ mismatch }) => mismatch === undefined)
      : reasons.some(({ mismatch }) => mismatch === undefined);
  const deciding = reasons.at(-1);
  const name = ['exclude', ...(deciding?.field ?? [])];
  const says = excluded
    ? `${formatFieldPath(name)} excludes the object`
    : `${formatFieldPath(name)} does not exclude the object: ${deciding?.mismatch ?? ''}`;
  steps.push(stepAt(resource, excluded ? 'stops' : 'passes', says, [...place, ...name]));
  return steps;
}

function preconditionSteps(
  rule: KyvernoRule,
  resource: Resource,
  place: FieldPath,
  { json, kind }: PolicyContext,
  { settings }: ClassicPolicy,
): readonly ExplanationStep[] {
  if (rule.preconditions === undefined) return [];
  const field: FieldPath = [...place, 'preconditions'];
  json.checkpoint();
  try {
    const loaded = loadContextEntries(rule.context, json, settings.source, rule.name);
    // The response already reports the error.
    if (loaded !== undefined) return [];
    const { preconditions } = rule;
    const outcome = evaluateConditions(json, preconditions);
    if (outcome instanceof VariableError) return [];
    const result = outcome.holds ? 'passes' : 'stops';
    const says = outcome.holds ? 'preconditions are met' : 'preconditions are not met';
    const steps = conditionSteps(preconditions, json, isSecretKind(kind), resource, field);
    return [{ ...stepAt(resource, result, says, field), steps }];
  } catch (reason) {
    if (!(reason instanceof Undecided)) throw reason;
    return [];
  } finally {
    json.restore();
  }
}

function conditionSteps(
  conditions: Conditions,
  json: PolicyContext['json'],
  isSecret: boolean,
  resource: Resource,
  field: FieldPath,
): readonly ExplanationStep[] {
  const one = (condition: Condition, place: FieldPath): ExplanationStep => {
    const outcome = evaluateConditions(json, { form: 'list', conditions: [condition] });
    const holds = !(outcome instanceof VariableError) && outcome.holds;
    const shown = (value: JsonValue): string => shownValue(substituteAll(json, value), value, isSecret);
    const says = `${shown(condition.key)} ${condition.operator} ${shown(condition.value)}`;
    const result = outcome instanceof VariableError ? 'error' : holds ? 'passes' : 'stops';
    return stepAt(resource, result, says, place);
  };
  const block = ({ any = [], all }: AnyAllConditions, place: FieldPath): readonly ExplanationStep[] => [
    ...any.map((each, index) => one(each, [...place, 'any', index])),
    ...all.map((each, index) => one(each, [...place, 'all', index])),
  ];
  switch (conditions.form) {
    case 'any-all':
      return block(conditions.conditions, field);
    case 'blocks':
      return conditions.blocks.flatMap((each, index) => block(each, [...field, index]));
    case 'list':
      return conditions.conditions.map((each, index) => one(each, [...field, index]));
    default:
      return conditions satisfies never;
  }
}

const LONGEST = 120;

/** E.g. `{{ request.operation }} → "CREATE"`. Hides the contents of Secrets. */
function shownValue(value: JsonValue | VariableError, written: JsonValue, isSecret: boolean): string {
  const text = jsonText(written);
  if (value instanceof VariableError) return `${text} → ${cut(value.message)}`;
  if (typeof written !== 'string' || !written.includes('{{')) return text;
  return `${written} → ${isSecret ? '(from a Secret)' : jsonText(value)}`;
}

function jsonText(value: JsonValue): string {
  return cut(stringifyJson(value, { sortKeys: false, escapeHtml: false }));
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function responseSteps(
  rule: KyvernoRule,
  response: RuleResponse,
  resource: Resource,
  place: FieldPath,
  context: PolicyContext,
  asked: AskedRule,
): readonly ExplanationStep[] {
  const { status, message, exceptions = [] } = response;
  const isSecret = isSecretKind(context.kind);
  const steps: ExplanationStep[] = [];
  for (const key of exceptions) {
    const exception = asked.exception(key);
    const says = `PolicyException ${key} exempts the object`;
    steps.push(
      exception === undefined ? { result: 'stops', says } : stepAt(exception, 'stops', says, ['metadata', 'name']),
    );
  }
  if (exceptions.length > 0) return steps;
  const says = status === 'pass' ? message || 'holds' : message;
  const inside: ExplanationStep[] = [];
  const { action } = rule;
  if (action?.form === 'resource' && action.validation.deny !== undefined && (status === 'fail' || status === 'pass')) {
    const field: FieldPath = [...place, 'validate', 'deny', 'conditions'];
    for (const each of conditionSteps(action.validation.deny, context.json, isSecret, resource, field))
      inside.push(each);
  }
  if (status === 'fail' || status === 'error') {
    for (const { path, found, root } of asked.reads(response).slice(0, 5)) {
      const object = root === 'oldObject' ? context.oldObject : context.object;
      const value = root === 'object' || root === 'oldObject' ? valueAt(object ?? new Map(), path) : undefined;
      const shown =
        !found || value === undefined ? 'does not exist' : isSecret ? '(from a Secret)' : `is ${jsonText(value)}`;
      inside.push({ result: 'fails', says: `${formatFieldPath(path)} ${shown}` });
    }
  }
  steps.push({ ...stepAt(resource, STATUSES[status], says, place), ...(inside.length > 0 && { steps: inside }) });
  return steps;
}

const STATUSES: Readonly<Record<RuleResponse['status'], StepResult>> = {
  pass: 'passes',
  skip: 'stops',
  fail: 'fails',
  warn: 'fails',
  error: 'error',
  unknown: 'unknown',
};
