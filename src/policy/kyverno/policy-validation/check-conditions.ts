// Validates a rule's preconditions, deny conditions and filters (`validateResources` in `validate.go`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty } from '../../../source/json/json-field.ts';
import { operatorOf } from '../conditions/operators.ts';
import { goTypeText } from '../value/go-value-text.ts';

/** `at`: the location in Kyverno's format. `path`: the same below the rule. */
export interface RuleProblem {
  readonly at: string;
  readonly message: string;
  readonly path: readonly (string | number)[];
  /** The message does not include the location. */
  readonly standsAlone?: true;
}

export function checkFiltersAndConditions(rule: JsonObject): RuleProblem | undefined {
  const exclude = objectField(rule, 'exclude');
  if (exclude !== undefined) {
    const forms = formsOf(exclude);
    if (forms.length > 0 && hasDescription(exclude)) {
      return { at: 'exclude.', message: "can't specify any/all together with exclude resources", path: ['exclude'] };
    }
    if (forms.length > 1) return { at: 'match.', message: "can't specify any and all together", path: ['exclude'] };
  }
  const match = objectOrEmpty(rule.get('match'));
  const [form] = formsOf(match);
  if (form !== undefined && hasDescription(match)) {
    return { at: 'match.', message: "can't specify any/all together with match resources", path: ['match'] };
  }
  const filters = form === undefined ? [match] : objectItems(match.get(form));
  const empty = filters.findIndex((filter) => !hasDescription(filter));
  if (empty >= 0) {
    const path = form === undefined ? ['match'] : ['match', form, empty];
    return { at: 'match.resources.', message: 'match resources not specified', path };
  }
  return checkAllConditions(rule);
}

function formsOf(block: JsonObject): readonly ('any' | 'all')[] {
  return (['any', 'all'] as const).filter((form) => objectItems(block.get(form)).length > 0);
}

function hasDescription(filter: JsonObject): boolean {
  return [...objectOrEmpty(filter.get('resources')).values()].some((value) => {
    if (value === null || value === '') return false;
    return !(isJsonArray(value) && value.length === 0);
  });
}

function checkAllConditions(rule: JsonObject): RuleProblem | undefined {
  const preconditions = rule.get('preconditions') ?? null;
  if (preconditions !== null) {
    const problem =
      checkValues(preconditions, 'preconditions', ['preconditions']) ??
      checkOperators(preconditions, 'preconditions', ['preconditions']);
    if (problem !== undefined) return { ...problem, at: `validate.${problem.at}` };
  }
  const validation = objectOrEmpty(rule.get('validate'));
  const deny = objectOrEmpty(validation.get('deny')).get('conditions') ?? null;
  if (deny !== null) {
    const path = ['validate', 'deny', 'conditions'];
    const problem = checkValues(deny, 'conditions', path) ?? checkOperators(deny, 'conditions', path);
    if (problem !== undefined) return { ...problem, at: `validate.deny.${problem.at}` };
  }
  return (
    checkLoops(objectItems(validation.get('foreach')), 'validate.foreach', ['validate', 'foreach']) ??
    checkLoops(objectItems(objectOrEmpty(rule.get('mutate')).get('foreach')), 'mutate.foreach', ['mutate', 'foreach'])
  );
}

function checkLoops(
  loops: readonly JsonObject[],
  at: string,
  path: readonly (string | number)[],
): RuleProblem | undefined {
  for (const [index, loop] of loops.entries()) {
    const own = [...path, index];
    const preconditions = loop.get('preconditions') ?? null;
    const problem =
      preconditions === null ? undefined : checkOperators(preconditions, 'conditions', [...own, 'preconditions']);
    if (problem !== undefined) return { ...problem, at: `${at}.${problem.at}` };
    const deny = objectOrEmpty(loop.get('deny')).get('conditions') ?? null;
    const denied = deny === null ? undefined : checkOperators(deny, 'conditions', [...own, 'deny', 'conditions']);
    if (denied !== undefined) return { ...denied, at: `${at}.deny.${denied.at}` };
    const nested = checkLoops(objectItems(loop.get('foreach')), at, [...own, 'foreach']);
    if (nested !== undefined) return { ...nested, at: `${at}.${nested.at}` };
  }
  return undefined;
}

interface PlacedCondition {
  readonly condition: JsonObject;
  readonly at: string;
  readonly path: readonly (string | number)[];
  /** The message does not include the location. */
  readonly standsAlone?: true;
}

function placed(conditions: JsonValue, at: string, path: readonly (string | number)[]): readonly PlacedCondition[] {
  if (isJsonArray(conditions)) {
    return objectItems(conditions).map((condition, index) => ({
      condition,
      at: `${at}[${index}]`,
      path: [...path, index],
    }));
  }
  if (!isJsonObject(conditions)) return [];
  return (['any', 'all'] as const).flatMap((form) =>
    objectItems(conditions.get(form)).map((condition, index) => ({
      condition,
      at: `${at}.${form}[${index}]`,
      path: [...path, form, index],
    })),
  );
}

function checkValues(
  conditions: JsonValue,
  schemaKey: string,
  path: readonly (string | number)[],
): RuleProblem | undefined {
  for (const { condition, at, path: place } of placed(conditions, schemaKey, path)) {
    const [key, value, operator] = ['key', 'value', 'operator'].map((name) => condition.get(name) ?? null);
    if (key === null || value === null || operator === null || operator === '') {
      const message = 'entered value of `key`, `value` or `operator` is missing or misspelled';
      return { at: `${at}.`, message, path: place };
    }
    if (typeof key !== 'string' || key.replaceAll(' ', '') !== '{{request.operation}}') continue;
    const problem = operationProblem(value as JsonValue);
    if (problem !== undefined)
      return { at: `${at}.${problem.at}`, message: problem.message, path: [...place, 'value'] };
  }
  return undefined;
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function operationProblem(value: JsonValue): { readonly at: string; readonly message: string } | undefined {
  const unknown = (text: string): string =>
    `unknown value '${text}' found under the 'value' field. Only the following values are allowed: [CREATE, UPDATE, DELETE, CONNECT]`;
  if (typeof value === 'string') {
    if (value.length >= 4 && value.startsWith('{{') && value.endsWith('}}')) return undefined;
    return OPERATIONS.includes(value) ? undefined : { at: `value: ${value}`, message: unknown(value) };
  }
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) {
      if (typeof item !== 'string') {
        const type = typeof item === 'bigint' ? 'int64' : goTypeText(item);
        const message = `'value[${index}]' found to be of the type ${type}. The provided values are expected to be strings`;
        return { at: `value[${index}]`, message };
      }
      if (!OPERATIONS.includes(item)) return { at: `value[${index}]`, message: unknown(item) };
    }
    return undefined;
  }
  const kind = isJsonObject(value) ? 'map' : goTypeText(value);
  const message = `'value' field found to be of the type ${kind}. The provided value/values are expected to be either in the form of a string or list`;
  return { at: 'value', message };
}

/** Kyverno lists the operators in map order. */
const OPERATOR_NAMES = [
  'Equal',
  'Equals',
  'NotEqual',
  'NotEquals',
  'In',
  'AnyIn',
  'AllIn',
  'NotIn',
  'AnyNotIn',
  'AllNotIn',
  'GreaterThanOrEquals',
  'GreaterThan',
  'LessThanOrEquals',
  'LessThan',
  'DurationGreaterThanOrEquals',
  'DurationGreaterThan',
  'DurationLessThanOrEquals',
  'DurationLessThan',
];

/** Reports `all` blocks as `any`, like upstream. */
function checkOperators(
  conditions: JsonValue,
  schemaKey: string,
  path: readonly (string | number)[],
): RuleProblem | undefined {
  for (const { condition, at, path: place } of placed(conditions, schemaKey, path)) {
    const operator = condition.get('operator');
    const name = typeof operator === 'string' ? operator : '';
    if (OPERATOR_NAMES.includes(name) && operatorOf(name) !== undefined) continue;
    const listed = OPERATOR_NAMES.map((each) => `"${each}"`).join(' ');
    const message = `entered value of \`operator\` is invalid. valid values: [${listed}]`;
    return { at: `${at.replace('.all[', '.any[')}.`, message, path: [...place, 'operator'] };
  }
  return undefined;
}
