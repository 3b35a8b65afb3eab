// The texts of the comment and the audit issue for the same Reports, compared with the golden files, which BLESS=1 rewrites.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditBody, auditTitle, memoryIn } from '../../src/github/audit-body.ts';
import type { TrendPoint } from '../../src/github/audit-trend.ts';
import { commentBody } from '../../src/github/comment-body.ts';
import type { Report } from '../../src/report/report.ts';
import { expectGolden } from '../support/bless.ts';
import { cleanReport, emptyReport, HOSTILE_TEXTS, hostileReport, richReport } from './rich-report.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const PAGE = {
  key: 'Preadmit',
  runUrl: 'https://github.com/shop/manifests/actions/runs/4711',
  blobUrl: `https://github.com/shop/manifests/blob/${'a'.repeat(40)}`,
  today: '2026-11-21',
};
const EARLIER: readonly TrendPoint[] = [9, 9, 7, 8, 5, 0, 3].map((denied, week) => ({
  day: `2026-10-${String(week * 4 + 3).padStart(2, '0')}`,
  denied,
  warned: 2,
  audited: 0,
  errors: week === 3 ? 1 : 0,
  evaluated: 17,
}));

const reports: readonly (readonly [string, Report])[] = [
  ['rich', richReport],
  ['clean', cleanReport],
  ['empty', emptyReport],
  ['hostile', hostileReport],
];

describe.each(reports)('%s', (name, report) => {
  test('comment', () => expectGolden(join(GOLDEN, `comment.${name}.md`), commentBody(report, PAGE)));
  test('audit issue', () =>
    expectGolden(join(GOLDEN, `audit.${name}.md`), auditBody(report, { points: EARLIER }, PAGE)));
});

test('the audit issue contains the last thirty runs, one per day', () => {
  let body = '';
  for (let run = 0; run < 40; run++) {
    const today = `2026-${String(1 + Math.floor(run / 28)).padStart(2, '0')}-${String(1 + (run % 28)).padStart(2, '0')}`;
    body = auditBody(richReport, memoryIn(body, 'Preadmit'), { ...PAGE, today });
    body = auditBody(richReport, memoryIn(body, 'Preadmit'), { ...PAGE, today });
  }
  const { points } = memoryIn(body, 'Preadmit');
  expect(points).toHaveLength(30);
  expect(points[0]?.day).toBe('2026-01-11');
  expect(points.at(-1)).toEqual({
    day: '2026-02-12',
    denied: 2,
    warned: 1,
    audited: 2,
    errors: 1,
    undecided: 0,
    evaluated: 17,
  });
});

test.each(HOSTILE_TEXTS)('no key can end the hidden line: %j', (key) => {
  const body = auditBody(richReport, { points: EARLIER }, { ...PAGE, key });
  expect(body.split('\n')[0]).toMatch(/^<!-- preadmit:audit:[^<>\s]+ \[[^<>]*\] -->$/);
  expect(memoryIn(body, key).points).toHaveLength(EARLIER.length + 1);
  expect(auditTitle(key, richReport)).not.toMatch(/[\p{Cc}\p{Cf}\p{Surrogate}]/u);
});
