// Evaluates a validate rule with pattern, anyPattern, deny or foreach (`handlers/validation/validate_resource.go`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectOrEmpty } from '../../../source/json/json-field.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import type { Conditions } from '../conditions/condition.ts';
import { evaluateConditions } from '../conditions/evaluate-conditions.ts';
import { loadContextEntries } from '../context/context-entries.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { childOrigin, type Origin } from '../jmespath/origin.ts';
import type { MatchSubject } from '../matching/resource-filter.ts';
import { matchPattern, type PatternFailure } from '../pattern/match-pattern.ts';
import { isDelete, isUpdate, type PolicyContext } from '../rule/policy-context.ts';
import {
  answered,
  KyvernoPanic,
  orUndecided,
  type RuleResponse,
  type RuleStatus,
  Undecided,
} from '../rule/rule-response.ts';
import { goTypeText } from '../value/go-value-text.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError } from '../variables/variable-error.ts';
import { type CompiledForEach, type CompiledValidation, isEnforce } from './compiled-validation.ts';
import { mentionsVariables } from './substituted.ts';

export interface ValidateRule {
  readonly name: string;
  readonly computed: ComputedRule;
  readonly message: string;
  readonly validation: CompiledValidation;
  /** The rule's own action, otherwise the policy's. */
  readonly failureAction: string;
  readonly allowsExistingViolations: boolean;
  /** Cached messages for pattern failures, by path. Undefined if the message contains variables. */
  readonly messages: Map<string, string> | undefined;
  readonly contextSource: Parameters<typeof loadContextEntries>[2];
  matches(subject: MatchSubject): boolean;
}

/** Undefined if the rule has no result: no elements, or a pattern on DELETE. */
export function validateResource(rule: ValidateRule, context: PolicyContext): RuleResponse | undefined {
  return new ResourceValidator(rule, context, rule.validation, 0).validate();
}

class ResourceValidator {
  readonly #rule: ValidateRule;
  readonly #context: PolicyContext;
  readonly #level: CompiledValidation;
  /** Number of enclosing foreach levels. 0 for the rule itself. */
  readonly #nesting: number;
  /** The current foreach element, if patterns apply to it instead of the object. */
  readonly #element: JsonObject | undefined;

  constructor(
    rule: ValidateRule,
    context: PolicyContext,
    level: CompiledValidation,
    nesting: number,
    element?: JsonObject,
  ) {
    this.#rule = rule;
    this.#context = context;
    this.#level = level;
    this.#nesting = nesting;
    this.#element = element;
  }

  validate(): RuleResponse | undefined {
    const { json } = this.#context;
    const { context, preconditions } = this.#level;
    const loaded = loadContextEntries(context, json, this.#rule.contextSource, this.#rule.name);
    if (loaded !== undefined) return this.#response('error', `failed to load context: ${answered(loaded).message}`);
    const met = orUndecided(() => preconditionsMet(preconditions, json));
    if (met instanceof Undecided) {
      const response = this.#outcome();
      if (met.isErrorFree && (response === undefined || ['pass', 'skip'].includes(response.status))) return response;
      throw met;
    }
    if ('error' in met) return this.#response('error', `failed to evaluate preconditions: ${met.error}`);
    if (!met.holds) return this.#response('skip', joinNonEmpty('preconditions not met', met.message));
    const response = this.#outcome();
    if (this.#nesting > 0 || !isEnforce(this.#rule.failureAction)) return response;
    if (!this.#rule.allowsExistingViolations || !isUpdate(this.#context)) return response;
    return this.#unlessOldObjectFails(response);
  }

  #outcome(): RuleResponse | undefined {
    const { deny, pattern, anyPattern, foreach } = this.#level;
    if (deny !== undefined) return this.#deny(deny);
    if (pattern !== undefined || anyPattern !== undefined) return this.#patterns();
    return foreach.length > 0 || this.#nesting > 0 ? this.#foreach(foreach) : undefined;
  }

  #response(status: RuleStatus, message: string, failure?: PatternFailure): RuleResponse {
    const { name: rule, computed } = this.#rule;
    if (failure === undefined) return { rule, type: 'Validation', status, message, computed };
    return { rule, type: 'Validation', status, message, computed, failure };
  }

  /** On UPDATE, a violation that the old object already had is allowed. */
  #unlessOldObjectFails(response: RuleResponse | undefined): RuleResponse | undefined {
    const { oldObject, operation, json } = this.#context;
    if (operation !== 'UPDATE') return this.#response('skip', 'failed to validate old object');
    if (response?.status !== 'fail') return response;
    json.checkpoint();
    json.addResource(objectOrEmpty(asDoubles(oldObject ?? null)));
    json.addOldResource(new Map());
    json.addOperation('CREATE');
    const prior = this.#validateOldObject(oldObject);
    json.restore();
    json.addOperation(operation);
    if (prior?.status !== 'fail') return response;
    return this.#response('skip', 'skipping the rule evaluation as pre-existing violations are allowed');
  }

  #validateOldObject(oldObject: JsonObject | undefined): RuleResponse | undefined {
    const { preconditions } = this.#level;
    const context: PolicyContext = {
      ...this.#context,
      object: oldObject,
      oldObject: undefined,
      operation: 'CREATE',
    };
    const met = preconditionsMet(preconditions, this.#context.json);
    if ('error' in met || !met.holds || oldObject === undefined) return undefined;
    const subject = { ...context, object: oldObject, requestInfo: NOBODY };
    if (!this.#rule.matches({ ...subject, kind: { ...context.kind, subresource: '' } })) return undefined;
    return new ResourceValidator(this.#rule, context, this.#level, this.#nesting).validate();
  }

  #deny(conditions: Conditions): RuleResponse {
    const { name, message } = this.#rule;
    const outcome = evaluateConditions(this.#context.json, conditions);
    if (outcome instanceof VariableError) {
      return this.#response('error', `failed to check deny conditions: ${answered(outcome).message}`);
    }
    if (!outcome.holds) return this.#response('pass', `validation rule '${name}' passed.`);
    if (message === '' && outcome.message === '') {
      return this.#response('fail', `validation error: rule ${name} failed`);
    }
    const text = joinNonEmpty(message, outcome.message);
    if (!mentionsVariables(text)) return this.#response('fail', text);
    const value = orUndecided(() => substituteAll(this.#context.json, text));
    // Kyverno's text shows a value that the repository does not contain.
    if (value instanceof Undecided) return this.#response('fail', text);
    if (value instanceof VariableError) {
      answered(value);
      return this.#response('fail', outcome.message);
    }
    return this.#response('fail', typeof value === 'string' ? value : NOT_A_STRING);
  }

  #patterns(): RuleResponse | undefined {
    const { json, object } = this.#context;
    const element = this.#element;
    const { pattern, anyPattern } = this.#level;
    if (pattern !== undefined) {
      const resolved = pattern.resolve(json);
      if ('error' in resolved)
        return this.#response('error', `variable substitution failed: ${resolved.error.message}`);
      if (element === undefined && isDelete(this.#context)) return undefined;
      const failure = matchPattern(element ?? object ?? new Map(), resolved.compiled);
      return this.#patternResponse(failure);
    }
    const resolved = anyPattern?.resolve(json);
    if (resolved === undefined) return undefined;
    if ('error' in resolved) return this.#response('error', `variable substitution failed: ${resolved.error.message}`);
    if (element === undefined && isDelete(this.#context)) return undefined;
    const { compiled } = resolved;
    if (compiled === undefined) {
      const problem = `json: cannot unmarshal ${jsonTypeOf(anyPattern?.value)} into Go value of type []interface {}`;
      return this.#response('error', `failed to deserialize anyPattern, expected type array: ${problem}`);
    }
    const subject = element ?? object ?? new Map();
    const skipped: string[] = [];
    const failed: string[] = [];
    let first: PatternFailure | undefined;
    let open: Undecided | undefined;
    for (const [index, each] of compiled.entries()) {
      const failure = orUndecided(() => matchPattern(subject, each));
      const { name } = this.#rule;
      if (failure instanceof Undecided) {
        open ??= failure;
        continue;
      }
      if (failure === undefined) {
        return this.#response('pass', `validation rule '${name}' anyPattern[${index}] passed.`);
      }
      if (failure.result === 'skip') skipped.push(`rule ${name}[${index}] skipped: ${failure.message}`);
      else if (failure.path === '') failed.push(`rule ${name}[${index}] failed: ${failure.message}`);
      else failed.push(`rule ${name}[${index}] failed at path ${failure.path}`);
      if (failure.result !== 'skip') first ??= failure;
    }
    if (open !== undefined) throw open;
    if (failed.length > 0) return this.#response('fail', this.#anyPatternMessage(failed.join(' ')), first);
    if (skipped.length > 0) return this.#response('skip', skipped.join(' '));
    return this.#response('pass', this.#rule.message);
  }

  #patternResponse(failure: PatternFailure | undefined): RuleResponse {
    const { name } = this.#rule;
    if (failure === undefined) return this.#response('pass', `validation rule '${name}' passed.`);
    if (failure.result === 'skip') return this.#response('skip', failure.message, failure);
    return this.#response(failure.result, this.#failureMessage(failure), failure);
  }

  /** Returns the same string for the same path, so that callers can compare it cheaply. */
  #failureMessage({ path, message }: PatternFailure): string {
    if (path === '') return this.#patternMessage(`execution error: ${message}`, message);
    const { messages } = this.#rule;
    const known = messages?.get(path);
    if (known !== undefined) return known;
    const made = this.#patternMessage(`failed at path ${path}`, message);
    if (messages !== undefined && messages.size < MAX_MESSAGES) messages.set(path, made);
    return made;
  }

  #patternMessage(place: string, problem: string): string {
    const { name } = this.#rule;
    const message = this.#substitutedMessage();
    if (message === '') return `validation error: rule ${name} ${place}`;
    if (message === undefined) {
      return `validation error: variables substitution error in rule ${name} execution error: ${problem}`;
    }
    return `validation error: ${message}${message.endsWith('.') ? '' : '.'} rule ${name} ${place}`;
  }

  #anyPatternMessage(problems: string): string {
    const message = this.#substitutedMessage();
    if (this.#rule.message === '') return `validation error: ${problems}`;
    if (message === undefined) {
      return `validation error: variables substitution error in rule ${this.#rule.name} execution error: ${problems}`;
    }
    return `validation error: ${message}${message.endsWith('.') ? '' : '.'} ${problems}`;
  }

  /** Undefined if a variable cannot be resolved. Kyverno crashes if the message is not a string. */
  #substitutedMessage(): string | undefined {
    const { message } = this.#rule;
    if (!mentionsVariables(message)) return message;
    const value = orUndecided(() => substituteAll(this.#context.json, message));
    // Kyverno's text shows a value that the repository does not contain. A value alone crashes it unless it is a string.
    if (value instanceof Undecided && /^\{\{[^{}]*\}\}$/.test(message)) throw value;
    if (value instanceof Undecided) return message;
    if (value instanceof VariableError) {
      answered(value);
      return undefined;
    }
    if (typeof value !== 'string') {
      throw new KyvernoPanic(`interface conversion: interface {} is ${goTypeText(value)}, not string`);
    }
    return value;
  }

  #foreach(loops: readonly CompiledForEach[]): RuleResponse | undefined {
    let applied = 0;
    let listError: string | undefined;
    for (const loop of loops) {
      const { value: elements, origin } = this.#context.json.trace(() => evaluateList(loop.list, this.#context));
      if ('error' in elements) {
        if (!elements.error.includes('Unknown key')) listError = elements.error;
        continue;
      }
      const outcome = this.#elements(loop, elements.values, origin);
      if (typeof outcome !== 'number') return outcome;
      applied += outcome;
    }
    if (applied > 0) return this.#response('pass', 'rule passed');
    return listError === undefined ? undefined : this.#response('error', `failed to evaluate list: ${listError}`);
  }

  /** The number of elements that pass, or the response for the first that does not. */
  #elements(loop: CompiledForEach, elements: readonly JsonValue[], list: Origin): RuleResponse | number {
    const { json } = this.#context;
    json.checkpoint();
    let applied = 0;
    let failed: RuleResponse | undefined;
    let open: Undecided | undefined;
    const { depth } = json;
    for (const [index, element] of elements.entries()) {
      if (element === null) continue;
      json.reset();
      const origin = list === undefined ? undefined : childOrigin(list, index);
      json.addElement(element, index, this.#nesting, origin);
      if (loop.elementScope === true && !isJsonObject(element)) {
        const problem =
          'cannot use elementScope=true foreach rules for elements that are not maps, ' +
          `expected type=map got type=${goTypeText(element)}`;
        failed = this.#response('error', `failed to process foreach: ${problem}`);
        break;
      }
      const isScoped = loop.elementScope ?? isJsonObject(element);
      const scope = isScoped && isJsonObject(element) ? element : this.#element;
      const inner = new ResourceValidator(this.#rule, this.#context, loop, this.#nesting + 1, scope);
      const response = orUndecided(() => inner.validate());
      while (json.depth > depth) json.restore();
      if (response instanceof Undecided) {
        if (!response.isErrorFree) throw response;
        open ??= response;
        continue;
      }
      // An element before it may fail with another status.
      if (open !== undefined && response?.status === 'error') throw open;
      if (response === undefined || response.status === 'skip') continue;
      if (response.status === 'pass') {
        applied++;
        continue;
      }
      if (response.status === 'error' && response.message.includes('failed to evaluate preconditions')) continue;
      failed = { elementOrigin: isScoped ? origin : undefined, ...response };
      failed = { ...failed, message: `validation failure: ${response.message}` };
      break;
    }
    json.restore();
    if (failed === undefined && open !== undefined) throw open;
    return failed ?? applied;
  }
}

/** Per rule, because paths inside lists vary between objects. */
const MAX_MESSAGES = 100;

const NOT_A_STRING = "the produced message didn't resolve to a string, check your policy definition.";

/** Stands for the unknown user of the old object. */
export const NOBODY: PolicyContext['requestInfo'] = {
  username: 'kyverno:kyverno-invalid-controller',
  groups: ['kyverno:invalidgroup'],
  roles: ['kyverno:invalidrole'],
  clusterRoles: ['kyverno:invalidrole'],
  isEmpty: false,
};

export function joinNonEmpty(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

/** Absent preconditions hold. */
export function preconditionsMet(
  preconditions: Conditions | undefined,
  json: PolicyContext['json'],
): { readonly holds: boolean; readonly message: string } | { readonly error: string } {
  if (preconditions === undefined) return { holds: true, message: '' };
  const outcome = evaluateConditions(json, preconditions);
  return outcome instanceof VariableError ? { error: answered(outcome).message } : outcome;
}

/** The elements of a list. Any other value is its own single element. */
export function evaluateList(
  list: string,
  { json }: PolicyContext,
): { readonly values: readonly JsonValue[] } | { readonly error: string } {
  const found = json.query(list);
  if (found instanceof VariableError) return { error: answered(found).message };
  return { values: isJsonArray(found) ? found : [found] };
}

function jsonTypeOf(value: JsonValue | undefined): string {
  if (isJsonObject(value)) return 'object';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
