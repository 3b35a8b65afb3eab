// `preadmit test`: passed tests, failed tests, and their reports.
import { describe, expect, it } from 'vitest';
import { type PolicyTestInput, runPolicyTests } from '../src/pipeline/test/run-policy-tests.ts';
import { testPolicies } from '../src/pipeline/test/test-policies.ts';
import type { TestDifference, TestSuite } from '../src/report/explanation/policy-test.ts';
import type { TestCoverage } from '../src/report/explanation/test-coverage.ts';
import { lcov } from '../src/report/format/text/coverage-text.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { binding, type Json, policy } from './support/review.ts';

const CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'shop' },
  data: { size: '5' },
};

function run(tests: Json, files: Readonly<Record<string, readonly Json[]>> = {}): TestSuite {
  return runPolicyTests(inputOf(tests, files));
}

function inputOf(tests: Json, given: Readonly<Record<string, readonly Json[]>>): PolicyTestInput {
  const files = Object.fromEntries(
    Object.entries(given).map(([path, objects]) => [
      path,
      objects.map((object, index) => new SourceFile(`${path}/${index}.json`, JSON.stringify(object))),
    ]),
  );
  return {
    file: new SourceFile('a.preadmit-test.yaml', JSON.stringify(tests)),
    read: (path) => files[path],
    kubernetesVersion: '1.36',
    versionProblem: (version) => (version.startsWith('1.') ? undefined : 'is no version'),
    isWanted: () => true,
    now: () => 0,
    seconds: 0,
  };
}

/** Differences of one test for a policy `p` with these fields. */
function differences(spec: Json, test: Json, bound: Json = {}): readonly TestDifference[] {
  const suite = run(
    { policies: ['p'], tests: [{ name: 't', object: CONFIG_MAP, ...test }] },
    { p: [policy(spec), binding(bound)] },
  );
  expect(suite.problems).toEqual([]);
  return suite.tests.flatMap((each) => each.differences);
}

const SIZE = { validations: [{ expression: 'int(object.data.size) < 4', message: 'too large' }] };

describe('expectations', () => {
  it.each([
    ['a message', SIZE, { expect: { denied: 'too large' } }],
    ['a part of one', SIZE, { expect: { denied: [{ policy: 'p', rule: 'validations[0]', contains: 'large' }] } }],
    ['a pattern', SIZE, { expect: { denied: [{ matches: '^too (large|small)$' }] } }],
    ['a patch', SIZE, { with: { data: { size: '1' } }, expect: 'allowed' }],
    [
      'an update',
      { validations: [{ expression: 'oldObject.data.size == object.data.size' }] },
      { oldObject: CONFIG_MAP, expect: 'allowed' },
    ],
    [
      'a deletion',
      { validations: [{ expression: "object == null && oldObject.data.size == '5'" }] },
      { operation: 'DELETE', expect: 'allowed' },
    ],
    [
      'a user',
      { validations: [{ expression: "request.userInfo.username == 'alice'" }] },
      { user: { username: 'alice' }, expect: 'allowed' },
    ],
    [
      'a skipped policy',
      { ...SIZE, matchConditions: [{ name: 'never', expression: 'false' }] },
      { expect: { skipped: ['p'] } },
    ],
    [
      'an object that the server rejects',
      SIZE,
      { object: { ...CONFIG_MAP, dat: {} }, expect: { refused: 'unknown field "dat"' } },
    ],
    [
      'a Namespace',
      { validations: [{ expression: "namespaceObject.metadata.labels.env == 'test'" }] },
      {
        resources: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { env: 'test' } } }],
        expect: 'allowed',
      },
    ],
  ])('%s', (_, spec, test) => {
    expect(differences(spec, test)).toEqual([]);
  });

  it.each([
    ['Warn', 'warned'],
    ['Audit', 'audited'],
  ])('%s is %s', (action, list) => {
    expect(differences(SIZE, { expect: { [list]: 'too large' } }, { validationActions: [action] })).toEqual([]);
  });

  it.each([
    [
      'allowed and denied',
      { expect: 'allowed' },
      { message: 'denied unexpectedly', actual: 'p validations[0]: too large' },
    ],
    [
      'another message',
      { expect: { denied: 'large' } },
      { message: 'denied with an unexpected message', expected: 'large' },
    ],
    [
      'denied and allowed',
      { with: { data: { size: '1' } }, expect: { denied: [{ policy: 'p' }] } },
      { message: 'not denied', expected: 'p' },
    ],
    [
      'skipped and applied',
      { expect: { denied: 'too large', skipped: ['p'] } },
      { message: expect.stringContaining('p applies') },
    ],
    [
      'skipped without a policy',
      { expect: { denied: 'too large', skipped: ['q'] } },
      { message: expect.stringContaining('no policy `q`') },
    ],
    ['no object', { object: undefined, expect: 'allowed' }, { message: 'the test has no `object`' }],
    ['no expectation', {}, { message: expect.stringContaining('has no expectation') }],
    [
      'an object without a kind',
      { object: { metadata: {} }, expect: 'allowed' },
      { message: expect.stringContaining('no object') },
    ],
    ['a missing file', { object: 'x.yaml', expect: 'allowed' }, { message: '`x.yaml` does not exist' }],
  ])('%s fails', (_, test, difference) => {
    expect(differences(SIZE, test)).toEqual([expect.objectContaining(difference)]);
  });

  it('show the steps of the policy on failure', () => {
    const [{ why } = {}] = differences(SIZE, { expect: 'allowed' });
    expect(JSON.stringify(why)).toContain('"text":"int(object.data.size) < 4","value":"false"');
  });
});

it('a table has a test for each row, based on the test', () => {
  const suite = run(
    {
      policies: ['p'],
      tests: [
        {
          name: 'size',
          object: CONFIG_MAP,
          with: { metadata: { name: 'd' } },
          expect: { denied: 'too large' },
          each: [{ name: 'five' }, { with: { data: { size: '1' } }, expect: 'allowed' }],
        },
      ],
    },
    { p: [policy(SIZE), binding()] },
  );
  expect(suite.tests).toMatchObject([
    { name: 'size › five', differences: [] },
    { name: 'size › 2', differences: [] },
  ]);
});

it.each([
  [{ tests: [{ name: 'a', expct: 'allowed' }] }, '`tests[0]` has no key `expct`', 'did you mean `expect`?'],
  [{ tests: [{ expect: 'allowed' }] }, '`tests[0]` needs `name`', undefined],
  [
    { tests: [{ name: 'a', expect: 'allow' }] },
    '`tests[0].expect` must be `allowed`, or an object such as `denied: <message>`, not a string',
    undefined,
  ],
  [{ policies: ['q'], tests: [] }, '`q` does not exist', undefined],
  [{ kubernetesVersion: 'x', tests: [] }, '`x` is no version', undefined],
])('%j is wrong', (tests, message, help) => {
  const { problems } = run(tests);
  expect(problems).toEqual([{ message, place: expect.anything(), ...(help !== undefined && { help }) }]);
});

describe('coverage of tests', () => {
  const both = "has(object.data.size) && (int(object.data.size) < 4 || object.metadata.name == 'big')";
  const inputs = (tests: Json, expression = both) => [
    inputOf(
      { policies: ['p'], tests },
      {
        p: [policy({ validations: [{ expression }] }), binding()],
      },
    ),
  ];
  const sized = (name: string, size: string | undefined, expect: Json, objectName = 'c') => ({
    name,
    object: {
      ...CONFIG_MAP,
      metadata: { name: objectName, namespace: 'shop' },
      data: size === undefined ? { other: '' } : { size },
    },
    expect,
  });
  const denied = { denied: [{ policy: 'p', contains: 'failed expression' }] };
  const complete = [
    sized('without', undefined, denied),
    sized('small', '3', 'allowed'),
    sized('large', '4', denied),
    sized('large of another name', '4', 'allowed', 'big'),
  ];

  it('is complete if each part was true and false', () => {
    const { coverage, mutations } = testPolicies(inputs(complete), { coverage: true, mutants: true });
    expect(coverage).toMatchObject({ missing: [], covered: coverage?.total });
    expect(mutations).toMatchObject({ unnoticed: [], noticed: mutations?.tried });
    expect(mutations?.tried).toBeGreaterThan(8);
  });

  it('lists results that never occurred, with the location of the part', () => {
    const { coverage, mutations } = testPolicies(inputs(complete.slice(1, 2)), { coverage: true, mutants: true });
    const column = (text: string) => JSON.stringify(policy({ validations: [{ expression: both }] })).indexOf(text) + 1;
    expect(coverage?.missing.map(({ text, what, place }) => [text, what, place.startColumn])).toEqual([
      [both, 'never false', column(both)],
      ['has(object.data.size)', 'never false', column('has(')],
      [both.slice(26, -1), 'never false', column('int(')],
      ['int(object.data.size) < 4', 'never false', column('int(')],
      ["object.metadata.name == 'big'", 'never reached', column('object.metadata.name')],
    ]);
    expect(mutations?.unnoticed.map(({ change }) => change)).toContain('`<=` for `<` in `int(object.data.size) < 4`');
  });

  it('includes elements, branches and bindings', () => {
    const expression = "object.metadata.name == 'c' ? object.data.all(key, key == 'size') : object.data.size == '1'";
    const asked = inputs([sized('one', '3', 'allowed')], expression);
    const { coverage } = testPolicies(asked, { coverage: true, mutants: false });
    expect(coverage?.missing.map(({ text, what }) => `${text} ${what}`)).toEqual([
      `${expression} never false`,
      "object.metadata.name == 'c' never false",
      "object.data.all(key, key == 'size') never false",
      "key == 'size' never false",
      "object.data.size == '1' never reached",
    ]);
    expect(lcov(coverage as TestCoverage)).toContain('BRF:10\nBRH:4\n');
  });

  it('is not reported for changes if a test fails', () => {
    const report = testPolicies(inputs([sized('one', '9', 'allowed')]), { coverage: false, mutants: true });
    expect(report.failed).toBe(1);
    expect(report).not.toHaveProperty('mutations');
  });
});
