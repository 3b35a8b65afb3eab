// The action's inputs: lists, choices, report files, and the messages for invalid values.
import { expect, test } from 'vitest';
import { readInputs } from '../../../src/github/inputs.ts';
import { inputVariable } from '../../support/runner.ts';

function read(inputs: Readonly<Record<string, string>>) {
  return readInputs(Object.fromEntries(Object.entries(inputs).map(([name, value]) => [inputVariable(name), value])));
}

test('missing inputs have their defaults, and settings of the configuration stay undefined', () => {
  expect(read({})).toEqual({
    inputs: {
      paths: [],
      policies: [],
      policySources: [],
      candidatePolicySources: [],
      kubernetesVersions: [],
      include: [],
      exclude: [],
      showSkipped: false,
      quiet: false,
      debug: false,
      fetch: [],
      fetchSchemas: false,
      merge: [],
      formats: [],
      checkRun: 'auto',
      checkName: 'Preadmit',
      annotations: 'auto',
      maxAnnotations: 500,
      summary: true,
      comment: 'never',
      auditIssue: false,
      auditMentions: false,
      suggest: false,
      explainMutations: false,
      allowPullRequestTarget: false,
    },
    problems: [],
  });
});

test('lists have one entry per line', () => {
  expect(read({ paths: 'apps\n\n  clusters/prod \n' }).inputs.paths).toEqual(['apps', 'clusters/prod']);
});

test('formats are written to files', () => {
  expect(read({ format: 'sarif=out/a=b.sarif\njson = r.json' }).inputs.formats).toEqual([
    { format: 'sarif', path: 'out/a=b.sarif' },
    { format: 'json', path: 'r.json' },
  ]);
});

test.each([
  [
    { 'fail-on': 'denny' },
    '`denny` is not a valid value of the input `fail-on`: expected one of `deny`, `warn`, `audit`, `error`, `never`',
    'did you mean `deny`?',
  ],
  [{ summary: 'yes' }, '`yes` is not a valid value of the input `summary`: expected one of `true`, `false`', undefined],
  [
    { 'max-annotations': '-1' },
    '`-1` is not a valid value of the input `max-annotations`: expected a number',
    undefined,
  ],
  [{ format: 'sarif' }, 'the input `format` needs a file: `sarif=<file>`', undefined],
  [
    { format: 'sariff=x' },
    '`sariff` is not a valid value of the input `format`: expected one of `text`, `json`, `github`, `markdown`, `html`, `sarif`, `junit`, `rdjson`, `gitlab`, `openreports`, `policyreport`, `prometheus`',
    'did you mean `sarif`?',
  ],
  [{ 'check-nam': 'x' }, 'unknown input `check-nam`', 'did you mean `check-name`?'],
])('%j is invalid', (inputs, message, help) => {
  expect(read(inputs).problems).toEqual([help === undefined ? { message } : { message, help }]);
});
