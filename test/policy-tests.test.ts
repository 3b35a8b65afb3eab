// `preadmit test`: what passes, what fails and how that is told.
import { describe, expect, it } from 'vitest';
import { runPolicyTests } from '../src/pipeline/run-policy-tests.ts';
import type { TestDifference, TestSuite } from '../src/report/policy-test.ts';
import { SourceFile } from '../src/source/source-file.ts';
import { binding, type Json, policy } from './support/review.ts';

const CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'shop' },
  data: { size: '5' },
};

function run(tests: Json, files: Readonly<Record<string, readonly Json[]>> = {}): TestSuite {
  return runPolicyTests({
    file: new SourceFile('a.preadmit-test.yaml', JSON.stringify(tests)),
    read: (path) =>
      files[path]?.map((object, index) => new SourceFile(`${path}/${index}.json`, JSON.stringify(object))),
    kubernetesVersion: '1.36',
    versionProblem: (version) => (version.startsWith('1.') ? undefined : 'is no version'),
    isWanted: () => true,
    now: () => 0,
  });
}

/** Of one test over a policy `p` with these fields, what is not as expected. */
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
      'what the server refuses',
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
      { message: 'denied with other words than expected', expected: 'large' },
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
      'skipped without there being one',
      { expect: { denied: 'too large', skipped: ['q'] } },
      { message: expect.stringContaining('no policy `q`') },
    ],
    ['no object', { object: undefined, expect: 'allowed' }, { message: 'the test has no `object`' }],
    ['no expectation', {}, { message: expect.stringContaining('expects nothing') }],
    [
      'an object without a kind',
      { object: { metadata: {} }, expect: 'allowed' },
      { message: expect.stringContaining('no object') },
    ],
    ['a file that is not there', { object: 'x.yaml', expect: 'allowed' }, { message: '`x.yaml` is not there' }],
  ])('%s fails', (_, test, difference) => {
    expect(differences(SIZE, test)).toEqual([expect.objectContaining(difference)]);
  });

  it('fails with the steps of the policy', () => {
    const [{ why } = {}] = differences(SIZE, { expect: 'allowed' });
    expect(JSON.stringify(why)).toContain('"text":"int(object.data.size) < 4","value":"false"');
  });
});

it('a table has a test for each row, over what the test says', () => {
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
  [{ policies: ['q'], tests: [] }, '`q` is not there', undefined],
  [{ kubernetesVersion: 'x', tests: [] }, '`x` is no version', undefined],
])('%j is wrong', (tests, message, help) => {
  const { problems } = run(tests);
  expect(problems).toEqual([{ message, place: expect.anything(), ...(help !== undefined && { help }) }]);
});
