// Labels, annotations and label selectors (apimachinery `pkg/apis/meta/v1/validation`).
import { isJsonArray, type JsonObject } from '../../source/json/json.ts';
import { isLabelKey, isLabelValue, labelKeyText } from './formats.ts';
import { childOf, isAbsent, itemsOf, list, oneOf, type PlainRule, structOf, textMap, textThat } from './rule.ts';

export const labels = textMap(isLabelKey, isLabelValue);

const requirement = structOf(
  { key: labelKeyText, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'), values: list(textThat(isLabelValue)) },
  'key operator',
  hasFittingValues,
);

/** In and NotIn need values; Exists and DoesNotExist have none. */
export function hasFittingValues(object: JsonObject): boolean {
  const values = object.get('values');
  const isFilled = isJsonArray(values) && values.length > 0;
  return isFilled === (object.get('operator') === 'In' || object.get('operator') === 'NotIn');
}

export const selector = structOf({ matchLabels: labels, matchExpressions: list(requirement) });

export function isUnrestricted(object: JsonObject): boolean {
  return childOf(object, 'matchLabels').size + itemsOf(object.get('matchExpressions')).length === 0;
}

/** For a selector whose rule holds. */
export function selects(object: JsonObject, of: JsonObject): boolean {
  for (const [key, value] of childOf(object, 'matchLabels')) if (of.get(key) !== value) return false;
  return itemsOf(object.get('matchExpressions')).every((each) => meets(each, of.get(each.get('key') as string)));
}

function meets(each: JsonObject, value: unknown): boolean {
  const values = each.get('values');
  const isListed = isJsonArray(values) && values.includes(value as string);
  switch (each.get('operator')) {
    case 'In':
      return value !== undefined && isListed;
    case 'NotIn':
      return value === undefined || !isListed;
    case 'Exists':
      return !isAbsent(value as undefined);
    default:
      return value === undefined;
  }
}

const MAX_ANNOTATION_BYTES = 256 * 1024;

/** `isPlain` tells whether the server gives a key no meaning of its own. */
export function annotations(isPlain: (key: string, value: string) => boolean): PlainRule {
  return (value) => {
    if (!(value instanceof Map)) return false;
    let length = 0;
    for (const [key, content] of value as JsonObject) {
      if (typeof content !== 'string' || !isLabelKey(key.toLowerCase()) || !isPlain(key, content)) return false;
      length += key.length + content.length;
    }
    // A UTF-16 unit is at most three bytes of UTF-8.
    return length * 3 <= MAX_ANNOTATION_BYTES;
  };
}
