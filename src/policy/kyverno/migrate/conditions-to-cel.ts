// Translates preconditions and deny conditions, operator by operator, with the semantics of `conditions/`.
import { parseGoDuration } from '../../../go/time/duration.ts';
import { parseQuantity } from '../../../kubernetes/quantity/quantity.ts';
import { isJsonArray, type JsonValue } from '../../../source/json/json.ts';
import type { AnyAllConditions, Condition, Conditions } from '../conditions/condition.ts';
import {
  allOf,
  anyOf,
  asText,
  atom,
  type CelText,
  NEVER,
  notCel,
  oneOfTexts,
  operand,
  quoted,
  relation,
  wildcardText,
} from './cel-text.ts';
import { type QueryScope, type QueryText, valueToCel } from './query-to-cel.ts';
import { Untranslatable } from './untranslatable.ts';

/** An expression that is true when the conditions hold. */
export function conditionsToCel(conditions: Conditions, scope: QueryScope): CelText {
  const block = ({ any, all }: AnyAllConditions): CelText =>
    allOf(
      any === undefined ? allOf() : anyOf(...any.map((each) => conditionToCel(each, scope))),
      ...all.map((each) => conditionToCel(each, scope)),
    );
  switch (conditions.form) {
    case 'any-all':
      return block(conditions.conditions);
    case 'blocks':
      return allOf(...conditions.blocks.map(block));
    case 'list':
      return allOf(...conditions.conditions.map((each) => conditionToCel(each, scope)));
    default:
      return conditions satisfies never;
  }
}

function conditionToCel(condition: Condition, scope: QueryScope): CelText {
  const { operator, value } = condition;
  const key = valueToCel(condition.key, scope);
  switch (operator.toLowerCase()) {
    case 'equal':
    case 'equals':
      return equality(key, value, scope);
    case 'notequal':
    case 'notequals':
      return key.value.text === 'null' ? NEVER : notCel(equality(key, value, scope));
    case 'in':
    case 'anyin':
      return membership(key, value, 'exists', false, scope, operator);
    case 'allin':
      return membership(key, value, 'all', false, scope, operator);
    case 'notin':
    case 'anynotin':
      return membership(key, value, 'exists', true, scope, operator);
    case 'allnotin':
      return membership(key, value, 'all', true, scope, operator);
    default:
      return sizes(key, value, operator, scope);
  }
}

function equality(key: QueryText, value: JsonValue, scope: QueryScope): CelText {
  const other = valueToCel(value, scope);
  if (key.isNested || other.isNested) throw new Untranslatable('a comparison of nested lists');
  const isLiteralText = typeof value === 'string' && other.value.text === quoted(value);
  const left = operand(key.value);
  if (!isLiteralText) return relation(`${left} == ${operand(other.value)}`);
  if (key.form === 'integer' || key.form === 'double') {
    if (!/^-?\d+(\.\d+)?$/.test(value))
      throw new Untranslatable(`the number \`${key.value.text}\` compared with the string \`${value}\``);
    return relation(`${left} == ${value}`);
  }
  if (key.form === 'boolean')
    throw new Untranslatable(`a condition that never holds: \`${key.value.text}\` is not a string`);
  if (key.form === 'list' || key.form === 'map') return NEVER;
  if (isNumberLike(value)) {
    const text = asText(left, key.form === 'text');
    const compared = relation(`quantity(${text}).compareTo(quantity(${quoted(value)})) == 0`);
    if (isDuration(value))
      throw new Untranslatable(`the duration \`${value}\` compared with a field that may contain numbers`);
    return allOf(atom(`isQuantity(${text})`), compared);
  }
  if (key.form === 'text') return wildcardText(left, value);
  return value === '' || !/[*?]/.test(value)
    ? relation(`${left} == ${quoted(value)}`)
    : wildcardText(asText(left, false), value);
}

function isNumberLike(text: string): boolean {
  return !('error' in parseQuantity(text)) || isDuration(text);
}

function isDuration(text: string): boolean {
  return text !== '0' && typeof parseGoDuration(text) === 'bigint';
}

function membership(
  key: QueryText,
  value: JsonValue,
  quantifier: 'exists' | 'all',
  isNegated: boolean,
  scope: QueryScope,
  operator: string,
): CelText {
  const isDeprecated = /^(?:not)?in$/i.test(operator);
  const left = operand(key.value);
  if (key.form === 'any' && key.optional === undefined && !/^request\./.test(left)) {
    throw new Untranslatable(`${operator} of \`${left}\`, which may be a string or a list`);
  }
  if (key.form === 'map') return NEVER;
  const inside = (item: string, isText: boolean): CelText => memberOf(item, isText, value, scope);
  if (key.form === 'list') {
    if (isDeprecated) throw new Untranslatable(`the deprecated ${operator} of a list`);
    const isText = key.elements === 'text';
    const holds = inside('item', isText);
    const each = isNegated ? notCel(holds) : holds;
    const said = `${quantifier}(item, ${each.text})`;
    return atom(key.isNested ? `${left}.${quantifier}(list, list.${said})` : `${left}.${said}`);
  }
  const holds = inside(left, key.form === 'text');
  return isNegated ? notCel(holds) : holds;
}

/** True if a string is among the values. */
function memberOf(item: string, isText: boolean, value: JsonValue, scope: QueryScope): CelText {
  const text = asText(item, isText);
  if (isJsonArray(value) && value.every((each) => typeof each === 'string' && !each.includes('{{'))) {
    return oneOfTexts(text, value as readonly string[]);
  }
  if (typeof value === 'string' && !value.includes('{{')) {
    if (/^[[{"]|^[-+|]?\d/.test(value.trim()))
      throw new Untranslatable(`the value \`${value}\`, a string that contains JSON or a range`);
    return wildcardText(text, value);
  }
  const other = valueToCel(value, scope);
  if (other.isNested) return atom(`${operand(other.value)}.exists(list, ${text} in list)`);
  if (other.form === 'list') return relation(`${text} in ${operand(other.value)}`);
  if (other.form === 'text') return relation(`${text} == ${operand(other.value)}`);
  throw new Untranslatable('a value that may be a string or a list');
}

const SIZES: ReadonlyMap<string, string> = new Map([
  ['GreaterThan', '>'],
  ['GreaterThanOrEquals', '>='],
  ['LessThan', '<'],
  ['LessThanOrEquals', '<='],
]);

function sizes(key: QueryText, value: JsonValue, operator: string, scope: QueryScope): CelText {
  const symbol = SIZES.get(operator);
  if (symbol === undefined) throw new Untranslatable(`the operator ${operator}`);
  const other = valueToCel(value, scope);
  const left = operand(key.value);
  const right = operand(other.value);
  const isNumber = (form: string): boolean => form === 'integer' || form === 'double';
  if (isNumber(key.form) && isNumber(other.form)) return relation(`${left} ${symbol} ${right}`);
  if (isNumber(key.form) && typeof value === 'string' && /^-?\d+$/.test(value))
    return relation(`${left} ${symbol} ${value}`);
  if (isDuration(typeof value === 'string' ? value : '')) throw new Untranslatable(`${operator} of a duration`);
  if (key.form === 'text' && (typeof value === 'string' || isNumber(other.form))) {
    const wanted = other.form === 'text' ? right : `string(${right})`;
    const isOne = [left, wanted].filter((each) => !each.startsWith("'")).map((each) => atom(`isQuantity(${each})`));
    return allOf(...isOne, relation(`quantity(${left}).compareTo(quantity(${wanted})) ${symbol} 0`));
  }
  throw new Untranslatable(`${operator} of \`${left}\`, whose type is unknown`);
}
