// Translation of ClusterPolicies to CEL: patterns, conditions, queries, and constructs without a translation.
import { describe, expect, test } from 'vitest';
import { readConditions } from '../../../../src/policy/kyverno/conditions/condition.ts';
import { conditionsToCel } from '../../../../src/policy/kyverno/migrate/conditions-to-cel.ts';
import { ObjectTypes } from '../../../../src/policy/kyverno/migrate/object-types.ts';
import { patternToCel } from '../../../../src/policy/kyverno/migrate/pattern-to-cel.ts';
import { type QueryScope, queryToCel, textToCel } from '../../../../src/policy/kyverno/migrate/query-to-cel.ts';
import { Untranslatable } from '../../../../src/policy/kyverno/migrate/untranslatable.ts';
import { compilePattern } from '../../../../src/policy/kyverno/pattern/compiled-pattern.ts';
import { jsonOf } from './json-of.ts';

const POD = ObjectTypes.of([{ group: '', version: 'v1', kind: 'Pod' }], 36);
const WIDGET = ObjectTypes.of([{ group: 'example.com', version: 'v1', kind: 'Widget' }], 36);
const SCOPE: QueryScope = {
  object: 'object',
  pod: undefined,
  oldObject: 'oldObject',
  types: POD,
  element: { value: 'container', path: ['spec', 'containers', '*'] },
};

function patternText(pattern: unknown, types = POD): string {
  return patternToCel(compilePattern(jsonOf(JSON.stringify(pattern))), { value: 'object', path: [] }, types).passes
    .text;
}

const LABELS = 'has(object.metadata) && has(object.metadata.labels)';
const SPEC = 'has(object.spec)';

describe('patterns', () => {
  test.each([
    [
      { metadata: { labels: { app: '?*' } } },
      `${LABELS} && has(object.metadata.labels.app) && object.metadata.labels.app != ''`,
    ],
    [
      { metadata: { labels: { 'a/b': 'x*' } } },
      `${LABELS} && 'a/b' in object.metadata.labels && object.metadata.labels['a/b'].startsWith('x')`,
    ],
    [
      { metadata: { labels: { app: 'a | b' } } },
      `${LABELS} && has(object.metadata.labels.app) && object.metadata.labels.app in ['a', 'b']`,
    ],
    [
      { metadata: { labels: { app: '!a & !b' } } },
      `${LABELS} && has(object.metadata.labels.app) && object.metadata.labels.app != 'a' && object.metadata.labels.app != 'b'`,
    ],
    [
      { metadata: { labels: { app: '?-*' } } },
      `${LABELS} && has(object.metadata.labels.app) && object.metadata.labels.app.matches('^(?s:.-.*)$')`,
    ],
    [{ spec: { '=(hostNetwork)': 'false' } }, `${SPEC} && (!has(object.spec.hostNetwork) || !object.spec.hostNetwork)`],
    [{ spec: { 'X(hostPID)': 'null' } }, `${SPEC} && !has(object.spec.hostPID)`],
    [
      { spec: { terminationGracePeriodSeconds: '<=60' } },
      `${SPEC} && (!has(object.spec.terminationGracePeriodSeconds) || object.spec.terminationGracePeriodSeconds <= 60)`,
    ],
    [
      { spec: { priority: '10-20' } },
      `${SPEC} && has(object.spec.priority) && object.spec.priority >= 10 && object.spec.priority <= 20`,
    ],
    [
      { spec: { '(hostNetwork)': true, priority: 5 } },
      `${SPEC} && (!(has(object.spec.hostNetwork) && object.spec.hostNetwork) || has(object.spec.priority) && object.spec.priority == 5)`,
    ],
    [
      { spec: { containers: [{ '(image)': '*:latest', imagePullPolicy: 'Always' }] } },
      `${SPEC} && has(object.spec.containers) && object.spec.containers.all(container, !(has(container.image) && container.image.endsWith(':latest')) || has(container.imagePullPolicy) && container.imagePullPolicy == 'Always')`,
    ],
    [
      { spec: { '^(containers)': [{ name: 'proxy' }] } },
      `${SPEC} && (!has(object.spec.containers) || object.spec.containers.exists(container, has(container.name) && container.name == 'proxy'))`,
    ],
    [
      { spec: { containers: [{ resources: { limits: { memory: '<=2Gi' } } }] } },
      `${SPEC} && has(object.spec.containers) && object.spec.containers.all(container, has(container.resources) && has(container.resources.limits) && (!has(container.resources.limits.memory) || isQuantity(container.resources.limits.memory) && quantity(container.resources.limits.memory).compareTo(quantity('2Gi')) <= 0))`,
    ],
    [
      { '<(metadata)': { name: 'a' }, spec: { nodeName: 'b' } },
      "has(object.metadata) && !(has(object.metadata.name) && object.metadata.name == 'a') || (!has(object.metadata) || has(object.metadata.name) && object.metadata.name == 'a') && has(object.spec) && has(object.spec.nodeName) && object.spec.nodeName == 'b'",
    ],
  ])('%j', (pattern, expected) => {
    expect(patternText(pattern)).toBe(expected);
  });

  test('a value of unknown type is compared as a string, and list elements one by one', () => {
    const value = 'object.spec.size';
    expect(patternText({ spec: { size: '!small' } }, WIDGET)).toBe(
      `has(object.spec) && has(${value}) && (type(${value}) == list ? ${value}.all(value, string(value) != 'small') : string(${value}) != 'small')`,
    );
  });

  test.each([
    [{ metadata: { labels: { 'a/*': 'b' } } }, /wildcard in the key of a label/],
    [{ spec: { '+(a)': 'b' } }, /for mutation/],
    [{ spec: { 'a*': 'b' } }, /wildcard in the key/],
    [{ spec: { a: [['b']] } }, /list inside a list/],
    [{ spec: { '^(a)': 'b' } }, /a value other than a list/],
    [{ '=(spec)': { '<(a)': 'b', c: 'd' } }, /global anchor/],
    [nested(40), /nested more than 30 levels deep/],
  ])('%j has no translation', (pattern, reason) => {
    expect(() => patternText(pattern)).toThrow(Untranslatable);
    expect(() => patternText(pattern)).toThrow(reason);
  });
});

function nested(depth: number): unknown {
  return depth === 0 ? 'a' : { spec: nested(depth - 1) };
}

describe('queries', () => {
  test.each([
    ['request.operation', 'request.operation'],
    ["request.operation || 'BACKGROUND'", 'request.operation'],
    ['request.object.metadata.name', 'object.metadata.name'],
    ["request.object.metadata.labels.app || ''", "object.?metadata.?labels.?app.orValue('')"],
    [
      "request.object.metadata.labels.app || 'none'",
      "object.?metadata.?labels.?app.orValue('') != '' ? object.metadata.labels.app : 'none'",
    ],
    [
      'request.object.spec.containers[].image',
      'object.?spec.?containers.orValue([]).filter(container, container.?image.hasValue()).map(container, container.image)',
    ],
    [
      'request.object.spec.[initContainers, containers][]',
      '(object.?spec.?initContainers.orValue([]) + object.?spec.?containers.orValue([]))',
    ],
    [
      "request.object.spec.containers[?name=='a'] | length(@)",
      "size(object.?spec.?containers.orValue([]).filter(container, container.?name.hasValue() && container.name == 'a'))",
    ],
    [
      'element.securityContext.capabilities.drop[] || `[]`',
      'container.?securityContext.?capabilities.?drop.orValue([])',
    ],
    ['element.keys(@)', 'container.map(key, key)'],
    ['contains(request.object.spec.containers[].ports[].hostPort, `80`)', undefined],
  ])('%s', (query, expected) => {
    if (expected === undefined) expect(() => queryToCel(query, SCOPE)).toThrow(Untranslatable);
    else expect(queryToCel(query, SCOPE).value.text).toBe(expected);
  });

  test.each([
    'images.containers',
    'random(`a`)',
    'request.object.*',
    'time_now()',
    'quota.items',
    'request.roles',
    'serviceAccountName',
    '(',
    'x.{{y}}',
  ])('%s has no translation', (query) => {
    expect(() => queryToCel(query, SCOPE)).toThrow(Untranslatable);
  });

  test('a string with variables becomes a concatenation and keeps its quotes', () => {
    const text = "it's {{ request.object.metadata.name }} of {{ request.namespace }}\\";
    expect(textToCel(text, SCOPE).text).toBe(
      "'it\\'s ' + object.metadata.name + ' of ' + string(request.namespace) + '\\\\'",
    );
    expect(() => textToCel('{{ a.{{ b }} }}', SCOPE)).toThrow(/variable inside a variable/);
  });
});

describe('conditions', () => {
  const name = '{{ request.object.metadata.name }}';
  const count = '{{ length(request.object.spec.containers) }}';
  const added = '{{ request.object.spec.containers[].securityContext.capabilities.add[] }}';
  test.each([
    [name, 'Equals', 'a', "object.metadata.name == 'a'"],
    [name, 'NotEquals', 'a*', "!object.metadata.name.startsWith('a')"],
    [name, 'AnyIn', ['a', 'b*'], "object.metadata.name == 'a' || object.metadata.name.startsWith('b')"],
    [name, 'AllNotIn', ['a', 'b'], "!(object.metadata.name in ['a', 'b'])"],
    [count, 'GreaterThan', 3, 'size(object.spec.containers) > 3'],
    [count, 'Equals', '3', 'size(object.spec.containers) == 3'],
    [
      added,
      'AnyNotIn',
      ['CHOWN'],
      "object.?spec.?containers.orValue([]).filter(container, container.?securityContext.?capabilities.?add.hasValue()).map(container, container.securityContext.capabilities.add).exists(list, list.exists(item, item != 'CHOWN'))",
    ],
    [
      'ALL',
      'AnyNotIn',
      '{{ element.securityContext.capabilities.drop[] || `[]` }}',
      "!('ALL' in container.?securityContext.?capabilities.?drop.orValue([]))",
    ],
    [null, 'NotEquals', 'a', 'false'],
  ])('%j %s %j', (key, operator, value, expected) => {
    expect(conditionText({ all: [{ key, operator, value }] })).toBe(expected);
  });

  test('any and all are joined', () => {
    const condition = (value: string) => ({ key: name, operator: 'Equals', value });
    expect(conditionText({ any: [condition('a'), condition('b')], all: [condition('c')] })).toBe(
      "(object.metadata.name == 'a' || object.metadata.name == 'b') && object.metadata.name == 'c'",
    );
  });

  test.each([
    [name, 'DurationGreaterThan', '1h'],
    [name, 'Equals', '1h'],
    [count, 'Equals', 'many'],
    [name, 'AnyIn', '["a"]'],
  ])('%j %s %j has no translation', (key, operator, value) => {
    expect(() => conditionText({ all: [{ key, operator, value }] })).toThrow(Untranslatable);
  });
});

function conditionText(conditions: unknown): string {
  const read = readConditions(jsonOf(JSON.stringify(conditions)));
  if (read === undefined) throw new Error('no conditions');
  return conditionsToCel(read, SCOPE).text;
}
