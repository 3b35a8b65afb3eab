// Holds runs to their evidence: tests are skipped in one way only, and what a run may lack is a list of known names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from './architecture/source-graph.ts';
import { absenceIn, absenceSuffix, EVIDENCE, mayLack } from './support/evidence-table.ts';

const ROOT = join(import.meta.dirname, '..');
const RAW_SKIP =
  /\b(?:describe|it|test|suite)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo)\b|\b(?:context|ctx|task)\.skip\(|\{ skip \}/;

describe('PREADMIT_WITHOUT', () => {
  it('lists what a run in CI may lack', () => {
    expect([...mayLack({ CI: 'true' })]).toEqual([]);
    expect([...mayLack({ CI: 'true', PREADMIT_WITHOUT: 'browser,fish' })]).toEqual(['browser', 'fish']);
  });

  it('is not needed outside CI', () => {
    expect([...mayLack({})]).toEqual(Object.keys(EVIDENCE));
  });

  it('accepts known names only, and lists them', () => {
    expect(() => mayLack({ PREADMIT_WITHOUT: 'brwoser' })).toThrow(
      /unknown name brwoser; known names are recordings, corpus, /,
    );
  });

  it.each(['.ci/run', '.github/workflows/ci.yml', '.github/workflows/release.yml', '.github/workflows/schema.yml'])(
    'is on one line of %s',
    (path) => {
      const lines = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/PREADMIT_WITHOUT(?:=|: |:-)([\w,-]+)/g)];
      expect(lines).toHaveLength(1);
      expect(mayLack({ CI: 'true', PREADMIT_WITHOUT: lines[0]?.[1] ?? '' }).size).toBeGreaterThan(0);
    },
  );
});

it('the title of a skipped test names what it lacks', () => {
  expect(absenceIn(`in Chromium${absenceSuffix('browser')}`)).toBe('browser');
  expect(absenceIn('in Chromium')).toBeUndefined();
});

describe('skipping', () => {
  it('is left to test/support/evidence.ts', () => {
    const raw = [...readSources('test')].filter(([, text]) => RAW_SKIP.test(text)).map(([path]) => path);
    expect(raw, "use needs('…') of test/support/evidence.ts").toEqual([
      'test/evidence.test.ts',
      'test/support/evidence.ts',
    ]);
  });

  it.each([
    "describe.skip('a', () => {});",
    "it.skipIf(isAbsent)('a', () => {});",
    "test.concurrent.runIf(isThere)('a', () => {});",
    "it('a', ({ skip }) => skip());",
    "it('a', (context) => context.skip());",
  ])('%s is seen', (code) => expect(RAW_SKIP.test(code)).toBe(true));
});
