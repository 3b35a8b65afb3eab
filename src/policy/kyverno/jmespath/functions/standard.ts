// The standard JMESPath functions, as in kyverno/go-jmespath (`functions.go`).
import { parseGoFloat } from '../../../../go/strconv/parse-float.ts';
import { codePointLength, compareStrings } from '../../../../go/strings/string-order.ts';
import { type JsonValue, stringifyJson } from '../../../../source/json/json.ts';
import type { FunctionCall } from '../interpreter.ts';
import { childOrigin, type Origin } from '../origin.ts';
import { panic, SearchError, searchFailure } from '../search-error.ts';
import { ExpressionReference, isPlainList, type SearchValue, searchedGoType } from '../search-value.ts';
import { isList, numberAt, objectAt, plainListAt, type QueryFunction, referenceAt, textAt } from './function-table.ts';

export const STANDARD_FUNCTIONS: readonly QueryFunction[] = [
  { name: 'abs', parameters: [['number']], handler: (values) => Math.abs(numberAt(values, 0)) },
  { name: 'avg', parameters: [['array[number]']], handler: average },
  { name: 'ceil', parameters: [['number']], handler: (values) => Math.ceil(numberAt(values, 0)) },
  { name: 'contains', parameters: [['array', 'string'], ['any']], handler: contains },
  {
    name: 'ends_with',
    parameters: [['string'], ['string']],
    handler: (values) => textAt(values, 0).endsWith(textAt(values, 1)),
  },
  { name: 'floor', parameters: [['number']], handler: (values) => Math.floor(numberAt(values, 0)) },
  { name: 'join', parameters: [['string'], ['array[string]']], handler: join },
  { name: 'keys', parameters: [['object']], handler: keys },
  { name: 'length', parameters: [['string', 'array', 'object']], handler: length },
  { name: 'map', parameters: [['expref'], ['array']], handler: map },
  {
    name: 'max',
    parameters: [['array[number]', 'array[string]']],
    handler: (values) => best(values, (order) => order > 0),
  },
  { name: 'max_by', parameters: [['array'], ['expref']], handler: (values, call) => bestBy(values, call, 1) },
  { name: 'merge', parameters: [['object']], isVariadic: true, handler: merge },
  {
    name: 'min',
    parameters: [['array[number]', 'array[string]']],
    handler: (values) => best(values, (order) => order < 0),
  },
  { name: 'min_by', parameters: [['array'], ['expref']], handler: (values, call) => bestBy(values, call, -1) },
  { name: 'not_null', parameters: [['any']], isVariadic: true, handler: notNull },
  { name: 'reverse', parameters: [['array', 'string']], handler: reverse },
  { name: 'sort', parameters: [['array[string]', 'array[number]']], handler: sort },
  { name: 'sort_by', parameters: [['array'], ['expref']], handler: sortBy },
  {
    name: 'starts_with',
    parameters: [['string'], ['string']],
    handler: (values) => textAt(values, 0).startsWith(textAt(values, 1)),
  },
  { name: 'to_array', parameters: [['any']], handler: toArray },
  { name: 'to_number', parameters: [['any']], handler: toNumber },
  { name: 'to_string', parameters: [['any']], handler: toText },
  { name: 'type', parameters: [['any']], handler: typeName },
  { name: 'values', parameters: [['object']], handler: members },
];

function average(values: readonly SearchValue[]): SearchValue {
  const numbers = plainListAt(values, 0) as readonly number[];
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum / numbers.length;
}

function contains(values: readonly SearchValue[], { budget }: FunctionCall): SearchValue {
  const [searched, element] = values as [SearchValue, SearchValue];
  if (typeof searched === 'string') {
    budget.spend(searched.length / 16);
    return typeof element === 'string' && searched.includes(element);
  }
  const list = plainListAt(values, 0);
  budget.spend(list.length);
  const type = searchedGoType(element);
  const isComparable = !(element instanceof Map) && !Array.isArray(element);
  for (const item of list) {
    if (isComparable ? item === element : false) return true;
    // Go compares the types first and then panics, because maps and lists are not comparable.
    if (!isComparable && searchedGoType(item) === type)
      throw panic(`runtime error: comparing uncomparable type ${type}`);
  }
  return false;
}

function join(values: readonly SearchValue[], { budget }: FunctionCall): SearchValue {
  const list = plainListAt(values, 1) as readonly string[];
  const separator = textAt(values, 0);
  budget.spend(list.length * (1 + separator.length / 16));
  return list.join(separator);
}

function keys(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const object = objectAt(values, 0);
  call.budget.spend(object.size);
  if (object.size > 1) call.environment.observer?.unordered();
  return [...object.keys()];
}

function members(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const object = objectAt(values, 0);
  call.budget.spend(object.size);
  if (object.size > 1) call.environment.observer?.unordered();
  const origin = call.originOf(0);
  if (origin !== undefined) call.resultFrom([...object.keys()].map((key) => childOrigin(origin, key)));
  return [...object.values()];
}

function length(values: readonly SearchValue[]): SearchValue {
  const [value] = values as [SearchValue];
  if (typeof value === 'string') return codePointLength(value);
  return isList(value) ? value.length : objectAt(values, 0).size;
}

function map(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const list = plainListAt(values, 1);
  const origin = call.originOf(1);
  const origins: Origin[] = [];
  const mapped = list.map((item, index) => {
    const result = call.apply(referenceAt(values, 0), item, childOrigin(origin, index));
    origins.push(call.appliedOrigin);
    return result instanceof ExpressionReference ? new Map<string, JsonValue>() : result;
  });
  if (origin !== undefined) call.resultFrom(origins);
  return mapped;
}

type Scalar = number | string;

function order(left: Scalar, right: Scalar): number {
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

function best(values: readonly SearchValue[], isBetter: (order: number) => boolean): SearchValue {
  const list = plainListAt(values, 0) as readonly Scalar[];
  let found: Scalar | undefined;
  for (const item of list) if (found === undefined || isBetter(order(item, found))) found = item;
  return found ?? null;
}

function bestBy(values: readonly SearchValue[], call: FunctionCall, direction: 1 | -1): SearchValue {
  const list = plainListAt(values, 0);
  const origin = call.originOf(0);
  const valueAt = (index: number): SearchValue =>
    call.apply(referenceAt(values, 1), list[index] as JsonValue, childOrigin(origin, index));
  if (list.length === 0) return null;
  let bestIndex = 0;
  if (list.length > 1) {
    let bestValue = scalar(valueAt(0));
    for (let index = 1; index < list.length; index++) {
      const value = valueAt(index);
      if (typeof value !== typeof bestValue) throw searchFailure(`invalid type, must be ${typeof bestValue}`);
      if (Math.sign(order(value as Scalar, bestValue)) !== direction) continue;
      bestValue = value as Scalar;
      bestIndex = index;
    }
  }
  call.resultFrom(childOrigin(origin, bestIndex));
  return list[bestIndex] as JsonValue;
}

function scalar(value: SearchValue): Scalar {
  if (typeof value === 'number' || typeof value === 'string') return value;
  throw searchFailure('invalid type, must be number of string');
}

/** Kyverno sorts the document's own list in place, so later queries of the rule see it sorted. Preadmit does not reproduce this. */
function sortBy(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  if ((values[0] as readonly JsonValue[]).length <= 1 && isPlainList(values[0] as SearchValue)) {
    call.resultFrom(call.originOf(0));
    return values[0] as SearchValue;
  }
  const list = plainListAt(values, 0);
  const origin = call.originOf(0);
  call.budget.spend(list.length * Math.ceil(Math.log2(list.length + 1)));
  const keyOf = (index: number): SearchValue =>
    call.apply(referenceAt(values, 1), list[index] as JsonValue, childOrigin(origin, index));
  const first = scalar(keyOf(0));
  const sorted = list.map((item, index) => {
    const value = index === 0 ? first : comparable(() => keyOf(index), typeof first);
    return { item, value, origin: childOrigin(origin, index) };
  });
  sorted.sort((left, right) => order(left.value as Scalar, right.value as Scalar));
  if (origin !== undefined) call.resultFrom(sorted.map((entry) => entry.origin));
  return sorted.map(({ item }) => item);
}

/** Only the error of the first key is reported as it is. */
function comparable(key: () => SearchValue, type: string): SearchValue {
  let value: SearchValue = null;
  try {
    value = key();
  } catch (error) {
    if (!(error instanceof SearchError) || !['failure', 'not-found'].includes(error.kind)) throw error;
  }
  if (typeof value !== type) throw searchFailure('error in sort_by comparison');
  return value;
}

function sort(values: readonly SearchValue[], { budget }: FunctionCall): SearchValue {
  const list = plainListAt(values, 0) as readonly Scalar[];
  budget.spend(list.length * Math.ceil(Math.log2(list.length + 1)));
  return [...list].sort(order);
}

function merge(values: readonly SearchValue[], { budget }: FunctionCall): SearchValue {
  const merged = new Map<string, JsonValue>();
  values.forEach((_, index) => {
    const object = objectAt(values, index);
    budget.spend(object.size);
    for (const [key, member] of object) merged.set(key, member);
  });
  return merged;
}

function notNull(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const index = values.findIndex((value) => value !== null);
  if (index < 0) return null;
  call.resultFrom(call.originOf(index));
  return values[index] as SearchValue;
}

function reverse(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const [value] = values as [SearchValue];
  if (typeof value === 'string') return [...value].reverse().join('');
  const list = plainListAt(values, 0);
  call.budget.spend(list.length);
  const origin = call.originOf(0);
  if (origin !== undefined) call.resultFrom(list.map((_, index) => childOrigin(origin, list.length - 1 - index)));
  return [...list].reverse();
}

function toArray(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const [value] = values as [SearchValue];
  if (isPlainList(value)) {
    call.resultFrom(call.originOf(0));
    return value;
  }
  call.resultFrom([call.originOf(0)]);
  return [value instanceof ExpressionReference ? new Map() : value];
}

function toNumber(values: readonly SearchValue[]): SearchValue {
  const [value] = values as [SearchValue];
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return parseGoFloat(value) ?? null;
  if (value === null || typeof value === 'boolean' || value instanceof Map || isPlainList(value)) return null;
  throw searchFailure('unknown type');
}

const GO_MARSHAL = { sortKeys: true, escapeHtml: true };

function toText(values: readonly SearchValue[], { budget }: FunctionCall): SearchValue {
  const [value] = values as [SearchValue];
  budget.measure(value);
  if (typeof value === 'string') return value;
  if (value instanceof ExpressionReference) return '{}';
  const unsupported = findUnsupported(value);
  if (unsupported !== undefined) throw searchFailure(`json: unsupported value: ${unsupported}`);
  return stringifyJson(value, GO_MARSHAL);
}

/** A number that JSON cannot represent, as Go prints it. */
function findUnsupported(value: JsonValue): string | undefined {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 'NaN';
    return Number.isFinite(value) ? undefined : value > 0 ? '+Inf' : '-Inf';
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const found = findUnsupported(item);
      if (found !== undefined) return found;
    }
  } else if (value instanceof Map) {
    for (const item of value.values()) {
      const found = findUnsupported(item as JsonValue);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function typeName(values: readonly SearchValue[]): SearchValue {
  const [value] = values as [SearchValue];
  if (value === null) return 'null';
  if (value instanceof Map) return 'object';
  if (isPlainList(value)) return 'array';
  const type = typeof value;
  if (type === 'number' || type === 'string' || type === 'boolean') return type;
  // Integers that are not float64, and lists from `items`.
  throw searchFailure('unknown type');
}
