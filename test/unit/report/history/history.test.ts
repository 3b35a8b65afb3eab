// The history of audits: ages, moves, gaps, damaged lines, wrong clocks, compaction.
import { describe, expect, test } from 'vitest';
import { type FoldedHistory, foldHistory } from '../../../../src/report/history/fold-history.ts';
import {
  appendedLine,
  COMPACT_LINES,
  compacted,
  joinedHistories,
  nextHistory,
} from '../../../../src/report/history/next-history.ts';
import { readHistory } from '../../../../src/report/history/read-history.ts';
import { cleanTime, withHistory } from '../../../../src/report/history/with-history.ts';
import type { Report } from '../../../../src/report/report.ts';
import {
  auditOf,
  auditReport,
  dayAt,
  FIRST_DAY,
  finding,
  historyOf,
  historyOfReports,
  notRendered,
  reportOfDay,
  stampOf,
} from '../../../support/audit-days.ts';

const fold = (text: string, today = dayAt(400)): FoldedHistory => foldHistory(readHistory(text), today);
const IMAGES = { kind: 'ValidatingAdmissionPolicy', name: 'image-registry' };
const LABELS = { kind: 'ValidatingAdmissionPolicy', name: 'team-label' };

/** The text after audits of these reports, one a day. */
function audits(...reports: readonly Report[]): string {
  return historyOfReports(reports);
}

function since(text: string, object: string): string | undefined {
  const found = [...fold(text).known.values()].filter(({ subject }) => subject === `Deployment shop/${object}`);
  return found.map((each) => each.since).sort()[0];
}

describe('identity and age', () => {
  test('stay when a file moves and when the owner changes', () => {
    const text = historyOf(60);
    expect(since(text, 'checkout')).toBe(FIRST_DAY);
    const known = [...fold(text).known.values()].find(({ subject }) => subject === 'Deployment shop/checkout');
    expect(known).toMatchObject({ path: 'teams/payments/checkout.yaml', owners: ['@shop/payments'], is: 'open' });
  });

  test('begin again when a finding was gone', () => {
    expect(since(historyOf(60), 'cart')).toBe(dayAt(50));
    expect(fold(historyOf(60)).fixed).toContainEqual(
      expect.objectContaining({ subject: 'Deployment shop/cart', since: dayAt(10), fixed: dayAt(20) }),
    );
  });

  test('are those of each object and cluster of a joined finding', () => {
    const [first, second] = [finding({ object: 'web' }), finding({ object: 'web', cluster: 'staging' })];
    const joined = {
      ...first,
      targets: ['production', 'staging'],
      objects: [first, second].map(({ target, resource }) => ({ target, resource })),
    };
    const text = audits(auditReport([first]), auditReport([joined]), auditReport([second]));
    const { known, fixed } = fold(text);
    expect([...known.values()]).toMatchObject([{ target: 'staging', since: dayAt(1) }]);
    expect(fixed).toMatchObject([{ target: 'production', since: dayAt(0), fixed: dayAt(2) }]);
    const report = withHistory(auditReport([joined]), fold(audits(auditReport([first]), auditReport([joined]))), {
      today: dayAt(1),
    });
    expect(report.findings).toMatchObject([{ since: dayAt(0) }]);
    expect(report.audit?.history).toMatchObject({ new: 1, fixed: 0 });
  });

  test('a problem of a file keeps its age when the file moves', () => {
    const broken = (path: string): Report =>
      auditReport(
        [],
        [
          {
            code: 'does-not-parse',
            severity: 'error',
            subject: path,
            message: 'a tab',
            related: [],
            primary: { path, startLine: 2, startColumn: 1, endLine: 2, endColumn: 2 },
          },
        ],
      );
    const text = audits(broken('apps/web.yaml'), broken('apps/web.yaml'), broken('teams/shop/web.yaml'));
    expect([...fold(text).known.values()]).toMatchObject([{ path: 'teams/shop/web.yaml', since: dayAt(0) }]);
  });
});

describe('what was not judged', () => {
  test('is not fixed while its render target cannot be rendered', () => {
    const during = fold(historyOf(27));
    expect([...during.known.values()].filter(({ is }) => is === 'unjudged')).toMatchObject([
      { subject: 'Deployment shop/podinfo', since: FIRST_DAY },
    ]);
    expect(during.fixed.map(({ subject }) => subject)).not.toContain('Deployment shop/podinfo');
    expect(since(historyOf(30), 'podinfo')).toBe(FIRST_DAY);
  });

  test('includes objects of a render target that the broken one declares', () => {
    const child = finding({ object: 'web', root: 'HelmRelease apps/web' });
    const other = finding({ object: 'plain' });
    const gap = notRendered('Kustomization flux-system/apps');
    const text = audits(auditReport([child, other]), auditReport([], [gap]), auditReport([], [gap]), auditReport([]));
    const at = (days: number) => fold(text.split('\n').slice(0, days).join('\n'));
    expect(at(2).fixed.map(({ subject }) => subject)).toEqual(['Deployment shop/plain']);
    expect([...at(3).known.values()]).toMatchObject([
      { rule: 'not-rendered', is: 'undecided' },
      { subject: 'Deployment shop/web', is: 'unjudged' },
    ]);
    expect(at(4).known.size).toBe(0);
  });

  test('a render target that never could be rendered keeps no finding of others open', () => {
    const gap = notRendered('HelmRelease apps/other');
    const web = finding({ object: 'web', root: 'HelmRelease apps/web' });
    const { known, fixed } = fold(audits(auditReport([web], [gap]), auditReport([], [gap])));
    expect([...known.values()]).toMatchObject([{ rule: 'not-rendered' }]);
    expect(fixed).toMatchObject([{ subject: 'Deployment shop/web' }]);
  });

  test.each<[string, Report]>([
    [
      'nothing was checked',
      { ...auditReport([]), verdict: { ...auditReport([]).verdict, conclusion: 'nothing-checked' } },
    ],
    ['the report is cut', { ...auditReport([]), unlisted: { error: 1, warning: 0, notice: 0 } }],
    [
      'the rule is undecided for the object',
      auditReport([{ ...finding({ object: 'web', unknown: true }), fieldPath: '' }]),
    ],
    [
      'the policy is not evaluated',
      auditReport(
        [],
        [
          {
            code: 'cel-compile-error',
            severity: 'error',
            policy: 'replica-limit',
            message: 'no such key',
            related: [],
          },
        ],
      ),
    ],
    [
      'the file does not parse',
      auditReport(
        [],
        [{ code: 'does-not-parse', severity: 'error', subject: 'apps/web.yaml', message: 'a tab', related: [] }],
      ),
    ],
    [
      'the object is undecided',
      auditReport(
        [],
        [
          {
            code: 'undecided-object',
            severity: 'warning',
            resource: finding({ object: 'web' }).resource,
            message: 'unknown',
            related: [],
          },
        ],
      ),
    ],
  ])('is not fixed if %s', (_title, report) => {
    const text = audits(auditReport([finding({ object: 'web' })]), report);
    expect(fold(text).fixed).toEqual([]);
    expect(since(text, 'web')).toBe(dayAt(0));
  });
});

describe('a policy can be enforced', () => {
  test('after the days on which every audit evaluated it and found nothing', () => {
    expect(cleanTime(fold(historyOf(60)), LABELS, dayAt(59))).toEqual({
      since: FIRST_DAY,
      days: 59,
      audits: 60,
      isComplete: false,
    });
    const clean = audits(auditReport([]), auditReport([]), auditReport([]));
    expect(cleanTime(fold(clean), LABELS, dayAt(23))).toEqual({
      since: dayAt(0),
      days: 23,
      audits: 3,
      isComplete: true,
    });
  });

  test.each<[string, Report]>([
    ['a finding', auditReport([finding({ object: 'web', policy: 'image-registry' })])],
    [
      'an accepted finding',
      auditReport([finding({ object: 'web', policy: 'image-registry', accepted: '2026-12-31' })]),
    ],
    ['an undecided one', auditReport([finding({ object: 'web', policy: 'image-registry', unknown: true })])],
    [
      'no evaluation',
      {
        ...auditReport([]),
        targets: auditReport([]).targets.map((target) => ({
          ...target,
          policies: target.policies.map((policy) => ({ ...policy, matched: 0 })),
        })),
      },
    ],
  ])('but not after %s', (_title, report) => {
    expect(cleanTime(fold(audits(auditReport([]), report)), IMAGES, dayAt(5))).toBeUndefined();
    expect(cleanTime(fold(audits(report, auditReport([]))), IMAGES, dayAt(5))).toMatchObject({ since: dayAt(1) });
  });

  test('counts from the next audit after a line that cannot be read', () => {
    const lines = audits(auditReport([]), auditReport([]), auditReport([])).split('\n');
    lines[1] = '{"v":1,"audit":"run-1","at":"2026-09-27T05:17:00Z","conclusion":"den';
    expect(cleanTime(fold(lines.join('\n')), LABELS, dayAt(5))).toMatchObject({ since: dayAt(2), audits: 1 });
  });
});

describe('a damaged history', () => {
  test('loses only the lines that cannot be read, and says so', () => {
    const lines = historyOf(60).split('\n');
    lines.splice(5, 1, 'not JSON', '{"v":1}', '[1,2]', '{"v":1,"audit":"x","at":"yesterday"}');
    const { notes, audits: number, known } = fold(lines.join('\n'), dayAt(59));
    expect(notes).toEqual([
      '4 lines of the history cannot be read. Findings that began there appear younger than they are.',
    ]);
    expect(number).toBe(59);
    expect([...known.values()].find(({ subject }) => subject === 'Deployment shop/checkout')?.since).toBe(FIRST_DAY);
  });

  test('is repaired by the next audit: what a lost line opened or closed is opened or closed again', () => {
    const lines = historyOf(59).trimEnd().split('\n');
    for (const lost of [10, 18, 20, 50]) {
      const text = `${lines.filter((_, index) => index !== lost).join('\n')}\n`;
      const { line = '' } = nextHistory(text, reportOfDay(59), stampOf(59));
      const ids = (folded: FoldedHistory): readonly string[] => [...folded.known.keys()].sort();
      expect(ids(fold(text + line))).toEqual(ids(fold(historyOf(60))));
    }
  });

  test('reads a line after half a line, and counts a repeated line once', () => {
    const text = historyOf(3);
    const half = text.slice(0, -20);
    const next = nextHistory(half, reportOfDay(3), stampOf(3)).line ?? '';
    const whole = appendedLine(half, next);
    expect(readHistory(whole).entries.map((entry) => typeof entry)).toEqual(['object', 'object', 'string', 'object']);
    expect(fold(whole + next).audits).toBe(3);
    expect(nextHistory(whole, reportOfDay(3), stampOf(3)).line).toBeUndefined();
  });

  test('of a newer version is not extended', () => {
    const text = `${historyOf(2)}{"v":2,"at":"2026-09-28T00:00:00Z"}\n`;
    const { line, history } = nextHistory(text, reportOfDay(2), stampOf(2));
    expect(line).toBeUndefined();
    expect(history?.notes).toEqual([
      'The history has 1 line of a newer version of Preadmit. Update Preadmit; until then, no audit is added.',
    ]);
  });

  test('shows hostile texts on one line and cut, and refuses wrong types', () => {
    const [line = ''] = historyOf(1).split('\n');
    const hostile = line.replaceAll('Deployment shop/checkout', `x\\u001b[31m::error::\\u202e${'y'.repeat(5_000)}`);
    const [known] = fold(hostile).known.values();
    expect(known?.subject).toMatch(/^x\\u001b\[31m::error::\\u202ey+…$/);
    const wrong: readonly (readonly [string, string])[] = [
      ['"counts":{"denied":', '"counts":{"denied":-'],
      ['"found":[', '"found":[7,'],
      ['"gone":[]', '"gone":["../../x"]'],
      ['"conclusion":"', '"conclusion":"not '],
    ];
    for (const [from, to] of wrong) {
      expect(line).toContain(from);
      expect(readHistory(line.replace(from, to)).entries).toEqual(['unreadable']);
    }
  });
});

describe('a clock', () => {
  const dated = (...days: readonly number[]): string => {
    let text = '';
    for (const [index, day] of days.entries()) {
      const { line = '' } = nextHistory(text, reportOfDay(index), {
        audit: `run-${index}`,
        at: `${dayAt(day)}T05:17:00Z`,
      });
      text += line;
    }
    return text;
  };

  test('that goes backwards once, or is ahead once, changes no other date', () => {
    for (const wrong of [-400, 300]) {
      const text = dated(0, 1, wrong, 3, 4, 5);
      const { days, notes, from } = fold(text, dayAt(5));
      expect(from).toBe(dayAt(0));
      expect(days.map(({ day }) => day)).toEqual([0, 1, 3, 4, 5].map(dayAt));
      expect(notes).toEqual([
        `An audit of the history is dated ${dayAt(wrong)}, which does not fit the audits before and after it. It counts for ${dayAt(1)}.`,
      ]);
      expect(since(text, 'checkout')).toBe(dayAt(0));
    }
  });

  test('of another machine may differ by hours', () => {
    expect(fold(dated(0, 2, 1, 3), dayAt(3)).notes).toEqual([]);
  });
});

describe('two versions of a history', () => {
  test('are joined without losing a line', () => {
    const base = historyOf(5);
    const mine = base + (nextHistory(base, reportOfDay(5), stampOf(5)).line ?? '');
    const theirs = base + (nextHistory(base, reportOfDay(6), stampOf(6)).line ?? '');
    const joined = joinedHistories(theirs, mine);
    expect(fold(joined)).toMatchObject({ audits: 7, notes: [] });
    expect(joined).toBe(joinedHistories(mine, theirs));
    expect(joinedHistories(mine, base)).toBe(mine);
    expect(fold(joinedHistories('', mine)).audits).toBe(6);
  });

  test('a line that is joined to a compacted history counts once', () => {
    const text = historyOf(60);
    const long = text + '{"v":1,"at":"bad"}\n'.repeat(COMPACT_LINES);
    const short = compacted(long) as string;
    expect(short.length).toBeLessThan(long.length);
    expect(fold(joinedHistories(short, text)).audits).toBe(60);
  });
});

test('a compacted history answers as the long one', () => {
  const start = historyOf(30);
  const quiet = nextHistory(start, reportOfDay(29), stampOf(30)).line ?? '';
  const rest = Array.from({ length: COMPACT_LINES }, (_, index) =>
    quiet.replace('run-30', `quiet-${index}`).replace(dayAt(30), dayAt(30 + Math.floor(index / 50))),
  );
  const lastDay = 30 + Math.floor((COMPACT_LINES - 1) / 50);
  let long = start + rest.join('');
  let short = compacted(long) as string;
  for (const index of [50, 55, 59]) {
    const stamp = { audit: `late-${index}`, at: `${dayAt(lastDay + index)}T00:00:00Z` };
    short += nextHistory(short, reportOfDay(index), stamp).line ?? '';
    long += nextHistory(long, reportOfDay(index), stamp).line ?? '';
  }
  expect(short.split('\n').length).toBeLessThan(300);
  expect(compacted(short)).toBeUndefined();
  const [few, all] = [fold(short), fold(long)];
  for (const part of ['audits', 'from', 'last', 'known', 'fixed', 'policies', 'gaps', 'notes'] as const) {
    expect(few[part]).toEqual(all[part]);
  }
  const numbers = ({ days }: FoldedHistory) => days.map(({ day, counts, conclusion }) => ({ day, counts, conclusion }));
  expect(numbers(few)).toEqual(numbers(all));
});

test('the part of an owner has its own numbers', () => {
  const { audit } = auditOf(60, historyOf(60), '@shop/payments');
  expect(audit?.history).toMatchObject({
    new: 0,
    fixed: 0,
    unjudged: 0,
    byOwner: [{ name: '@shop/payments', open: 1 }],
  });
  expect(audit?.history?.trend.at(-1)).toEqual({ day: dayAt(59), open: 1 });
});
