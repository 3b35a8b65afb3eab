// Every key of `.preadmit-baseline.yaml` with type and meaning. The reader, the JSON Schema and docs/exceptions.md follow this file.
import { isJsonObject } from '../source/json/json.ts';
import { choice, type JsonSchema, listShape, object, type ShapeType, textShape } from './shape.ts';

const NOT_EMPTY = { minLength: 1 };
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const written = object(
  'A known finding that is accepted until a date. Keys that an entry omits match any value.',
  {
    policy: textShape('Name of the policy. Either this or `code`.', emptyProblem, NOT_EMPTY),
    code: textShape(
      'Diagnostic code, for a problem with the object itself or an object that could not be judged: `unknown-field`, `not-rendered`. Either this or `policy`.',
      emptyProblem,
      NOT_EMPTY,
    ),
    rule: textShape('Part of the policy as named in reports: `validations[0]`.', emptyProblem, NOT_EMPTY),
    binding: textShape('Name of the binding.', emptyProblem, NOT_EMPTY),
    param: textShape('The param as named in reports: `ConfigMap platform/limits`.', emptyProblem, NOT_EMPTY),
    resource: textShape(
      'The resource, render target or file as reports name it: `Deployment shop/web`, `HelmRelease apps/podinfo`.',
      emptyProblem,
      NOT_EMPTY,
    ),
    field: textShape('Field of the resource that the finding is about: `spec.replicas`.', emptyProblem, NOT_EMPTY),
    target: textShape('Name of the target.', emptyProblem, NOT_EMPTY),
    touched: choice(
      'For entries about something that could not be judged. `accept`: the entry stays valid when a change touches the resource. Default: it counts again.',
      ['accept'],
    ),
    owner: textShape('Owner of the entry.', emptyProblem, NOT_EMPTY),
    reason: textShape('Why it is accepted.', emptyProblem, NOT_EMPTY),
    expires: textShape('Last day on which the finding is accepted: `"2027-03-31"`.', dateProblem, {
      pattern: DATE.source,
    }),
  },
  ['resource', 'owner', 'reason', 'expires'],
);

const entry: typeof written = {
  schema: { ...written.schema, oneOf: [has('policy'), has('code')] },
  read(value, path, problems) {
    if (isJsonObject(value) && value.has('policy') === value.has('code')) {
      const what = value.has('policy') ? 'has both `policy` and `code`' : 'needs `policy` or `code`';
      problems.report('configuration-missing-key', path, 'value', `${problems.nameOf(path)} ${what}`);
    }
    return written.read(value, path, problems);
  },
};

function has(key: string): JsonSchema {
  return { type: 'object', properties: { [key]: {} }, required: [key] };
}

export function baselineShape() {
  return object('Baseline of Preadmit: known findings that do not fail the run, each until a date.', {
    version: choice('Version of this file format.', [1]),
    entries: listShape('Default: none.', entry),
  });
}

export type WrittenEntry = ShapeType<typeof entry>;

/** Source of docs/schema/baseline.schema.json. */
export function baselineSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/baseline.schema.json',
    title: 'Preadmit baseline',
    ...baselineShape().schema,
  };
}

function emptyProblem(value: string): string | undefined {
  return value.trim() === '' ? 'is empty' : undefined;
}

function dateProblem(value: string): string | undefined {
  const date = DATE.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  const exists = date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  return exists ? undefined : 'is not a date such as `2027-03-31`';
}
