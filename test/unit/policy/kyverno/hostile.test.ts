// Malicious policies and objects: evaluation always ends, and undecided results are reported.
import { describe, expect, test } from 'vitest';
import { checkState } from '../../../../src/pipeline/check-state.ts';
import type { Report } from '../../../../src/report/report.ts';
import { defaultConfiguration } from '../../../../src/settings/configuration.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

function check(validate: unknown, annotations: Readonly<Record<string, string>> = {}, rule: object = {}): Report {
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'hostile' },
    spec: {
      background: false,
      rules: [{ name: 'rule', match: { any: [{ resources: { kinds: ['ConfigMap'] } }] }, ...rule, validate }],
    },
  };
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'map', namespace: 'shop', annotations },
    data: { a: 'b' },
  };
  const file = new SourceFile('all.yaml', `${JSON.stringify(policy)}\n---\n${JSON.stringify(object)}\n`);
  return checkState({
    files: [{ file, selected: true }],
    paths: new Set(['all.yaml']),
    notRead: [],
    configuration: defaultConfiguration(),
  });
}

function said(report: Report): string {
  return [...report.findings, ...report.diagnostics].map(({ message }) => message).join('\n');
}

function nested(depth: number, inner: unknown): unknown {
  let value = inner;
  for (let count = 0; count < depth; count++) value = { data: value };
  return value;
}

const DENY_ALWAYS = { conditions: { any: [{ key: 'a', operator: 'Equals', value: 'a' }] } };

describe('bombs', () => {
  test.each([
    ['a deeply nested pattern', { pattern: nested(400, '?*') }, /failed at path \/data\/data\//],
    [
      'a pattern of wildcards',
      { pattern: { metadata: { annotations: { text: `${'*a'.repeat(300)}b` } } } },
      /failed at path \/metadata\/annotations\/text\//,
    ],
    ['a query that is nested deeply', denied(`{{ ${'('.repeat(3000)}request${')'.repeat(3000)} }}`), /incorrect query/],
    [
      'a large regular expression',
      denied("{{ regex_match('((a{1,100}){1,100}){1,100}', 'b') }}"),
      /invalid repeat count/,
    ],
  ])('%s', (_, validate, expected) => {
    expect(said(check(validate, { text: 'a'.repeat(20_000) }))).toMatch(expected);
  });

  test('a regular expression does not backtrack', () => {
    const validate = denied("{{ regex_match('^(a+)+$', request.object.metadata.annotations.text) }}");
    expect(check(validate, { text: `${'a'.repeat(20_000)}b` }).findings).toEqual([]);
  });

  test('variables that double a string with each step are stopped', () => {
    const context = Array.from({ length: 40 }, (_, index) => {
      const before = index === 0 ? 'request.object.metadata.annotations.text' : `v${index - 1}`;
      return { name: `v${index}`, variable: { jmesPath: `join('', [${before}, ${before}])` } };
    });
    const report = check(denied('{{ length(v39) }}'), { text: 'a'.repeat(20_000) }, { context });
    expect(report.findings).toHaveLength(1);
    expect(said(report)).toMatch(/failed to apply jmespath join/);
  });
});

function denied(key: string): object {
  return { deny: { conditions: { any: [{ key, operator: 'Equals', value: 'x' }] } } };
}

describe('variables in values of objects', () => {
  const message = 'said: {{ request.object.metadata.annotations.text }}';

  test('are evaluated as in Kyverno, only on the request', () => {
    const report = check({ message, deny: DENY_ALWAYS }, { text: '{{ request.object.metadata.name }}' });
    expect(said(report)).toContain('said: map');
  });

  test('cannot access the process', () => {
    const report = check({ message, deny: DENY_ALWAYS }, { text: '{{ env.HOME }}{{ process }}{{ constructor }}' });
    expect(said(report)).not.toMatch(/\/root|\/home|\[native code\]/);
    expect(report.findings).toHaveLength(1);
  });

  test('that contain themselves are stopped', () => {
    const text = '{{ request.object.metadata.annotations.text }}{{ request.object.metadata.annotations.text }}';
    const report = check({ message, deny: DENY_ALWAYS }, { text });
    expect(said(report)).toMatch(/exceeds the limit of variable substitutions/);
  });
});

test('a deeply nested foreach ends', () => {
  let loop: object = { list: 'request.object.data.*', deny: DENY_ALWAYS };
  for (let depth = 0; depth < 60; depth++) loop = { list: 'request.object.data.*', foreach: [loop] };
  const report = check({ message: 'no', foreach: [loop] });
  expect(said(report)).not.toMatch(/Maximum call stack/);
  expect(report.findings.length + report.diagnostics.length).toBeGreaterThan(0);
});

test('a nested foreach over many elements spends the run’s budget, which is reported', () => {
  const list = `\`${JSON.stringify(Array.from({ length: 300 }, (_, index) => index))}\``;
  let loop: object = { list, deny: { conditions: { any: [{ key: '{{ element }}', operator: 'Equals', value: -1 }] } } };
  for (let depth = 0; depth < 4; depth++) loop = { list, foreach: [loop] };
  const configuration = { ...defaultConfiguration(), workLimit: 3_000_000 };
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'hostile' },
    spec: {
      rules: [
        {
          name: 'rule',
          match: { any: [{ resources: { kinds: ['ConfigMap'] } }] },
          validate: { message: 'no', foreach: [loop] },
        },
      ],
    },
  };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map', namespace: 'shop' } };
  const file = new SourceFile('all.yaml', `${JSON.stringify(policy)}\n---\n${JSON.stringify(object)}\n`);
  const report = checkState({
    files: [{ file, selected: true }],
    paths: new Set(['all.yaml']),
    notRead: [],
    configuration,
  });
  expect(report.diagnostics.map(({ code }) => code)).toContain('too-much-work');
  expect(said(report)).toContain('hostile');
});
