// Golden audits over 60 days: issue bodies, terminal and JSON reports, and the data of the page.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditBody } from '../../src/github/audit-body.ts';
import { isClean } from '../../src/github/audit-trend.ts';
import { auditPage } from '../../src/report/format/html/audit-page.ts';
import { reporters } from '../../src/report/format/reporters.ts';
import { foldHistory } from '../../src/report/history/fold-history.ts';
import { readHistory } from '../../src/report/history/read-history.ts';
import { withHistory } from '../../src/report/history/with-history.ts';
import { readReport } from '../../src/report/json/read-report.ts';
import type { Report } from '../../src/report/report.ts';
import {
  auditOf,
  auditReport,
  dayAt,
  finding,
  historyOf,
  historyOfReports,
  notRendered,
} from '../support/audit-days.ts';
import { expectGolden } from '../support/bless.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const RUN = 'https://github.com/shop/manifests';

function bodyOf(days: number, report = auditOf(days)): string {
  return auditBody(
    report,
    { points: [] },
    {
      key: 'Preadmit',
      runUrl: `${RUN}/actions/runs/${days}`,
      blobUrl: `${RUN}/blob/${'a'.repeat(40)}`,
      today: dayAt(days - 1),
      siteUrl: 'https://shop.github.io/manifests/',
      knownAudits: new Set([`run-${days - 1}`]),
    },
  );
}

function rendered(report: Report, format: 'text' | 'json'): string {
  const options = { color: false, width: 100, showSkipped: false, quiet: false };
  return reporters.get(format)?.render(report, options) ?? '';
}

describe('golden audits', () => {
  test.each([1, 2, 31, 60])('issue of day %i', (days) => {
    expectGolden(join(GOLDEN, `history.issue-day-${days}.md`), bodyOf(days));
  });

  test('issue of an owner on day 60', () => {
    expectGolden(join(GOLDEN, 'history.issue-owner.md'), bodyOf(60, auditOf(60, historyOf(60), '@shop/web')));
  });

  test('terminal on day 60', () => expectGolden(join(GOLDEN, 'history.txt'), rendered(auditOf(60), 'text')));

  test('JSON on day 60, which is read again', () => {
    const report = auditOf(60);
    const text = rendered(report, 'json');
    expectGolden(join(GOLDEN, 'history.json'), text);
    expect(readReport(text)).toEqual({ report });
  });

  test('data of the page on day 60', () => {
    const today = dayAt(59);
    const page = [...auditPage(auditOf(60), foldHistory(readHistory(historyOf(60)), today), today)].join('');
    const [, json = ''] = /<script type="application\/json" id="report">(.*)<\/script>\n<script>/.exec(page) ?? [];
    const { texts, root } = JSON.parse(json) as { texts: readonly string[]; root: { audit: unknown } };
    const read = (value: unknown): unknown => {
      if (typeof value === 'number') return texts[value];
      if (Array.isArray(value))
        return value.every((each) => typeof each === 'number' || each === null)
          ? value.map(read).join(' ')
          : value.map(read);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each)]));
    };
    expectGolden(join(GOLDEN, 'history.page.json'), `${JSON.stringify(read(root.audit), null, 1)}\n`);
  });
});

test('an audit that cannot judge earlier findings is not clean, even if its gaps are accepted', () => {
  const report = auditOf(60);
  const allowed = { ...report.verdict, conclusion: 'allowed', denied: 0 } as const;
  const quiet = { ...report, verdict: allowed, findings: [], diagnostics: [] };
  expect(report.audit?.history?.unjudged).toBe(1);
  expect(isClean(quiet)).toBe(false);
  const judged = { ...report.audit?.history, unjudged: 0 } as NonNullable<NonNullable<Report['audit']>['history']>;
  expect(isClean({ ...quiet, audit: { day: dayAt(59), history: judged } })).toBe(true);
});

describe('policies that can be enforced', () => {
  const quiet = auditReport([finding({ object: 'checkout' })]);
  const days = (number: number): readonly Report[] => Array.from({ length: number }, () => quiet);

  function lastOf(reports: readonly Report[]): Report {
    const today = dayAt(reports.length - 1);
    return withHistory(quiet, foldHistory(readHistory(historyOfReports(reports)), today), { today });
  }

  function enforceable(report: Report): readonly string[] {
    return (report.audit?.history?.cleanPolicies ?? []).flatMap(({ policy, canBeEnforced }) =>
      canBeEnforced === undefined ? [] : [`${policy.name} ${canBeEnforced.days}`],
    );
  }

  test('are those that only warn or audit, after 14 days in which each audit judged everything and found nothing', () => {
    const report = lastOf(days(22));
    expect(enforceable(report)).toEqual(['image-registry 21', 'team-label 21']);
    expect(enforceable(lastOf(days(14)))).toEqual([]);
    expectGolden(join(GOLDEN, 'history.enforceable.txt'), rendered(report, 'text'));
    expectGolden(join(GOLDEN, 'history.enforceable.md'), bodyOf(22, report));
    expect(readReport(rendered(report, 'json'))).toEqual({ report });
    const today = dayAt(21);
    const page = [...auditPage(report, foldHistory(readHistory(historyOfReports(days(22))), today), today)].join('');
    expect(page).toContain('"0 findings for 21 days: can be enforced"');
  });

  const found = auditReport([finding({ object: 'cart', policy: 'image-registry', warns: true })]);
  const unknown = auditReport([finding({ object: 'cart', policy: 'image-registry', unknown: true })]);
  test.each<[string, Report, readonly string[]]>([
    ['a finding', found, ['image-registry 15', 'team-label 21']],
    ['an undecided evaluation', unknown, ['image-registry 15', 'team-label 15']],
    ['a gap', auditReport([], [notRendered('HelmRelease apps/podinfo')]), ['image-registry 15', 'team-label 15']],
    ['an audit that matched nothing', changed(quiet, { matched: 0 }), ['image-registry 15', 'team-label 15']],
  ])('count from the audit after %s', (_, other, expected) => {
    expect(enforceable(lastOf([...days(6), other, ...days(15)]))).toEqual(
      expected.map((each) => each.replace(' 15', ' 14')),
    );
  });

  test.each<[string, Report]>([
    [
      'match nothing today in a cluster',
      { ...quiet, targets: [quiet.targets[0], changed(quiet, { matched: 0 }).targets[1]] as Report['targets'] },
    ],
    ['were undecided today in a cluster', changed(quiet, { undecided: 1 })],
    [
      'deny in a cluster',
      {
        ...quiet,
        targets: quiet.targets.map((target, index) =>
          index === 0
            ? target
            : { ...target, policies: target.policies.map(({ neverDenies: _, ...policy }) => policy) },
        ),
      },
    ],
  ])('are not those that %s', (_, last) => {
    const reports = days(22);
    const today = dayAt(21);
    const history = foldHistory(readHistory(historyOfReports(reports)), today);
    expect(enforceable(withHistory(last, history, { today }))).toEqual([]);
  });

  function changed(report: Report, counts: { readonly matched?: number; readonly undecided?: number }): Report {
    const targets = report.targets.map((target) => ({
      ...target,
      policies: target.policies.map((policy) => ({ ...policy, ...counts })),
    }));
    return { ...report, targets };
  }
});
