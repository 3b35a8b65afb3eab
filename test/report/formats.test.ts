// One Report, every format: compared with the golden files, rewritten by BLESS=1.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reporters } from '../../src/report/format/reporters.ts';
import type { Report } from '../../src/report/report.ts';
import type { ReporterOptions } from '../../src/report/reporter.ts';
import { cleanReport, emptyReport, hostileReport, richReport } from './rich-report.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const PLAIN: ReporterOptions = { color: false, width: 100, showSkipped: true, quiet: false };

const variants: readonly { readonly name: string; readonly report: Report }[] = [
  { name: 'rich', report: richReport },
  { name: 'clean', report: cleanReport },
  { name: 'empty', report: emptyReport },
  { name: 'hostile', report: hostileReport },
];

describe.each([...reporters.values()])('$name', (reporter) => {
  test.each(variants)('$name', ({ name, report }) => {
    expectGolden(`${reporter.name}.${name}.${reporter.extension}`, reporter.render(report, PLAIN));
  });
});

describe('text', () => {
  const text = reporters.get('text');
  test.each([
    ['color', { ...PLAIN, color: true }],
    ['quiet', { ...PLAIN, quiet: true }],
    ['narrow', { ...PLAIN, width: 60, showSkipped: false }],
  ])('%s', (name, options) => {
    expectGolden(`text.rich-${name}.txt`, text?.render(richReport, options) ?? '');
  });
});

function expectGolden(file: string, actual: string): void {
  const path = join(GOLDEN, file);
  if (process.env['BLESS'] === '1') {
    mkdirSync(GOLDEN, { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual).toBe(readFileSync(path, 'utf8'));
}
