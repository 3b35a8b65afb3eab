// Kyverno's functions that search objects and lists, build them, or parse them.
import { formatDouble } from '../../../../go/strconv/float-text.ts';
import { compareUtf8, type JsonObject, type JsonValue } from '../../../../source/json/json.ts';
import { type ParsedJson, parseJson } from '../../../../source/json/parse-json.ts';
import { yamlToJson } from '../../../../source/yaml/yaml-to-json.ts';
import { asDoubles } from '../as-doubles.ts';
import type { FunctionCall } from '../interpreter.ts';
import { childOrigin } from '../origin.ts';
import { SearchError, searchFailure } from '../search-error.ts';
import { deepEqual, isPlainList, ObjectList, type SearchValue } from '../search-value.ts';
import { argumentText, functionError, objectAt, type QueryFunction, textAt } from './function-table.ts';

export const OBJECT_FUNCTIONS: readonly QueryFunction[] = [
  { name: 'label_match', parameters: [['object'], ['object']], handler: matchLabels },
  {
    name: 'lookup',
    parameters: [
      ['object', 'array'],
      ['string', 'number'],
    ],
    handler: lookup,
  },
  { name: 'items', parameters: [['object', 'array'], ['string'], ['string']], handler: items },
  { name: 'object_from_lists', parameters: [['array'], ['array']], handler: objectFromLists },
  { name: 'parse_json', parameters: [['string']], handler: (values, call) => readJson(textAt(values, 0), call) },
  { name: 'parse_yaml', parameters: [['string']], handler: readYaml },
];

/** The nesting limit for documents of a repository. */
const MAX_DEPTH = 1000;

function matchLabels(values: readonly SearchValue[], { budget }: FunctionCall): SearchValue {
  const labels = objectAt(values, 1);
  for (const [key, value] of objectAt(values, 0)) {
    const label = labels.get(key);
    if (label === undefined || !deepEqual(label, value, (steps) => budget.spend(steps))) return false;
  }
  return true;
}

function lookup(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const [searched, key] = values as [SearchValue, SearchValue];
  if (searched instanceof Map) {
    if (typeof key !== 'string') return functionError('lookup', 'argument #2 is not of type String');
    call.resultFrom(childOrigin(call.originOf(0), key));
    return searched.get(key) ?? null;
  }
  if (!isPlainList(searched)) return functionError('lookup', 'argument #1 is not of type Object or Array');
  if (typeof key !== 'number') return functionError('lookup', 'argument #2 is not of type Number');
  if (!Number.isInteger(key)) {
    return functionError('lookup', `argument #2: expected an integer number but got: ${formatDouble(key)}`);
  }
  if (key < -(2 ** 63) || key >= 2 ** 63) {
    return functionError('lookup', `argument #2: number is outside the range of integer numbers: ${formatDouble(key)}`);
  }
  call.resultFrom(childOrigin(call.originOf(0), key));
  return key < 0 ? null : (searched[key] ?? null);
}

/** One object per member, with its key (or index) and value under the given names. Keys are sorted. */
function items(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const source = values[0] as SearchValue;
  const keyName = textAt(values, 1);
  const valueName = textAt(values, 2);
  const origin = call.originOf(0);
  const list = new ObjectList();
  const origins: ReadonlyMap<string, ReturnType<typeof childOrigin>>[] = [];
  const add = (key: string | number, value: JsonValue): void => {
    list.push(
      new Map<string, JsonValue>([
        [keyName, key],
        [valueName, value],
      ]),
    );
    const from = childOrigin(origin, key);
    origins.push(
      new Map([
        [keyName, from],
        [valueName, from],
      ]),
    );
  };
  if (source instanceof Map) {
    const members = source as JsonObject;
    call.budget.spend(members.size);
    for (const key of [...members.keys()].sort(compareUtf8)) add(key, members.get(key) as JsonValue);
  } else if (isPlainList(source)) {
    call.budget.spend(source.length);
    source.forEach((value, index) => {
      add(index, value);
    });
  } else functionError('items', 'argument #1 is not of type Object or Array');
  if (origin !== undefined) call.resultFrom(origins);
  return list;
}

function objectFromLists(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const [keys, members] = values as [SearchValue, SearchValue];
  if (!isPlainList(keys)) return functionError('object_from_lists', 'argument #1 is not of type Array');
  if (!isPlainList(members)) return functionError('object_from_lists', 'argument #2 is not of type Array');
  call.budget.spend(keys.length);
  const object = new Map<string, JsonValue>();
  keys.forEach((value, index) => {
    const key = argumentText(value);
    if (key === undefined) functionError('object_from_lists', 'argument #1 is not of type StringArray');
    else object.set(key, members[index] ?? null);
  });
  return object;
}

function readJson(text: string, { budget }: FunctionCall): JsonValue {
  budget.spend(1 + text.length / 4);
  return jsonValue(parseJson(text));
}

function jsonValue(parsed: ParsedJson): JsonValue {
  if ('problem' in parsed) throw searchFailure(parsed.problem.message);
  if (parsed.depth > MAX_DEPTH) throw new SearchError('limit', 'a text that is nested too deeply');
  return asDoubles(parsed.value);
}

function readYaml(values: readonly SearchValue[], { budget }: FunctionCall): JsonValue {
  const text = textAt(values, 0);
  budget.spend(1 + text.length / 2);
  const read = yamlToJson(text);
  if ('failure' in read) throw searchFailure(read.failure.message);
  budget.spend(1 + read.json.length / 4);
  return jsonValue(parseJson(read.json));
}
