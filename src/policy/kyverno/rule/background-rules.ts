// Rules that Kyverno's background controller applies after admission: generate rules, and mutate rules with targets (`pkg/engine/background.go`).
import { objectItems, objectOrEmpty } from '../../../source/json/json-field.ts';
import { loadContextEntries } from '../context/context-entries.ts';
import { exceptionsFor, matchingExceptions } from '../exception/policy-exception.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { isOpenMatch, type MatchAnswer, openReason } from '../matching/match-answer.ts';
import { preconditionsMet } from '../validate/validate-resource.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { isRuleAbout, type KyvernoRule } from './compiled-rule.ts';
import { type EngineSettings, isInNamespace } from './evaluate-policy.ts';
import type { PolicyContext } from './policy-context.ts';
import { answered, type RuleResponse, type RuleStatus, type RuleType, Undecided } from './rule-response.ts';

/** `pass`: the rule would apply to this object. `fail`: the objects that it generated earlier would be deleted. */
export function backgroundRules(
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): readonly RuleResponse[] {
  if (!isInNamespace(policy, context)) return [];
  const responses: RuleResponse[] = [];
  for (const rule of policy.rulesFor(undefined)) {
    const type = backgroundType(rule);
    const response = type && backgroundRule(rule, type, policy, context, settings);
    if (response === undefined) continue;
    responses.push({ ...response, computed: rule.computed });
    if (policy.appliesOneRule && response.status !== 'skip') break;
  }
  return responses;
}

function backgroundType({ action }: KyvernoRule): RuleType | undefined {
  if (action?.form === 'generate') return 'Generation';
  return action?.form === 'mutate' && objectItems(action.value.get('targets')).length > 0 ? 'Mutation' : undefined;
}

function backgroundRule(
  rule: KyvernoRule,
  type: RuleType,
  policy: CompiledPolicy,
  context: PolicyContext,
  settings: EngineSettings,
): RuleResponse | undefined {
  const { name } = rule;
  const { json, object, oldObject } = context;
  const response = (status: RuleStatus, message: string): RuleResponse => ({ rule: name, type, status, message });
  const { exceptions } = matchingExceptions(exceptionsFor(settings.exceptions, policy.key, name), context);
  if (exceptions.length > 0) {
    const keys = exceptions.map(({ key }) => key);
    return { ...response('skip', `rule is skipped due to policy exception ${keys.join(', ')}`), exceptions: keys };
  }
  const matches = (subject: PolicyContext['object']): MatchAnswer => {
    return subject !== undefined && isRuleAbout(rule, { ...context, object: subject });
  };
  const match = matches(object);
  if (match === false) {
    return type === 'Generation' && matches(oldObject) === true ? response('fail', '') : undefined;
  }
  if (isOpenMatch(match)) return response('unknown', openReason(match));
  json.checkpoint();
  try {
    const loaded = loadContextEntries(rule.context, json, settings.source, name);
    if (loaded !== undefined) {
      answered(loaded);
      return undefined;
    }
    const met = preconditionsMet(rule.preconditions, json);
    if ('error' in met) return response('error', `failed to evaluate conditions: ${met.error}`);
    if (met.holds) return response('pass', '');
    if (oldObject === undefined) return response('skip', '');
    json.addResource(objectOrEmpty(asDoubles(oldObject)));
    const old = preconditionsMet(rule.preconditions, json);
    if ('error' in old) return response('error', `failed to evaluate conditions for old resource: ${old.error}`);
    return old.holds ? response('fail', old.message) : response('skip', '');
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return response('unknown', error.message);
  } finally {
    json.restore();
  }
}
