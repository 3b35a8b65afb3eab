// Changes that a cluster refuses, changes that Git cannot decide, and honest changes. test/changes/README.md describes the format.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkChanges } from '../src/door/run/check-changes.ts';
import { type Start, startOf } from '../src/door/run/check-repository.ts';
import { EXIT, exitCodeOf } from '../src/door/run/exit-code.ts';
import { isCounted } from '../src/report/gate/counted.ts';
import { failsUndecided } from '../src/report/gate/undecided.ts';
import type { Finding, Report, ReportedDiagnostic } from '../src/report/report.ts';
import { ChangeRepository, changeCases } from './support/change-cases.ts';
import { engine } from './support/render.ts';

const CASES = changeCases();
const repository = new ChangeRepository([...CASES.values()].flat());
const options = { directory: repository.path, paths: [], overrides: {}, today: '2026-11-21' };
let start: Start;

beforeAll(async () => {
  start = await startOf(options);
});
afterAll(() => repository.remove());

/** What fails the run, without duplicates. */
function failures({ findings, diagnostics, verdict }: Report): string[] {
  const failing = [...findings, ...diagnostics].filter((each) => {
    if (each.excuse !== undefined) return false;
    return failsUndecided(each, verdict) || (each.severity === 'error' && isCounted(each, verdict));
  });
  return [...new Set(failing.map(described))].sort();
}

function described(entry: Finding | ReportedDiagnostic): string {
  const { resource, code, primary } = entry;
  const subject = 'subject' in entry ? entry.subject : undefined;
  const policy = 'result' in entry ? entry.policy.name : entry.policy;
  const of = resource && `${resource.kind} ${[resource.namespace, resource.name].filter(Boolean).join('/')}`;
  return `${policy ?? code}: ${of ?? subject ?? primary?.path ?? ''}`;
}

for (const [file, cases] of CASES) {
  describe(file, () => {
    it.each(cases.map((each) => [each.case, each] as const))('%s', async (_, each) => {
      const { report, unusable } = await checkChanges({ ...options, engine }, repository.change(each), start);
      expect({
        conclusion: report.verdict.conclusion,
        exit: unusable ? EXIT.usage : exitCodeOf(report),
        by: failures(report),
      }).toEqual({ conclusion: each.expect, exit: each.exit ?? EXIT[each.expect], by: [...(each.by ?? [])].sort() });
    });
  });
}

it('holds as many refused as honest changes, each under its own name', () => {
  const all = [...CASES.values()].flat();
  expect(new Set(all.map((each) => each.case)).size).toBe(all.length);
  expect(all.filter(({ expect: conclusion }) => conclusion === 'allowed').length).toBeGreaterThanOrEqual(50);
  expect(all.filter(({ expect: conclusion }) => conclusion !== 'allowed').length).toBeGreaterThanOrEqual(50);
});
