// A compiled rule: its match criteria and its action.
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, optionalTextField, textField } from '../../../source/json/json-field.ts';
import { type ComputedRule, hasContent } from '../autogen/autogen.ts';
import { type Conditions, readConditions } from '../conditions/condition.ts';
import { both, type MatchAnswer, unless } from '../matching/match-answer.ts';
import {
  blockExcludes,
  blockMatches,
  compileBlock,
  type FilterBlock,
  type MatchSubject,
} from '../matching/resource-filter.ts';
import { type CompiledValidation, compileValidation, validationOf } from '../validate/compiled-validation.ts';
import { CelRule, type CelSettings } from '../validate/validate-cel.ts';

export interface KyvernoRule {
  readonly name: string;
  readonly computed: ComputedRule;
  readonly match: FilterBlock;
  readonly exclude: FilterBlock | undefined;
  readonly context: readonly JsonObject[];
  readonly preconditions: Conditions | undefined;
  readonly action: RuleAction | undefined;
}

export type RuleAction =
  | { readonly form: 'resource'; readonly validation: CompiledValidation; readonly settings: ValidationSettings }
  | { readonly form: 'podSecurity'; readonly value: JsonObject; readonly settings: ValidationSettings }
  | {
      readonly form: 'cel';
      readonly value: JsonObject;
      readonly settings: ValidationSettings;
      /** Compiled on first use. */
      rule(settings: CelSettings): CelRule;
    }
  | { readonly form: 'manifests'; readonly value: JsonObject }
  | { readonly form: 'mutate' | 'generate'; readonly value: JsonObject }
  | { readonly form: 'verifyImages' };

export interface ValidationSettings {
  readonly message: string;
  /** Undefined if the policy's action applies. */
  readonly failureAction: string | undefined;
  readonly allowsExistingViolations: boolean;
}

/** `like`: a rule that differs only in its match kinds; its compiled parts are reused. */
export function compileRule(computed: ComputedRule, like?: KyvernoRule): KyvernoRule {
  const { value: rule } = computed;
  const exclude = rule.get('exclude');
  return {
    name: textField(rule, 'name'),
    computed,
    match: compileBlock(objectOrEmpty(rule.get('match'))),
    exclude: isJsonObject(exclude) ? compileBlock(exclude) : undefined,
    context: like === undefined ? objectItems(rule.get('context')) : like.context,
    preconditions: like === undefined ? readConditions(rule.get('preconditions') ?? undefined) : like.preconditions,
    action: like === undefined ? actionOf(rule) : like.action,
  };
}

function actionOf(rule: JsonObject): RuleAction | undefined {
  const validation = validationOf(rule);
  if (validation.size > 0) return validateAction(rule, validation);
  if (hasContent(rule.get('mutate'))) return { form: 'mutate', value: objectOrEmpty(rule.get('mutate')) };
  if (hasContent(rule.get('generate'))) return { form: 'generate', value: objectOrEmpty(rule.get('generate')) };
  return Array.isArray(rule.get('verifyImages')) ? { form: 'verifyImages' } : undefined;
}

function validateAction(rule: JsonObject, validation: JsonObject): RuleAction {
  const settings: ValidationSettings = {
    message: textField(validation, 'message'),
    failureAction: optionalTextField(validation, 'failureAction'),
    allowsExistingViolations: validation.get('allowExistingViolations') !== false,
  };
  const manifests = objectOrEmpty(validation.get('manifests'));
  if (manifests.size > 0) return { form: 'manifests', value: manifests };
  const podSecurity = validation.get('podSecurity');
  if (isJsonObject(podSecurity) && podSecurity.size > 0) return { form: 'podSecurity', value: podSecurity, settings };
  const cel = validation.get('cel');
  if (isJsonObject(cel) && cel.size > 0) {
    const preconditions = objectItems(rule.get('celPreconditions'));
    let compiled: CelRule | undefined;
    const compile = (celSettings: CelSettings): CelRule => {
      compiled ??= new CelRule(cel, preconditions, settings.message, celSettings);
      return compiled;
    };
    return { form: 'cel', value: cel, settings, rule: compile };
  }
  const level = compileValidation(validation, [], rule.get('preconditions'));
  return { form: 'resource', validation: level, settings };
}

export function isRuleAbout(rule: Pick<KyvernoRule, 'match' | 'exclude'>, subject: MatchSubject): MatchAnswer {
  const matches = blockMatches(rule.match, subject);
  if (matches === false || rule.exclude === undefined) return matches;
  return both(matches, unless(blockExcludes(rule.exclude, subject)));
}
