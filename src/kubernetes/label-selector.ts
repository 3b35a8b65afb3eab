// LabelSelector: reading one from an object and asking whether labels satisfy it.
import { isJsonObject, type JsonObject } from '../source/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../source/json-field.ts';

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

/**
 * metav1 `LabelSelectorAsSelector`. Requirements that can never be built (unknown operator, In without values) make the
 * whole selector an error with the server's text.
 */
export function readLabelSelector(value: JsonObject): LabelSelector | { readonly error: string } {
  const requirements: Requirement[] = [];
  const matchLabels = value.get('matchLabels');
  if (isJsonObject(matchLabels)) {
    for (const [key, label] of matchLabels) requirements.push({ key, operator: 'In', values: [String(label ?? '')] });
  }
  for (const fields of objectItems(value.get('matchExpressions'))) {
    const operator = textField(fields, 'operator');
    if (!OPERATORS.includes(operator)) return { error: `"${operator}" is not a valid label selector operator` };
    const strings = textItems(fields.get('values'));
    const needsValues = operator === 'In' || operator === 'NotIn';
    if (needsValues && strings.length === 0) {
      return { error: "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty" };
    }
    if (!needsValues && strings.length > 0) {
      return {
        error: `values: Invalid value: ${goStrings(strings)}: values set must be empty for exists and does not exist`,
      };
    }
    requirements.push({ key: textField(fields, 'key'), operator: operator as Operator, values: strings });
  }
  return { requirements };
}

export function isEmptySelector(selector: LabelSelector): boolean {
  return selector.requirements.length === 0;
}

/** apimachinery `labels.Requirement.Matches`: NotIn and DoesNotExist hold for a label that is absent. */
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

/** Label keys that decide a selector where only the labels `known` are certain; empty where those decide against it. */
export function undecidedKeys({ requirements }: LabelSelector, known: Labels): readonly string[] {
  const certain = requirements.filter(({ key }) => known.has(key));
  if (!selectorMatches({ requirements: certain }, known)) return [];
  return requirements.filter((requirement) => !certain.includes(requirement)).map(({ key }) => key);
}

/** `metadata.labels` of an object; null is an empty string, as Go decodes it, and what is no string is left out. */
export function labelsOf(object: JsonObject): Labels {
  const labels = objectOrEmpty(objectOrEmpty(object.get('metadata')).get('labels'));
  const result = new Map<string, string>();
  for (const [key, value] of labels) if (value === null || typeof value === 'string') result.set(key, value ?? '');
  return result;
}

function goStrings(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(',')}]`;
}
