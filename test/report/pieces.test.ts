// Reports written in pieces: no piece is large, and together they equal the report.
import { expect, test } from 'vitest';
import { reporters } from '../../src/report/format/reporters.ts';
import type { ReporterOptions } from '../../src/report/reporter.ts';
import { manyFindings } from './rich-report.ts';

const OPTIONS: ReporterOptions = { color: false, width: 100, showSkipped: true, quiet: false };
const many = manyFindings(3_000);
const findings = many.findings.map((finding) => ({ ...finding, message: `${finding.message} \u{1f600}` }));
const report = { ...many, findings };

function piecesOf(format: string): readonly string[] {
  return [...(reporters.get(format)?.pieces(report, OPTIONS) ?? [])];
}

test.each(['json', 'sarif', 'html'])('%s', (format) => {
  const pieces = piecesOf(format);
  expect(pieces.length).toBeGreaterThan(3);
  for (const piece of pieces) {
    expect(piece.length).toBeLessThan(100_000);
    expect(piece).not.toMatch(/\p{Surrogate}/u);
  }
  expect(pieces.join('')).toBe(reporters.get(format)?.render(report, OPTIONS));
});

test('the pieces of json equal the report', () => {
  expect(JSON.parse(piecesOf('json').join(''))).toEqual(JSON.parse(JSON.stringify(report)));
});
