// Variables and references in documents, and their context.
import { describe, expect, it } from 'vitest';
import { RegexCache } from '../../../../src/go/regexp/regex-cache.ts';
import { asDoubles } from '../../../../src/policy/kyverno/jmespath/as-doubles.ts';
import { fieldsOf } from '../../../../src/policy/kyverno/jmespath/origin.ts';
import {
  computedLoader,
  configMapLoader,
  variableLoader,
} from '../../../../src/policy/kyverno/variables/context-entry-loaders.ts';
import { namesEntry } from '../../../../src/policy/kyverno/variables/deferred-loaders.ts';
import { EvaluationContext } from '../../../../src/policy/kyverno/variables/evaluation-context.ts';
import { findVariables } from '../../../../src/policy/kyverno/variables/find-variables.ts';
import { QueryCache } from '../../../../src/policy/kyverno/variables/query-cache.ts';
import { substituteAll } from '../../../../src/policy/kyverno/variables/substitute.ts';
import { VariableError } from '../../../../src/policy/kyverno/variables/variable-error.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../../src/source/json/json.ts';
import { formatFieldPath } from '../../../../src/source/node/field-path.ts';
import { jsonOf } from './json-of.ts';

const environment = { regexes: new RegexCache(), defaultRegistry: 'docker.io', enableDefaultRegistryMutation: true };

const REQUEST = `{
  "operation": "CREATE", "namespace": "shop",
  "object": {
    "metadata": {"name": "checkout", "annotations": {"inject": "{{ request.namespace }}", "loop": "a {{ request.object.metadata.annotations.loop }}"}},
    "spec": {"replicas": 3, "containers": [{"name": "server", "image": "a:1"}, {"name": "log", "image": "b"}], "x": {"y": 1}}
  }
}`;

function contextOf(request = REQUEST): EvaluationContext {
  const context = new EvaluationContext({ environment, queries: new QueryCache() });
  context.addRequest(asDoubles(jsonOf(request)) as JsonObject);
  return context;
}

function show(value: JsonValue | VariableError): string {
  if (value instanceof VariableError) return `${value.kind}: ${value.message}`;
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}

function substituted(document: string, context = contextOf()): string {
  return show(substituteAll(context, jsonOf(document)));
}

describe('variables in strings', () => {
  it.each([
    ['a {{ x }} b', [' {{ x }}']],
    ['{{ x }}', ['{{ x }}']],
    ['\\{{ x }}', []],
    ['{{ a.{{ b }} }}', ['.{{ b }}']],
    ['{{a}}{{b}}', ['{{a}}']],
    ['{{ {a: b} }}', ['{{ {a: b} }}']],
    ['{{ `{"a": {}}` }}', []],
    ['{{ x }', []],
    ['x{{ y\n }}', ['x{{ y\n }}']],
  ])('%j contains %j', (text, expected) => {
    expect(findVariables(text)).toEqual(expected);
  });

  it.each([
    ['"{{ request.object.spec.replicas }}"', '3'],
    ['" {{ request.object.spec.replicas }}"', '" 3"'],
    ['"{{ request.object.spec.x }} of {{ request.object.metadata.name }}"', '"{\\"y\\":1} of checkout"'],
    ['"{{ request.object.spec.{{ \'x\' }}.y }}"', '1'],
    ['{"{{ request.namespace }}": ["{{ request.object.spec.x }}"]}', '{"shop":[{"y":1}]}'],
    ['"\\\\{{ request.namespace }}"', '"{{ request.namespace }}"'],
    // A value embedded in a string may contain variables. A value that replaces the whole string may not.
    ['"in {{ request.object.metadata.annotations.inject }}"', '"in shop"'],
    ['"{{ request.object.metadata.annotations.inject }}"', '"{{ request.namespace }}"'],
    ['"in {{- request.object.metadata.annotations.inject }}"', '"in {{ request.namespace }}"'],
    ['"n {{- request.object.spec.replicas }}"', 'panic: interface conversion: interface {} is float64, not string'],
    [
      '"{{ request.object.spec.missing }}"',
      'failure: failed to resolve request.object.spec.missing at path : JMESPath query failed: Unknown key "missing" in path',
    ],
    [
      '{"a": [{"b/c": "{{ request.object.spec. }}"}]}',
      'failure: failed to resolve request.object.spec. at path /a/0/b\\/c: incorrect query request.object.spec.: SyntaxError: Expected identifier, lbracket, or lbrace',
    ],
    ['"x {{ }}"', 'failure: failed to resolve  at path : invalid query (nil)'],
    [
      '{"{{ request.object.spec.x }}": 1}',
      'failure: expected string after substituting variables in key "{{ request.object.spec.x }}"',
    ],
    [
      '"{{ avg(`[]`) }} x"',
      'failure: failed to resolve avg(`[]`) at path : failed to marshal float64: unsupported value: NaN',
    ],
    [
      '"\u2014{{ request.namespace }}"',
      "failure: failed to resolve \ufffd\ufffd request.namespace at path : incorrect query \ufffd\ufffd request.namespace: SyntaxError: Unknown char: '\\ufffd'",
    ],
    [
      '{"validate": {"pattern": {"metadata": {"name": "{{@}}"}}}}',
      '{"validate":{"pattern":{"metadata":{"name":"checkout"}}}}',
    ],
    [
      '{"validate": {"pattern": {"spec": {"containers": [{"image": "{{@}}"}]}}}}',
      '{"validate":{"pattern":{"spec":{"containers":[{"image":"a:1"}]}}}}',
    ],
  ])('%s becomes %s', (document, expected) => {
    expect(substituted(document)).toBe(expected);
  });

  it('stops substitutions that Kyverno would never end', () => {
    expect(substituted('"x {{ request.object.metadata.annotations.loop }}"')).toMatch(/^limit: /);
  });

  it('uses the old object on DELETE', () => {
    const context = contextOf('{"operation": "DELETE", "oldObject": {"metadata": {"name": "gone"}}}');
    expect(substituted('"{{ request.object.metadata.name }}"', context)).toBe('"gone"');
  });
});

describe('references', () => {
  it.each([
    ['{"a": {"b": "x", "c": "is $(./../b)"}}', '{"a":{"b":"x","c":"is x"}}'],
    ['{"a": {"=(b)": "x", "c": "$(/a/b)"}}', '{"a":{"=(b)":"x","c":"x"}}'],
    ['{"a": {"b": 10, "c": "$(<=./../b)"}}', '{"a":{"b":10,"c":"<=10"}}'],
    ['{"a": {"b": 1.5, "c": "$(>./../b)"}}', '{"a":{"b":1.5,"c":">1.500000"}}'],
    ['{"a": "\\\\$(b)"}', '{"a":"$(b)"}'],
    ['{"a": "$(./../b)"}', 'failure: got nil resolved variable $(./../b) at path /a: <nil>'],
    ['{"a": "$(./../b)", "b": 5}', 'failure: NotResolvedReferenceErr,reference $(./../b) not resolved at path /a'],
  ])('%s becomes %s', (document, expected) => {
    expect(substituted(document)).toBe(expected);
  });
});

describe('context entries', () => {
  it.each([
    ['x', 'x.y', true],
    ['x', 'y.x', false],
    ['x', 'length(x)', true],
    ['x', 'my_x', true],
    ['x', 'max', false],
    ['my-map', '"my-map".data', true],
    ['x', 'xy', false],
  ])('%s is named by %s: %s', (name, query, expected) => {
    expect(namesEntry(query, name, environment.regexes)).toBe(expected);
  });

  it('load on first use, and see only earlier entries', () => {
    const context = contextOf();
    context.addLoader(variableLoader(context, { name: 'late', value: '{{ early }}!' }));
    context.addLoader(variableLoader(context, { name: 'early', value: 'e' }));
    context.addLoader(variableLoader(context, { name: 'last', jmesPath: 'early' }));
    expect(show(context.query('last'))).toBe('"e"');
    const other = contextOf();
    other.addLoader(variableLoader(other, { name: 'late', value: '{{ early }}!' }));
    other.addLoader(variableLoader(other, { name: 'early', value: 'e' }));
    expect(show(other.query('late'))).toBe(
      'failure: failed to substitute variables in context entry late {{ early }}!: failed to resolve early at path : JMESPath query failed: Unknown key "early" in path',
    );
  });

  it('use the default if the query fails or finds nothing', () => {
    const load = (jmesPath: string, fallback?: JsonValue): string => {
      const context = contextOf();
      context.addLoader(variableLoader(context, { name: 'v', jmesPath, default: fallback }));
      return show(context.query('v'));
    };
    expect(load('request.object.spec.missing', 'd')).toBe('"d"');
    expect(load('request.object.spec.missing')).toBe(
      'failure: failed to apply jmespath request.object.spec.missing to variable <nil>: JMESPath query failed: Unknown key "missing" in path',
    );
    expect(load('request.object.spec.containers[5]')).toBe(
      'failure: failed to add context entry for variable v since it evaluated to nil',
    );
    expect(load('time_now()', 'd')).toMatch(/^unknown: /);
  });

  it('contain ConfigMaps, and are unknown if only a cluster has the data', () => {
    const context = contextOf();
    const source = (namespace: string, name: string): JsonObject =>
      new Map([['data', new Map([['key', `${namespace}/${name}`]])]]);
    const entry = { name: 'cm', configMapName: 'settings', configMapNamespace: '{{ request.namespace }}' };
    context.addLoader(configMapLoader(context, entry, source, ''));
    context.addLoader(computedLoader(context, 'pods', () => new VariableError('unknown', 'no cluster')));
    expect(show(context.query('cm.data.key'))).toBe('"shop/settings"');
    expect(substituted('"{{ length(pods) }}"', context)).toBe('unknown: no cluster');
    const namespaced = contextOf();
    namespaced.addLoader(configMapLoader(namespaced, { ...entry, configMapNamespace: 'other' }, source, 'shop'));
    expect(show(namespaced.query('cm'))).toContain(
      'configMap namespace "other" is different from policy namespace "shop"',
    );
  });

  it('are limited in size', () => {
    const context = new EvaluationContext({ environment, queries: new QueryCache(), maxSize: 10 });
    expect(context.addContextEntry('small', 'x')).toBeUndefined();
    expect(context.addContextEntry('large', 'xxxxxxxxxx')?.message).toBe(
      'context size limit exceeded: 15 bytes exceeds limit of 10 bytes',
    );
  });
});

describe('checkpoints', () => {
  it('restore the previous state, and load entries again for each element', () => {
    const context = contextOf();
    context.addLoader(variableLoader(context, { name: 'outer', value: 'o' }));
    context.checkpoint();
    const seen: string[] = [];
    for (const [index, element] of ['a', 'b'].entries()) {
      context.reset();
      context.addElement(element, index, 0);
      context.addLoader(
        variableLoader(context, { name: 'inner', value: '{{ outer }}{{ element }}{{ elementIndex0 }}' }),
      );
      seen.push(show(context.query('inner')));
    }
    context.restore();
    expect(seen).toEqual(['"oa0"', '"ob1"']);
    expect(show(context.query('element'))).toMatch(/^not-found/);
    expect(show(context.query('outer'))).toBe('"o"');
  });

  it('merge objects and set service account names', () => {
    const context = contextOf();
    context.addUserInfo(jsonOf('{"userInfo": {"username": "u"}, "roles": []}') as JsonObject);
    context.addServiceAccount('system:serviceaccount:shop:deployer');
    expect(
      show(
        context.query('[request.namespace, request.userInfo.username, serviceAccountName, serviceAccountNamespace]'),
      ),
    ).toBe('["shop","u","deployer","shop"]');
  });
});

describe('reads', () => {
  it('are traced through variables and elements to the object', () => {
    const context = contextOf();
    const paths: string[] = [];
    context.observer = {
      read: (origin, use) => {
        if (use === 'result') paths.push(...fieldsOf(origin).map(formatFieldPath));
      },
      unordered: () => {},
    };
    context.addLoader(variableLoader(context, { name: 'images', jmesPath: 'request.object.spec.containers[].image' }));
    context.addLoader(variableLoader(context, { name: 'count', jmesPath: 'length(request.object.spec.containers)' }));
    context.query('images[1]');
    context.query('count');
    expect(paths.at(-1)).toBe('request.object.spec.containers');
    expect(paths).toContain('request.object.spec.containers[1].image');
  });
});
