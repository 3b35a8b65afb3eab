// Every key of a `*.preadmit-test.yaml` with type and meaning. The reader, the JSON Schema and docs/testing.md follow this file.
import { isJsonArray, isJsonObject, type JsonObject } from '../source/json/json.ts';
import { Derivation, type SourceFile } from '../source/text/source-file.ts';
import { user } from './configuration-shape.ts';
import { choice, type JsonSchema, listShape, object, type Shape, type ShapeType, textShape } from './shape.ts';
import { readShapedFile, type ShapedFile } from './shaped-file.ts';

export const POLICY_TEST_SUFFIX = '.preadmit-test.yaml';

const path = textShape('A file or folder, relative to the test file.', emptyProblem, { minLength: 1 });

const anyObject: Shape<JsonObject> = {
  schema: { type: 'object' },
  read: (value, at, problems) => (isJsonObject(value) ? value : problems.wrongType(value, at, 'an object')),
};

/** A path of a file, or the object itself. */
function objectShape(description: string): Shape<string | JsonObject> {
  return {
    schema: { description, anyOf: [path.schema, { type: 'object' }] },
    read: (value, at, problems) => {
      if (isJsonObject(value)) return value;
      return typeof value === 'string'
        ? path.read(value, at, problems)
        : problems.wrongType(value, at, 'a file or an object');
    },
  };
}

const failure = object('An expected failure. Keys that it omits match any value.', {
  policy: textShape('Name of the policy.', emptyProblem, { minLength: 1 }),
  rule: textShape('The rule as named in reports: `validations[0]`.', emptyProblem, { minLength: 1 }),
  message: textShape('The complete message.'),
  contains: textShape('A part of the message.', emptyProblem, { minLength: 1 }),
  matches: textShape('A regular expression (RE2) that matches a part of the message.', emptyProblem, { minLength: 1 }),
});

export type ExpectedFailure = ShapeType<typeof failure>;

/** A single string is the complete message of the only failure. */
function failuresShape(description: string): Shape<readonly ExpectedFailure[]> {
  const list = listShape('', { ...failure, read: readFailure });
  const items = { anyOf: [{ type: 'string' }, failure.schema] };
  return {
    schema: { description, anyOf: [{ type: 'string' }, { type: 'array', items, minItems: 1 }] },
    read: (value, at, problems) =>
      isJsonArray(value) ? list.read(value, at, problems) : one(readFailure(value, at, problems)),
  };
}

const readFailure: (typeof failure)['read'] = (value, at, problems) =>
  typeof value === 'string' ? { message: value } : failure.read(value, at, problems);

function one<T>(value: T | undefined): readonly T[] | undefined {
  return value === undefined ? undefined : [value];
}

const expectation = object('The expected outcome. Failures that are not listed must not occur.', {
  denied: failuresShape('Failures that deny the request: one message, or a list.'),
  warned: failuresShape('Failures that warn.'),
  audited: failuresShape('Failures that are audited.'),
  undecided: failuresShape('Rules that cannot be decided without a cluster.'),
  refused: textShape(
    'The error of the API server for the object itself, before any policy is evaluated. A part of the text is enough.',
  ),
  skipped: listShape(
    'Policies that do not apply to the request, by name.',
    textShape('Name of a policy.', emptyProblem, { minLength: 1 }),
  ),
  mutated: {
    ...anyObject,
    schema: {
      description: 'Fields of the object after mutating policies; null: the field is absent.',
      type: 'object',
    },
  },
});

/** `allowed` means: nothing is denied, warned about, audited or undecided. */
const expected: Shape<ShapeType<typeof expectation>> = {
  schema: {
    description: '`allowed`, or the expected outcome.',
    anyOf: [{ const: 'allowed' }, expectation.schema],
  },
  read: (value, at, problems) => {
    if (value === 'allowed') return {};
    if (isJsonObject(value)) return expectation.read(value, at, problems);
    return problems.wrongType(value, at, '`allowed`, or an object such as `denied: <message>`');
  },
};

export type ExpectedOutcome = ShapeType<typeof expectation>;

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE'] as const;

const REQUEST = {
  object: objectShape(
    'The object of the request: a file, or the object itself. With DELETE: the object that is deleted.',
  ),
  oldObject: objectShape('The previous object of an UPDATE.'),
  with: {
    ...anyObject,
    schema: { description: 'A JSON merge patch for the object; `null` removes a field.', type: 'object' },
  },
  operation: choice('Default: UPDATE if there is an `oldObject`, otherwise CREATE.', OPERATIONS),
  user,
  resources: listShape(
    'Other objects in the cluster for this test: params, Namespaces, definitions, RBAC; as files or objects.',
    objectShape('A file, a folder, or an object.'),
  ),
};

const row = object('One row of a table; its keys override those of the test.', {
  name: textShape('The tested behaviour.', emptyProblem, { minLength: 1 }),
  ...REQUEST,
  expect: expected,
});

const test = object(
  'One request with its expected outcome, or a table of requests.',
  {
    name: textShape('The tested behaviour.', emptyProblem, { minLength: 1 }),
    ...REQUEST,
    expect: expected,
    each: listShape('A request for each row.', row),
  },
  ['name'],
);

function policyTestShape() {
  return object(
    'Tests of policies, run by `preadmit test`.',
    {
      policies: listShape(
        'Files and folders with the policies and bindings under test. Default: the folder of the test file, without its tests.',
        path,
      ),
      resources: listShape(
        'Other objects in the cluster for all tests: params, Namespaces, definitions, RBAC.',
        objectShape('A file, a folder, or an object.'),
      ),
      kubernetesVersion: textShape(
        'Version of the API server: `1.36`. Default: the version of the command line.',
        emptyProblem,
        {
          minLength: 1,
        },
      ),
      tests: listShape('The tests.', test),
    },
    ['tests'],
  );
}

export type WrittenPolicyTests = ShapeType<ReturnType<typeof policyTestShape>>;
export type WrittenPolicyTest = WrittenPolicyTests['tests'][number];
export type WrittenRow = NonNullable<WrittenPolicyTest['each']>[number];

function readPolicyTests(file: SourceFile): ShapedFile<WrittenPolicyTests> {
  return readShapedFile(file, policyTestShape(), { subject: 'the test file', maximumLength: 1024 * 1024 });
}

/** Source of docs/schema/policy-test.schema.json. */
export function policyTestSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/policy-test.schema.json',
    title: 'Preadmit policy tests',
    ...policyTestShape().schema,
  };
}

function emptyProblem(value: string): string | undefined {
  return value.trim() === '' ? 'is empty' : undefined;
}

export type TestObject = string | JsonObject;

export const POLICY_TESTS = new Derivation(readPolicyTests);
