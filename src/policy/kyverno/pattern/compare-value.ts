// Compares a resource's scalar with a pattern's scalar: operators, ranges, durations, quantities, wildcards (`pkg/engine/pattern`).
import { parseDuration } from '../../../cel/value/duration.ts';
import { parseGoFloat } from '../../../go/strconv/parse-float.ts';
import { trim } from '../../../go/strings/trim.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../../kubernetes/quantity/quantity.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { goExponentText } from '../value/go-value-text.ts';
import { matchesWildcard } from '../value/wildcard.ts';

type Operator = '' | '>=' | '<=' | '!' | '>' | '<';

interface Comparison {
  readonly operator: Operator;
  readonly operand: string;
  /** In nanoseconds. */
  readonly duration: bigint | undefined;
  readonly quantity: Quantity | undefined;
}

type Condition =
  | { readonly form: 'comparison'; readonly comparison: Comparison }
  | { readonly form: 'range'; readonly low: Comparison; readonly high: Comparison; readonly isOutside: boolean };

/** Alternatives; in each, all conditions must hold: `a & b | c`. */
export interface StringPattern {
  readonly text: string;
  readonly alternatives: readonly (readonly Condition[])[];
}

const RANGE = /^([-|+]?\d+(?:\.\d+)?[A-Za-z]*)-([-|+]?\d+(?:\.\d+)?[A-Za-z]*)$/;
const OUTSIDE_RANGE = /^([-|+]?\d+(?:\.\d+)?[A-Za-z]*)!-([-|+]?\d+(?:\.\d+)?[A-Za-z]*)$/;

export function compileStringPattern(text: string): StringPattern {
  const alternatives = text
    .split('|')
    .map((alternative) => trimBlanks(alternative).split('&').map(trimBlanks).map(compileCondition));
  return { text, alternatives };
}

/** Go `strings.Trim(text, " ")`. */
function trimBlanks(text: string): string {
  return trim(text, ' ');
}

function compileCondition(text: string): Condition {
  const operator = operatorOf(text);
  if (operator === '') {
    const outside = OUTSIDE_RANGE.exec(text);
    const range = text.length < 2 ? null : (outside ?? RANGE.exec(text));
    if (range !== null) {
      const isOutside = outside !== null;
      const low = compileComparison(isOutside ? '<' : '>=', range[1] as string);
      const high = compileComparison(isOutside ? '>' : '<=', range[2] as string);
      return { form: 'range', low, high, isOutside };
    }
  }
  return { form: 'comparison', comparison: compileComparison(operator, trimSpace(text.slice(operator.length))) };
}

function operatorOf(text: string): Operator {
  // Upstream slices the first two bytes first, so a single character is never an operator.
  if (new TextEncoder().encode(text).length < 2) return '';
  for (const operator of ['>=', '<=', '>', '<', '!'] as const) if (text.startsWith(operator)) return operator;
  return '';
}

function compileComparison(operator: Operator, operand: string): Comparison {
  const quantity = parseQuantity(operand);
  return {
    operator,
    operand,
    duration: parseDuration(operand)?.nanoseconds,
    quantity: 'error' in quantity ? undefined : quantity,
  };
}

export function matchesString(value: JsonValue | undefined, pattern: StringPattern): boolean {
  if (value === pattern.text) return true;
  return pattern.alternatives.some((conditions) => conditions.every((condition) => holds(value, condition)));
}

function holds(value: JsonValue | undefined, condition: Condition): boolean {
  if (condition.form === 'comparison') return compares(value, condition.comparison);
  const { low, high, isOutside } = condition;
  return isOutside ? compares(value, low) || compares(value, high) : compares(value, low) && compares(value, high);
}

function compares(value: JsonValue | undefined, { operator, operand, duration, quantity }: Comparison): boolean {
  const text = duration === undefined && quantity === undefined ? undefined : numberText(value);
  if (text !== undefined) {
    const valueDuration = duration === undefined ? undefined : parseDuration(text)?.nanoseconds;
    if (duration !== undefined && valueDuration !== undefined) {
      return ordered(valueDuration === duration ? 0 : valueDuration < duration ? -1 : 1, operator);
    }
    const valueQuantity = quantity === undefined ? undefined : parseQuantity(text);
    if (quantity !== undefined && valueQuantity !== undefined && !('error' in valueQuantity)) {
      return ordered(compareQuantities(valueQuantity, quantity), operator);
    }
  }
  if (operator !== '' && operator !== '!') return false;
  const shown = stringText(value);
  if (shown === undefined) return false;
  return matchesWildcard(operand, shown) === (operator === '');
}

function ordered(order: -1 | 0 | 1, operator: Operator): boolean {
  switch (operator) {
    case '':
      return order === 0;
    case '!':
      return order !== 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    default:
      return operator satisfies never;
  }
}

/** `convertNumberToString`: a missing value counts as zero. Undefined for values other than strings and numbers. */
function numberText(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return '0';
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' ? value.toFixed(6) : undefined;
}

function stringText(value: JsonValue | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return goExponentText(value);
    default:
      return undefined;
  }
}

/** For patterns other than strings. A map only requires a map. */
export function matchesScalar(value: JsonValue | undefined, pattern: Exclude<JsonValue, string>): boolean {
  if (pattern === null) return isZero(value);
  if (typeof pattern === 'boolean') return value === pattern;
  if (typeof pattern === 'bigint') return matchesInteger(value, pattern);
  if (typeof pattern === 'number') return matchesDouble(value, pattern);
  return isJsonObject(pattern) && isJsonObject(value);
}

function isZero(value: JsonValue | undefined): boolean {
  if (value === null || value === undefined) return true;
  return value === '' || value === false || value === 0 || value === 0n;
}

function matchesInteger(value: JsonValue | undefined, pattern: bigint): boolean {
  if (typeof value === 'bigint') return value === pattern;
  if (typeof value === 'number') return Number.isInteger(value) && BigInt(value) === pattern;
  return typeof value === 'string' && /^[+-]?\d+$/.test(value) && BigInt(value.replace(/^\+/, '')) === pattern;
}

function matchesDouble(value: JsonValue | undefined, pattern: number): boolean {
  if (typeof value === 'bigint') return Number.isInteger(pattern) && BigInt(pattern) === value;
  if (typeof value === 'number') return value === pattern;
  return typeof value === 'string' && parseGoFloat(value) === pattern;
}

/** `pattern.Validate` for a pattern that is not compiled. */
export function matchesValue(value: JsonValue | undefined, pattern: JsonValue): boolean {
  if (typeof pattern === 'string') return matchesString(value, compileStringPattern(pattern));
  return !isJsonArray(pattern) && matchesScalar(value, pattern);
}
