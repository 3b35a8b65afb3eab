// Reads LabelSelectors and matches them against labels.
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { aggregateErrors } from '../validation/aggregate-errors.ts';
import { fieldErrorBody, invalid } from '../validation/field-error.ts';
import { labelKey, labelValue } from '../validation/name-format.ts';

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export interface LabelSelector {
  readonly requirements: readonly Requirement[];
}

export type Labels = ReadonlyMap<string, string>;

const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** metav1 `LabelSelectorAsSelector`. The first invalid requirement makes the whole selector an error, with the server's message. */
export function readLabelSelector(value: JsonObject): LabelSelector | { readonly error: string } {
  const written = [...objectOrEmpty(value.get('matchLabels'))].map(([key, label]) => ({
    key,
    operator: 'In',
    values: [String(label ?? '')],
  }));
  for (const fields of objectItems(value.get('matchExpressions'))) {
    const [key, operator] = [textField(fields, 'key'), textField(fields, 'operator')];
    written.push({ key, operator, values: [...textItems(fields.get('values'))] });
  }
  const requirements: Requirement[] = [];
  for (const { key, operator, values } of written) {
    if (!isOperator(operator)) return { error: `"${operator}" is not a valid label selector operator` };
    const requirement: Requirement = { key, operator, values };
    const errors = requirementErrors(requirement);
    if (errors.length > 0) return { error: aggregateErrors(errors) };
    requirements.push(requirement);
  }
  return { requirements };
}

function isOperator(text: string): text is Operator {
  return OPERATORS.includes(text);
}

/** apimachinery `labels.NewRequirement`. */
function requirementErrors({ key, operator, values }: Requirement): readonly string[] {
  const needsValues = operator === 'In' || operator === 'NotIn';
  const invalidValue = (place: string, value: JsonValue, detail: string): string =>
    `${place}: ${fieldErrorBody(invalid([], value, detail))}`;
  const errors: string[] = [];
  const keyProblems = labelKey(key);
  if (keyProblems.length > 0) errors.push(invalidValue('key', key, keyProblems.join('; ')));
  if (needsValues && values.length === 0) {
    errors.push(invalidValue('values', null, "for 'in', 'notin' operators, values set can't be empty"));
  }
  if (!needsValues && values.length > 0) {
    errors.push(invalidValue('values', values, 'values set must be empty for exists and does not exist'));
  }
  for (const [index, value] of values.entries()) {
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(invalidValue(`values[${index}][${key}]`, value, problems.join('; ')));
  }
  return errors;
}

export function isEmptySelector(selector: LabelSelector): boolean {
  return selector.requirements.length === 0;
}

/** apimachinery `labels.Requirement.Matches`: NotIn and DoesNotExist match an absent label. */
export function selectorMatches(selector: LabelSelector, labels: Labels): boolean {
  return selector.requirements.every(({ key, operator, values }) => {
    const label = labels.get(key);
    switch (operator) {
      case 'In':
        return label !== undefined && values.includes(label);
      case 'NotIn':
        return label === undefined || !values.includes(label);
      case 'Exists':
        return label !== undefined;
      case 'DoesNotExist':
        return label === undefined;
      default:
        return operator satisfies never;
    }
  });
}

/** In kubectl's syntax: `team=shop,tier in (a,b),!legacy`. */
export function formatSelector({ requirements }: LabelSelector): string {
  const texts = requirements.map(({ key, operator, values }) => {
    switch (operator) {
      case 'In':
        return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
      case 'NotIn':
        return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
      default:
        return operator satisfies never;
    }
  });
  return texts.join(',');
}

/** Unknown label keys that decide whether the selector matches. Empty if the `known` labels already fail it. */
export function undecidedKeys({ requirements }: LabelSelector, known: Labels): readonly string[] {
  const certain = requirements.filter(({ key }) => known.has(key));
  if (!selectorMatches({ requirements: certain }, known)) return [];
  return requirements.filter((requirement) => !certain.includes(requirement)).map(({ key }) => key);
}

/** `metadata.labels` of an object. Null becomes an empty string, as in Go; other non-strings are omitted. */
export function labelsOf(object: JsonObject): Labels {
  const labels = objectOrEmpty(objectOrEmpty(object.get('metadata')).get('labels'));
  const result = new Map<string, string>();
  for (const [key, value] of labels) if (value === null || typeof value === 'string') result.set(key, value ?? '');
  return result;
}
