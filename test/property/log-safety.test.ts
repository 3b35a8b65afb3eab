// No text of a repository becomes a workflow command in any format, by the runner's own rules.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/github/log.ts';
import { openFindings } from '../../src/report/baseline/excuse.ts';
import { reporters } from '../../src/report/format/reporters.ts';
import type { Report } from '../../src/report/report.ts';
import type { ReporterOptions } from '../../src/report/reporter.ts';
import { mapTexts, richReport } from '../report/rich-report.ts';
import { hostileText } from '../support/hostile-text.ts';
import { readLog } from '../support/runner.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(150, 20261121);
const OPTIONS: ReporterOptions = { color: false, width: 80, showSkipped: true, quiet: false };

const hostileReport: fc.Arbitrary<Report> = fc
  .array(hostileText, { minLength: 8, maxLength: 24 })
  .map((texts) => mapTexts(richReport, texts));

describe.each([...reporters.values()].filter(({ name }) => name !== 'github'))('$name', (reporter) => {
  test('prints no command', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        expect(readLog(reporter.render(report, OPTIONS)).commands).toEqual([]);
      }),
      RUNS,
    );
  });
});

test('the github format prints only its own commands', () => {
  const expected = openFindings(richReport.findings).length + richReport.diagnostics.length;
  fc.assert(
    fc.property(hostileReport, (report) => {
      const { commands } = readLog(reporters.get('github')?.render(report, OPTIONS) ?? '');
      expect(commands).toHaveLength(expected);
      for (const { name, properties } of commands) {
        expect(['error', 'warning', 'notice']).toContain(name);
        expect(['file', 'line', 'endLine', 'col', 'endColumn', 'title']).toEqual(
          expect.arrayContaining([...properties.keys()]),
        );
      }
    }),
    RUNS,
  );
});

test('the log prints no command', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      let printed = '';
      createLog((line) => {
        printed += line;
      }).info(`found ${text}\n${text}`);
      expect(readLog(printed).commands).toEqual([]);
    }),
    tries(500, 20261121),
  );
});
