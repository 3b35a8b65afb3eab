// Evaluates the rules of a schema on a value (apiextensions `schema/cel/validation.go: Validator.validate`).
import type { Activation } from '../../../cel/eval/program.ts';
import { ErrorValue, Optional, type Value } from '../../../cel/value/value.ts';
import { Meter } from '../../../go/meter.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { isAtLeast, type KubernetesVersion } from '../../api/version.ts';
import type { RunBudget } from '../../request/run-budget.ts';
import type { Correlation } from '../object/correlation.ts';
import { ListMap } from '../object/list-map.ts';
import type { Schema } from '../schema/schema.ts';
import type { ErrorPlace, ServerError, ServerErrors } from '../server-error.ts';
import type { ServerPath } from '../server-path.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { joinServerPaths } from './rule-field-path.ts';
import { describeRule, ruleMessage } from './rule-message.ts';
import type { RuleNode } from './rule-tree.ts';
import { TypedValues } from './typed-values.ts';

/** `RuntimeCELCostBudget`: maximum cost of all rules together for one object. */
export const RULE_COST_BUDGET = 10_000_000;

/** Total length of all error messages of one object; the server has no limit. */
const MAX_TEXT = 20_000_000;

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Fixed cost of every rule. */
const STEPS_FOR_RULE = 50;

export interface RuleOutcome {
  readonly errors: readonly ServerError[];
  /** Violations that an update may keep, because it does not change the affected parts. */
  readonly warnings: readonly string[];
  /** Rules with an unknown result, one sentence each. */
  readonly unknowns: readonly string[];
  /** True if a rule stopped at a limit that the server does not have. */
  readonly isUnfinished?: true;
  /** Negative once evaluation has stopped. */
  readonly remainingBudget: number;
}

export interface RuleInput {
  readonly value: JsonValue;
  /** Undefined on creation. */
  readonly before?: JsonValue | undefined;
  /** Pairs the value with its previous version, in releases that ignore violations in unchanged parts. */
  readonly correlation?: Correlation | undefined;
  readonly path: ServerPath;
  readonly budget?: number;
  /** Charged for every rule; absent: unlimited. */
  readonly work?: RunBudget;
}

/** Throws `WorkExceeded` if the error messages exceed the length limit. */
export function validateRules(
  node: RuleNode,
  { value, before, correlation, path, budget = RULE_COST_BUDGET, work }: RuleInput,
  version: KubernetesVersion,
  errors: ServerErrors,
): RuleOutcome {
  const validation = new RuleValidation(version, errors, budget, work);
  validation.visit(node, path, value, before ?? null, { current: correlation, parent: undefined });
  return validation;
}

/** A node's pair of old and new value, and the nearest enclosing pair. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

class RuleValidation implements RuleOutcome {
  readonly errors: ServerError[] = [];
  readonly warnings: string[] = [];
  readonly unknowns: string[] = [];
  isUnfinished?: true;
  remainingBudget: number;
  /** The rule under evaluation. */
  #rule: FieldPath | undefined;
  readonly #errors: ServerErrors;
  readonly #values = new TypedValues();
  readonly #meter: Meter;
  readonly #work: RunBudget | undefined;
  readonly #text = new Meter(MAX_TEXT);
  readonly #showsValues: boolean;
  readonly #keepsFieldPath: boolean;
  readonly #evaluatesWithoutOldSelf: boolean;
  readonly #seesAllOf: boolean;

  constructor(version: KubernetesVersion, errors: ServerErrors, budget: number, work: RunBudget | undefined) {
    this.#errors = errors;
    this.#work = work;
    this.#meter = new Meter(undefined, work);
    this.remainingBudget = budget;
    this.#showsValues = isAtLeast(version, '1.35');
    this.#keepsFieldPath = !isAtLeast(version, '1.30');
    this.#evaluatesWithoutOldSelf = isAtLeast(version, '1.30');
    this.#seesAllOf = isAtLeast(version, '1.31');
  }

  get #isOver(): boolean {
    return this.remainingBudget < 0;
  }

  /** `before` is null if there is no old value. */
  visit(node: RuleNode, path: ServerPath, value: JsonValue, before: JsonValue, ratchet: Ratchet): void {
    if (value === null || this.#isOver) return;
    this.#evaluateRules(node, path, value, before, ratchet);
    for (const nested of this.#seesAllOf ? node.allOf : []) {
      this.visit(nested, path, value, before, { current: undefined, parent: ratchet.parent });
    }
    if (isJsonArray(value)) this.#visitItems(node, path, value, before, ratchet);
    else if (isJsonObject(value)) this.#visitFields(node, path, value, before, ratchet);
  }

  #visitItems(
    { items, schema }: RuleNode,
    path: ServerPath,
    value: readonly JsonValue[],
    before: JsonValue,
    ratchet: Ratchet,
  ): void {
    if (items === undefined) return;
    const known = isJsonArray(before) ? ListMap.of(schema, before) : undefined;
    for (const [index, item] of value.entries()) {
      if (this.#isOver) return;
      this.visit(items, path.index(index), item, known?.get(item) ?? null, below(ratchet, index));
    }
  }

  #visitFields(node: RuleNode, path: ServerPath, value: JsonObject, before: JsonValue, ratchet: Ratchet): void {
    const old = isJsonObject(before) && isCorrelatable(node.schema) ? before : undefined;
    const { additionalProperties } = node;
    for (const [key, item] of additionalProperties === undefined ? [] : value) {
      if (this.#isOver) return;
      this.visit(additionalProperties as RuleNode, path.key(key), item, old?.get(key) ?? null, below(ratchet, key));
    }
    for (const [key, item] of node.properties.size === 0 ? [] : value) {
      const property = node.properties.get(key);
      if (property === undefined) continue;
      if (this.#isOver) return;
      this.visit(property, path.child(key), item, old?.get(key) ?? null, below(ratchet, key));
    }
  }

  #evaluateRules(node: RuleNode, path: ServerPath, value: JsonValue, before: JsonValue, ratchet: Ratchet): void {
    const rules = node.rules();
    const { type } = node.schema;
    if (rules === undefined) {
      const reason = 'failed to convert to declType for CEL validation rules';
      this.errors.push(this.#errors.invalid(path, type, `rule compiler initialization error: ${reason}`));
      return;
    }
    if (rules.length === 0) return;
    if (this.remainingBudget <= 0) {
      this.#end(this.#errors.invalid(path, type, OUT_OF_BUDGET));
      return;
    }
    const self = this.#values.typed(value, node.selfSchema);
    const usesOldSelf = rules.some((rule) => rule.usesOldSelf);
    const oldSelf = usesOldSelf && before !== null ? this.#values.typed(before, node.selfSchema) : undefined;
    const activation = this.#activation(self, oldSelf);
    const optional = usesOldSelf
      ? this.#activation(self, oldSelf === undefined ? Optional.none : Optional.of(oldSelf))
      : activation;
    let place: ErrorPlace = path;
    for (const rule of rules) {
      if (this.#isOver) return;
      this.#rule = rule.rule.place;
      if (rule.error !== undefined) {
        this.#push(this.#errors.invalid(place, type, `rule compile error: ${rule.error}`));
        continue;
      }
      const { optionalOldSelf } = rule.rule;
      const isSkipped = rule.usesOldSelf && before === null && !(optionalOldSelf && this.#evaluatesWithoutOldSelf);
      if (isSkipped || rule.program === undefined) continue;
      const holds = this.#evaluate(rule, optionalOldSelf ? optional : activation, place, type);
      if (holds) continue;
      const fault = joinServerPaths(path, rule.fieldPath);
      if (this.#keepsFieldPath && rule.fieldPath !== undefined) place = fault;
      this.#report(rule, fault, value, node.schema, activation, ratchet);
    }
  }

  /** Also true for a rule that cannot be evaluated, after reporting it. */
  #evaluate(compiled: CompiledRule, activation: Activation, place: ErrorPlace, type: string): boolean {
    const result = compiled.program?.evaluate(activation);
    if (result === undefined) return true;
    const { value, cost } = result;
    this.#work?.spend(cost + STEPS_FOR_RULE);
    if (cost > this.remainingBudget) {
      this.#end(this.#errors.invalid(place, type, OUT_OF_BUDGET));
      return true;
    }
    this.remainingBudget -= cost;
    if (!(value instanceof ErrorValue)) return value === true;
    const { message, kind } = value;
    const rule = describeRule(compiled.rule);
    if (kind === 'work-exceeded') {
      this.isUnfinished = true;
      this.unknowns.push(`${place}: ${message}: ${rule}`);
    } else if (kind === 'no-such-overload') {
      const detail = `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
      this.#push(this.#errors.invalid(place, type, detail));
    } else if (kind === 'cost-exceeded') {
      const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
      this.#end(this.#errors.invalid(place, type, detail));
    } else this.#push(this.#errors.invalid(place, type, `${message} evaluating rule: ${rule}`));
    return true;
  }

  #report(
    compiled: CompiledRule,
    place: ErrorPlace,
    value: JsonValue,
    { type }: Schema,
    activation: Activation,
    ratchet: Ratchet,
  ): void {
    const message = ruleMessage(compiled, activation, this.remainingBudget);
    if ('failure' in message) {
      this.#add(this.#errors.invalid(place, type, message.failure), compiled, ratchet);
      this.remainingBudget = -1;
      return;
    }
    this.remainingBudget = message.remainingBudget;
    const isContainer = type === 'object' || type === 'array';
    const shown = this.#showsValues ? (isContainer ? undefined : value) : type;
    this.#add(this.#errorFor(compiled.rule.reason, place, shown, message.text), compiled, ratchet);
  }

  #errorFor(reason: string, place: ErrorPlace, value: JsonValue | undefined, detail: string): ServerError {
    switch (reason) {
      case 'FieldValueForbidden':
        return this.#errors.forbidden(place, detail);
      case 'FieldValueRequired':
        return this.#errors.required(place, detail);
      case 'FieldValueDuplicate':
        return this.#errors.duplicate(place, value);
      default:
        return this.#errors.invalid(place, value, detail);
    }
  }

  #add(error: ServerError, { usesOldSelf }: CompiledRule, { current, parent }: Ratchet): void {
    if (!usesOldSelf && (current ?? parent)?.isUnchanged) this.warnings.push(error.message);
    else this.#push(error);
  }

  #end(error: ServerError): void {
    this.#push(error);
    this.remainingBudget = -1;
  }

  /** Limits the total length, because one long value can violate many rules. */
  #push(error: ServerError): void {
    this.#text.spend(error.message.length);
    this.errors.push(this.#rule === undefined ? error : { ...error, rule: this.#rule });
  }

  #activation(self: Value, oldSelf: Value | undefined): Activation {
    return {
      meter: this.#meter,
      resolve: (name) => (name === 'self' ? self : name === 'oldSelf' ? oldSelf : undefined),
    };
  }
}

/** The server matches fields only for the map types that it knows. */
function isCorrelatable({ mapType }: Schema): boolean {
  return mapType === '' || mapType === 'granular' || mapType === 'atomic';
}

function below(ratchet: Ratchet, step: string | number): Ratchet {
  const { current, parent } = ratchet;
  if (current === undefined) return ratchet;
  // The server does not match the apiVersion and kind of the object itself.
  if (parent === undefined && (step === 'apiVersion' || step === 'kind')) {
    return { current: undefined, parent: undefined };
  }
  return { current: typeof step === 'number' ? current.index(step) : current.field(step), parent: current };
}
