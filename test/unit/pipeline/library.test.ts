// The library's functions with plain objects and texts, and inputs that must never be allowed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  check,
  compileExpression,
  type EvaluateInput,
  evaluate,
  InputError,
  review,
  test as runTests,
  SourceFile,
} from '../../../src/browser.ts';
import { jsonValueOf, plainValueOf } from '../../../src/pipeline/library/input-source.ts';
import { tries } from '../../support/tries.ts';

const SHOP = join(import.meta.dirname, '../../../examples/shop');
const shop = (path: string): string => readFileSync(join(SHOP, path), 'utf8');

const policy = (expression: string, action = 'Deny'): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: one }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }]
  validations: [{ expression: ${JSON.stringify(expression)}, message: told }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: one }
spec: { policyName: one, validationActions: [${action}] }
`;

const configMap = (data: object, name = 'a'): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  data,
});

const verdict = (expression: string, more: Partial<EvaluateInput> = {}): string =>
  evaluate({ policies: policy(expression), object: configMap({ a: '1' }), ...more }).verdict;

describe('evaluate', () => {
  test('treats texts, plain objects, files and lists of them alike', () => {
    const object = configMap({ a: '1' });
    for (const each of [object, [object], JSON.stringify(object), new SourceFile('x.yaml', JSON.stringify(object))]) {
      const { verdict, findings, objects } = evaluate({ policies: policy("object.data.a != '1'"), object: each });
      expect([verdict, findings.map(({ message, fieldPath }) => [message, fieldPath]), objects.length]).toEqual([
        'denied',
        [['told', 'data.a']],
        1,
      ]);
    }
  });

  test('reports the location of a field in a plain object', () => {
    const [finding] = evaluate({ policies: policy("object.data.a != '1'"), object: configMap({ a: '1' }) }).findings;
    expect(finding?.primary).toMatchObject({ path: 'object.yaml', startLine: 9 });
  });

  it.each([
    ["request.operation == 'CREATE'", {}, 'allowed'],
    ["request.operation == 'DELETE' && oldObject.data.a == '1' && object == null", { operation: 'DELETE' }, 'allowed'],
    ["request.operation == 'UPDATE' && oldObject.data.a == '0'", { oldObject: configMap({ a: '0' }) }, 'allowed'],
    [
      "request.userInfo.username == 'jane' && request.userInfo.groups == ['x']",
      { user: { username: 'jane', groups: ['x'] } },
      'allowed',
    ],
    ["namespaceObject.metadata.labels.team == 'x'", { namespaceLabels: { team: 'x' } }, 'allowed'],
    [
      "namespaceObject.metadata.labels.team == 'x'",
      { resources: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'x' } } } },
      'allowed',
    ],
    ["namespaceObject.metadata.labels.team == 'x'", {}, 'denied'],
    ["ip('10.0.0.1').family() == 4", { kubernetesVersion: '1.31' }, 'allowed'],
    ["ip('10.0.0.1').family() == 4", { kubernetesVersion: '1.28' }, 'undecided'],
  ] as const)('%s with %j: %s', (expression, more, expected) => {
    expect(verdict(expression, more as Partial<EvaluateInput>)).toBe(expected);
  });

  it.each([
    ['no policy', ''],
    ['a policy without a binding', policy('true').split('---')[0] as string],
    ['a policy that does not compile', policy('object.')],
    ['a text that is not YAML', `${policy('true')}---\na: [`],
  ])('takes %s for undecided', (_name, policies) => {
    expect(evaluate({ policies, object: configMap({}) }).verdict).toBe('undecided');
  });

  test('is undecided if a document among the objects is broken', () => {
    const object = `${JSON.stringify(configMap({}))}\n---\nkind: [`;
    expect(evaluate({ policies: policy('true'), object }).verdict).toBe('undecided');
  });

  test('denies an object that every server rejects, with the reason', () => {
    const { verdict, problems } = evaluate({ policies: policy('true'), object: configMap({ a: 1 }) });
    expect([verdict, problems.map(({ severity }) => severity)]).toEqual(['denied', ['error']]);
  });

  test('allows a warning and reports it', () => {
    const { verdict, findings } = evaluate({ policies: policy('false', 'Warn'), object: configMap({}) });
    expect([verdict, findings.map(({ severity }) => severity)]).toEqual(['allowed', ['warning']]);
  });

  test('evaluates each object separately, in order', () => {
    const object = [configMap({ a: '1' }, 'a'), configMap({ a: '2' }, 'b')];
    const { objects } = evaluate({ policies: policy("object.data.a != '1'"), object });
    expect(objects.map((each) => [each.resource.name, each.verdict])).toEqual([
      ['a', 'denied'],
      ['b', 'allowed'],
    ]);
  });

  test('returns the object after mutating policies', () => {
    const policies = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: team }
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"team": "x"}}}' }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: team }
spec: { policyName: team }
---
${policy("object.metadata.labels.team == 'x'")}`;
    const { verdict, objects } = evaluate({ policies, object: configMap({ a: '1' }) });
    expect([verdict, objects[0]?.changes]).toEqual(['allowed', [{ policy: 'team', fieldPaths: ['metadata.labels'] }]]);
    expect(objects[0]?.mutated).toEqual({
      ...configMap({ a: '1' }),
      metadata: { name: 'a', namespace: 'shop', labels: { team: 'x' } },
    });
    expect(evaluate({ policies: policy('true'), object: configMap({}) }).objects[0]).not.toHaveProperty('mutated');
  });

  test('explains with the values of the expression', () => {
    const { objects } = evaluate({
      policies: policy("object.data.a != '1'"),
      object: configMap({ a: '1' }),
      explain: true,
    });
    expect(JSON.stringify(objects[0]?.policies)).toContain('"text":"object.data.a","value":"\\"1\\""');
  });

  it.each([
    [{ kubernetesVersion: '3.1' }, 'bad-version'],
    [{ operation: 'UPDATE' }, 'bad-operation'],
    [{ operation: 'CREATE', oldObject: configMap({}) }, 'bad-operation'],
    [{ operation: 'UPDATE', oldObject: configMap({}, 'other') }, 'bad-operation'],
    [{ object: '', policies: '' }, 'no-object'],
    [{ object: { apiVersion: 'v1', a: Number.NaN } }, 'not-json'],
    [{ object: { a: () => 1 } }, 'not-json'],
  ] as const)('throws for %j: %s', (more, code) => {
    expect(() => verdict('true', more as Partial<EvaluateInput>)).toThrow(
      expect.objectContaining({ name: 'InputError', code }),
    );
  });

  test('throws for a circular reference', () => {
    const circle: Record<string, unknown> = configMap({}) as Record<string, unknown>;
    circle['self'] = circle;
    expect(() => evaluate({ policies: '', object: circle })).toThrow(InputError);
  });
});

describe('compileExpression', () => {
  test('returns type, value and cost', () => {
    const compiled = compileExpression('{"a": [object.x, dyn(duration("1h"))]}["a"]');
    expect(compiled.issues).toBeUndefined();
    if (compiled.issues === undefined)
      expect(compiled.evaluate({ object: { x: 2n ** 60n } })).toMatchObject({ value: [2n ** 60n, '1h0m0s'] });
  });

  test('returns an evaluation error as a result', () => {
    const compiled = compileExpression('object.missing == 1');
    if (compiled.issues === undefined)
      expect(compiled.evaluate({ object: {} })).toMatchObject({ error: 'no such key: missing' });
  });

  test('reports issues with offsets', () => {
    expect(compileExpression('object.x.startWith("a")').issues?.[0]).toMatchObject({ offset: 18 });
  });

  test('ignores inherited properties of plain objects', () => {
    const compiled = compileExpression('has(object.constructor) || has(object.__proto__)');
    if (compiled.issues === undefined) expect(compiled.evaluate({ object: {} })).toMatchObject({ value: false });
  });
});

describe('review, check and test', () => {
  test('rejects a value that is not an AdmissionReview', () => {
    expect(() => review({ policies: '', review: { kind: 'Pod' } })).toThrow(
      expect.objectContaining({ code: 'bad-review' }),
    );
  });

  test('returns a denial like a webhook', () => {
    const request = {
      uid: 'u',
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      operation: 'CREATE',
      name: 'a',
      namespace: 'shop',
      userInfo: { username: 'jane' },
      object: configMap({}),
    };
    const answer = review({
      policies: policy('false'),
      review: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request },
    });
    expect(answer.review).toMatchObject({ response: { uid: 'u', allowed: false, status: { code: 422 } } });
  });

  const FILES = Object.fromEntries(
    [
      'policies/replica-limit.yaml',
      'policies/replica-limit.preadmit-test.yaml',
      'platform/replica-limits.yaml',
      'namespaces/shop-production.yaml',
      'namespaces/shop-staging.yaml',
      'apps/storefront/deployment.yaml',
    ].map((path) => [path, shop(path)]),
  );

  test('checks files with the configuration among them', () => {
    expect(check({ files: FILES }).verdict).toMatchObject({ conclusion: 'denied', denied: 1 });
    expect(check({ files: { ...FILES, '.preadmit.yaml': 'failOn: never\n' } }).verdict.conclusion).toBe('allowed');
    expect(() => check({ files: FILES, configuration: 'failOn: often' })).toThrow(
      expect.objectContaining({ code: 'bad-configuration' }),
    );
  });

  test('runs tests', () => {
    const { passed, failed } = runTests({ files: FILES });
    expect([passed > 2, failed]).toEqual([true, 0]);
  });
});

test('converts plain values to JSON and back without changes', () => {
  const isOdd = (value: unknown): boolean =>
    Object.is(value, -0) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  const plain = fc
    .jsonValue({ maxDepth: 4 })
    .map((value): unknown => JSON.parse(JSON.stringify(value), (_key, each: unknown) => (isOdd(each) ? 0 : each)));
  fc.assert(
    fc.property(plain, (value) => {
      expect(JSON.stringify(plainValueOf(jsonValueOf(value, 'value')))).toBe(JSON.stringify(value));
    }),
    tries(200, 20261122),
  );
});
