// Translates a pattern's scalar into an expression about an existing value.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { matchesScalar, matchesString, type StringPattern } from '../pattern/compare-value.ts';
import type { Pattern } from '../pattern/compiled-pattern.ts';
import {
  ALWAYS,
  allOf,
  anyOf,
  asText,
  atom,
  type CelText,
  NEVER,
  notCel,
  quoted,
  relation,
  ternary,
  wildcardText,
} from './cel-text.ts';
import type { FieldForm } from './object-types.ts';

export type LeafPattern = Extract<Pattern, { readonly form: 'text' | 'scalar' }>;
type Condition = StringPattern['alternatives'][number][number];
type Comparison = Extract<Condition, { readonly form: 'comparison' }>['comparison'];

/** True if the pattern matches an object without the field. */
export function holdsForNothing(pattern: LeafPattern): boolean {
  return pattern.form === 'text' ? matchesString(undefined, pattern.pattern) : matchesScalar(undefined, pattern.value);
}

/** `value`: an expression that binds tightly. Kyverno compares the elements of a list one by one. */
export function leafHolds(value: string, form: FieldForm, elements: FieldForm, pattern: LeafPattern): CelText {
  const ofElements = (): CelText => atom(`${value}.all(value, ${scalarHolds('value', elements, pattern).text})`);
  if (form === 'list') return ofElements();
  if (form === 'any')
    return ternary(relation(`type(${value}) == list`), ofElements(), scalarHolds(value, form, pattern));
  return scalarHolds(value, form, pattern);
}

function scalarHolds(value: string, form: FieldForm, pattern: LeafPattern): CelText {
  return pattern.form === 'text' ? textHolds(value, form, pattern.pattern) : literalHolds(value, form, pattern.value);
}

function literalHolds(value: string, form: FieldForm, wanted: JsonValue): CelText {
  if (isJsonArray(wanted) || isJsonObject(wanted)) return NEVER;
  if (wanted === null) return relation(`${value} in [null, '', false, 0]`);
  if (typeof wanted === 'boolean') return form === 'boolean' ? truth(value, wanted) : relation(`${value} == ${wanted}`);
  if (typeof wanted === 'bigint' && form !== 'integer' && form !== 'double') {
    return relation(`${asText(value, form === 'text')} == ${quoted(String(wanted))}`);
  }
  return relation(`${value} == ${numberText(wanted)}`);
}

function truth(value: string, wanted: boolean): CelText {
  return wanted ? atom(value) : notCel(atom(value));
}

function numberText(value: JsonValue): string {
  const text = String(value);
  return typeof value === 'number' && Number.isInteger(value) ? `${text}.0` : text;
}

/** For strings with operators. Several literals become a list. */
function textHolds(value: string, form: FieldForm, { alternatives }: StringPattern): CelText {
  const literals = alternatives.map(([condition, ...more]) => {
    return more.length === 0 && condition !== undefined ? literalOf(condition) : undefined;
  });
  if (literals.length > 1 && literals.every((literal) => literal !== undefined)) {
    const listed = `[${literals.map((literal) => quoted(literal as string)).join(', ')}]`;
    return relation(`${asText(value, form === 'text')} in ${listed}`);
  }
  return anyOf(
    ...alternatives.map((conditions) => allOf(...conditions.map((each) => conditionHolds(value, form, each)))),
  );
}

/** The text, if it has no operator, wildcard or number. */
function literalOf(condition: Condition): string | undefined {
  if (condition.form !== 'comparison') return undefined;
  const { operator, operand, duration, quantity } = condition.comparison;
  const isPlain = operator === '' && duration === undefined && quantity === undefined && !/[*?]/.test(operand);
  return isPlain ? operand : undefined;
}

function conditionHolds(value: string, form: FieldForm, condition: Condition): CelText {
  if (condition.form === 'comparison') return comparisonHolds(value, form, condition.comparison);
  const { low, high, isOutside } = condition;
  const both = [comparisonHolds(value, form, low), comparisonHolds(value, form, high)];
  return isOutside ? anyOf(...both) : allOf(...both);
}

function comparisonHolds(value: string, form: FieldForm, comparison: Comparison): CelText {
  const { operator, operand, duration, quantity } = comparison;
  const symbol = operator === '' ? '==' : operator === '!' ? '!=' : operator;
  const text = asText(value, form === 'text');
  if (quantity !== undefined && (form === 'integer' || form === 'double') && /^-?\d{1,15}$/.test(operand)) {
    return relation(`${value} ${symbol} ${operand}`);
  }
  if (quantity !== undefined) {
    const compared = relation(`quantity(${text}).compareTo(quantity(${quoted(operand)})) ${symbol} 0`);
    const isOne = atom(`isQuantity(${text})`);
    return operator === '!' ? anyOf(notCel(isOne), compared) : allOf(isOne, compared);
  }
  if (duration !== undefined) {
    const compared = relation(`duration(${text}) ${symbol} duration(${quoted(operand)})`);
    const isOne = atom(`${text}.matches(${quoted(DURATION)})`);
    if (operator === '!') return ternary(isOne, compared, notCel(wildcardText(text, operand)));
    return operator === '' ? ternary(isOne, compared, wildcardText(text, operand)) : allOf(isOne, compared);
  }
  if (operator !== '' && operator !== '!') return NEVER;
  if (form === 'boolean' && (operand === 'true' || operand === 'false')) {
    return truth(value, (operand === 'true') === (operator === ''));
  }
  const fits = wildcardText(text, operand);
  if (fits.text === ALWAYS.text) return operator === '' ? ALWAYS : NEVER;
  return operator === '' ? fits : notCel(fits);
}

const DURATION = '^[-+]?([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$';
