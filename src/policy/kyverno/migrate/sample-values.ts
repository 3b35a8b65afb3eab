// Collects fields that a policy reads, with values that satisfy and violate it, to test its translation.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { parseAnchor } from '../pattern/anchor.ts';

/** `*` stands for every element of a list. Paths of Pods also apply inside templates. */
export interface SampleField {
  readonly path: readonly string[];
  readonly values: readonly JsonValue[];
}

const MAX_FIELDS = 60;

export function sampleFields(policy: JsonObject): readonly SampleField[] {
  const found = new Map<string, { readonly path: readonly string[]; readonly values: Set<JsonValue> }>();
  const add = (path: readonly string[], values: readonly JsonValue[]): void => {
    const key = path.join('\0');
    const known = found.get(key) ?? { path, values: new Set<JsonValue>() };
    for (const value of values) known.values.add(value);
    found.set(key, known);
  };
  for (const rule of objectItems(objectOrEmpty(policy.get('spec')).get('rules'))) {
    const validation = objectOrEmpty(rule.get('validate'));
    collectLevel(validation, [], add);
    collectTexts(rule, add);
    collectMatch(rule, add);
  }
  return [...found.values()].slice(0, MAX_FIELDS).map(({ path, values }) => ({ path, values: [...values] }));
}

type Add = (path: readonly string[], values: readonly JsonValue[]) => void;

function collectLevel(level: JsonObject, path: readonly string[], add: Add): void {
  const pattern = level.get('pattern');
  if (pattern !== undefined) collectPattern(pattern, path, add);
  const anyPattern = level.get('anyPattern');
  if (isJsonArray(anyPattern)) for (const each of anyPattern) collectPattern(each, path, add);
  for (const loop of objectItems(level.get('foreach'))) {
    for (const list of pathsIn(textField(loop, 'list'))) {
      collectLevel(loop, [...list, '*'], add);
      collectElements(loop, [...list.filter((step) => step !== '*'), '*'], add);
    }
  }
}

function collectPattern(pattern: JsonValue, path: readonly string[], add: Add): void {
  if (isJsonObject(pattern)) {
    for (const [key, value] of pattern) {
      const anchor = parseAnchor(key);
      const name = anchor?.key ?? key;
      if (/[*?]/.test(name)) continue;
      if (anchor?.type === 'negation') add([...path, name], ['x', new Map(), []]);
      else add([...path, name], [instanceOf(value)]);
      collectPattern(value, [...path, name], add);
    }
  } else if (isJsonArray(pattern)) {
    for (const item of pattern) collectPattern(item, [...path, '*'], add);
  } else add(path, valuesAround(pattern));
}

/** A value that matches the pattern, in simple cases. */
function instanceOf(pattern: JsonValue): JsonValue {
  if (isJsonObject(pattern)) {
    const members = [...pattern].flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
      const anchor = parseAnchor(key);
      return anchor?.type === 'negation' ? [] : [[anchor?.key ?? key, instanceOf(value)]];
    });
    return new Map(members);
  }
  if (isJsonArray(pattern)) return pattern.map(instanceOf);
  return valuesAround(pattern)[0] ?? 'x';
}

/** A range between two quantities. A longer text has too many ways to split it. */
const LONGEST_RANGE = 200;
const NUMBER = /^([-+]?\d+(?:\.\d+)?)([A-Za-z]*)$/;

/** The first value usually matches. */
function valuesAround(pattern: JsonValue): readonly JsonValue[] {
  if (typeof pattern === 'boolean') return [pattern, !pattern];
  if (typeof pattern === 'bigint') return [pattern, pattern + 1n, pattern - 1n];
  if (typeof pattern === 'number') return [pattern, pattern + 1];
  if (typeof pattern !== 'string') return ['', 'x'];
  const values: JsonValue[] = [];
  for (const part of pattern.split(/[|&]/)) {
    const operand = part.trim().replace(/^(?:>=|<=|>|<|!)\s*/, '');
    const range = operand.length > LONGEST_RANGE ? null : /^(.*\d[A-Za-z]*)!?-(.*\d[A-Za-z]*)$/.exec(operand);
    for (const text of range === null ? [operand] : range.slice(1)) pushAround(text, values);
  }
  return [...values, 'something-else', ''];
}

function pushAround(text: string, values: JsonValue[]): void {
  const [, number, unit = ''] = NUMBER.exec(text) ?? [];
  if (number === undefined) {
    values.push(text.replaceAll('*', 'some').replaceAll('?', 's'), text.replaceAll('*', '').replaceAll('?', 's'));
    if (/^(?:true|false)$/.test(text)) values.push(text === 'true', text !== 'true');
    return;
  }
  const size = Number(number);
  for (const each of [size, size + 1, size - 1, size * 2]) {
    values.push(`${each}${unit}`);
    if (unit === '' && Number.isInteger(each)) values.push(BigInt(each));
  }
}

/** Paths in queries and expressions, with the literals of the same text. */
function collectTexts(rule: JsonObject, add: Add): void {
  const conditions: JsonValue[] = [
    rule.get('preconditions') ?? null,
    rule.get('validate') ?? null,
    rule.get('celPreconditions') ?? null,
  ];
  for (const each of conditions) collectConditions(each, (text) => pathsIn(text), add);
}

function collectElements(loop: JsonObject, list: readonly string[], add: Add): void {
  const ofElement = (text: string): readonly (readonly string[])[] =>
    [...text.matchAll(/\belement((?:\.[A-Za-z_"][\w"-]*(?:\[\])?)*)/g)].map(([, steps = '']) => [
      ...list,
      ...stepsOf(steps),
    ]);
  collectConditions(loop, ofElement, add);
}

function collectConditions(value: JsonValue, paths: (text: string) => readonly (readonly string[])[], add: Add): void {
  if (isJsonArray(value)) for (const item of value) collectConditions(item, paths, add);
  if (!isJsonObject(value)) return;
  const texts = [...value.values()].filter((item) => typeof item === 'string');
  const found = texts.flatMap(paths);
  const wanted = isJsonArray(value.get('value'))
    ? (value.get('value') as readonly JsonValue[])
    : [value.get('value') ?? null];
  const literals = texts.flatMap((text) =>
    [...text.matchAll(/['"`]([^'"`]{1,80})['"`]|\b(\d{1,9})\b/g)].map(([, quoted, number]) => quoted ?? number ?? ''),
  );
  const values = [
    ...wanted.filter((item) => item !== null && !isJsonObject(item) && !isJsonArray(item)),
    ...literals,
  ].flatMap((item) => (typeof item === 'string' && item.includes('{{') ? [] : valuesAround(item)));
  for (const path of found) add(path, [...values, true, false, 'something-else']);
  for (const item of value.values()) collectConditions(item, paths, add);
}

/** Parses `request.object.spec.containers[].image` and `object.spec.?replicas` into steps. */
function pathsIn(text: string): readonly (readonly string[])[] {
  const direct = [...text.matchAll(/\bobject((?:\.\??[A-Za-z_"][\w"-]*(?:\[[^\]]*\])?)+)/g)].map(([, steps = '']) =>
    stepsOf(steps),
  );
  const lists = [...text.matchAll(/\bobject((?:\.[A-Za-z_]\w*)*)\.\[([\w, ]+)\]/g)].flatMap(
    ([, steps = '', names = '']) => names.split(',').map((name) => [...stepsOf(steps), name.trim()]),
  );
  return [...direct, ...lists];
}

function stepsOf(text: string): readonly string[] {
  return text
    .split('.')
    .map((step) => step.replace(/^\?/, '').replaceAll('"', ''))
    .flatMap((step) => (step === '' ? [] : /\[.*\]$/.test(step) ? [step.replace(/\[.*$/, ''), '*'] : [step]))
    .filter((step) => !METHODS.has(step));
}

const METHODS: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'map',
  'filter',
  'startsWith',
  'endsWith',
  'contains',
  'matches',
  'orValue',
  'size',
  'hasValue',
]);

function collectMatch(rule: JsonObject, add: Add): void {
  for (const block of ['match', 'exclude']) {
    const written = objectOrEmpty(rule.get(block));
    for (const filter of [written, ...objectItems(written.get('any')), ...objectItems(written.get('all'))]) {
      const resources = objectOrEmpty(filter.get('resources'));
      const texts = (field: string): readonly JsonValue[] => {
        const value = resources.get(field);
        return isJsonArray(value) ? value.flatMap(valuesAround) : typeof value === 'string' ? valuesAround(value) : [];
      };
      const names = [...texts('name'), ...texts('names')].filter((name) => name !== '');
      if (names.length > 0) add(['metadata', 'name'], names);
      const namespaces = texts('namespaces').filter((name) => name !== '');
      if (namespaces.length > 0) add(['metadata', 'namespace'], namespaces);
      const labels = objectOrEmpty(objectOrEmpty(resources.get('selector')).get('matchLabels'));
      for (const [key, value] of labels) add(['metadata', 'labels', key], valuesAround(value));
      for (const [key, value] of objectOrEmpty(resources.get('annotations')))
        add(['metadata', 'annotations', key], valuesAround(value));
    }
  }
}
