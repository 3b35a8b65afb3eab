// The annotation `preadmit.dev/ignore`: suppressed findings, and diagnostics with their lines.
import { describe, expect, it } from 'vitest';
import { checkState } from '../../../../src/pipeline/check-state.ts';
import type { Report } from '../../../../src/report/report.ts';
import { defaultConfiguration } from '../../../../src/settings/configuration.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import { sizePolicy } from '../../../support/workspace.ts';

type Mode = ReturnType<typeof defaultConfiguration>['suppressions'];

/** A ConfigMap that the policy `size-limit` denies, with the annotation from line 6 on. */
function check(annotation: string, suppressions: Mode = 'allow', size = 9): Report {
  const manifest = `apiVersion: v1
kind: ConfigMap
metadata:
  name: large
  annotations:
    preadmit.dev/ignore: ${annotation}
data:
  size: "${size}"
`;
  const files = [new SourceFile('large.yaml', manifest), new SourceFile('policy.yaml', sizePolicy())];
  return checkState({
    files: files.map((file) => ({ file, selected: true })),
    paths: new Set(),
    notRead: [],
    configuration: { ...defaultConfiguration(), suppressions },
    today: '2026-11-21',
  });
}

/** Verdict, then `line code` of each diagnostic. */
function outcome({ verdict, diagnostics }: Report): string[] {
  return [
    `${verdict.conclusion} ${verdict.denied}`,
    ...diagnostics.map(({ primary, code }) => `${primary?.startLine} ${code}`),
  ];
}

describe('allow', () => {
  it.each([
    ['"size-limit: needed"', ['allowed 0']],
    ['"size-limit/validations[0]: needed"', ['allowed 0']],
    ['"size-limit: needed (until 2026-11-21)"', ['allowed 0']],
    ['"size-limit: (needed) by (all)"', ['allowed 0']],
    ['"size-limit: needed (until 2026-11-20)"', ['denied 1', '6 expired-suppression']],
    ['"size-limit: needed (until 2026-02-30)"', ['denied 1', '6 invalid-suppression']],
    ['"size-limit: (until 2026-12-31)"', ['denied 1', '6 invalid-suppression']],
    ['"size-limit:"', ['denied 1', '6 invalid-suppression']],
    ['"size-limit"', ['denied 1', '6 invalid-suppression']],
    ['": needed"', ['denied 1', '6 invalid-suppression']],
    ['"size-limit/validations[1]: needed"', ['denied 1', '6 unused-suppression']],
    ['"other: needed"', ['denied 1', '6 unused-suppression']],
    ['"*: needed"', ['denied 1', '6 unused-suppression']],
    ['""', ['denied 1']],
    ['|\n      size-limit: needed\n\n      other: needed', ['allowed 0', '9 unused-suppression']],
    [
      '|\n      other\n      size-limit: old (until 2026-01-01)\n      size-limit: new',
      ['denied 0', '7 invalid-suppression', '8 expired-suppression'],
    ],
    ['7', ['denied 0', '6 refused-object']],
  ])('%s', (annotation, expected) => {
    expect(outcome(check(annotation)).slice(0, expected.length)).toEqual(expected);
  });

  it('keeps the finding with reason, last day and line', () => {
    expect(check('"size-limit: needed (until 2026-12-31)"').findings).toMatchObject([
      {
        excuse: {
          by: 'annotation',
          reason: 'needed',
          expires: '2026-12-31',
          place: { path: 'large.yaml', startLine: 6 },
        },
      },
    ]);
  });

  it('reports an unused line', () => {
    expect(outcome(check('"size-limit: needed"', 'allow', 1))).toEqual(['allowed 0', '6 unused-suppression']);
  });
});

it('report: applies, with a warning at each used line', () => {
  expect(outcome(check('"size-limit: needed"', 'report'))).toEqual(['allowed 0', '6 suppression']);
});

it('deny: does not apply, with an error', () => {
  expect(outcome(check('"size-limit: needed"', 'deny'))).toEqual(['denied 1', '6 suppression-not-allowed']);
});

it('stops reading after the line limit', () => {
  const report = check(`|\n${'      x: y\n'.repeat(1_000)}`);
  expect(report.diagnostics).toHaveLength(101);
});
