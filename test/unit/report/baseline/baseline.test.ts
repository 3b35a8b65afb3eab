// The baseline: which findings an entry accepts, when it expires, and that writing and reading agree.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyBaseline, baselineKey } from '../../../../src/report/baseline/baseline.ts';
import { baselineText } from '../../../../src/report/baseline/baseline-text.ts';
import { baselineSchema } from '../../../../src/settings/baseline-shape.ts';
import { loadBaseline } from '../../../../src/settings/load-baseline.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import { richReport } from '../../../report/rich-report.ts';
import { tries } from '../../../support/tries.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const findings = richReport.findings.filter(({ excuse }) => excuse === undefined);
const TERMS = 'owner: team-shop, reason: before the policy, expires: "2027-03-31"';

function load(text: string) {
  return loadBaseline(new SourceFile('.preadmit-baseline.yaml', text));
}

/** `line:column [source text] code: message`. */
function told({ diagnostics }: Pick<ReturnType<typeof load>, 'diagnostics'>): string[] {
  return diagnostics.map(({ code, message, primary }) => {
    if (primary === undefined) return message;
    const { line, column } = primary.file.positionAt(primary.range.start);
    const { start, end } = primary.range;
    return `${line}:${column} [${primary.file.text.slice(start, end)}] ${code}: ${message}`;
  });
}

function applied(entries: string, today = '2026-11-21') {
  const { baseline, diagnostics } = load(`entries:\n${entries}`);
  expect(diagnostics).toEqual([]);
  const result = applyBaseline(findings, baseline ?? [], today);
  return {
    excused: result.findings.filter(({ excuse }) => excuse !== undefined).map(({ resource }) => resource.name),
    told: told(result),
  };
}

describe('an entry', () => {
  it.each([
    ['policy and resource', 'policy: replica-limit, resource: Deployment shop/web', ['web']],
    [
      'everything',
      'policy: replica-limit, rule: "validations[0]", binding: replica-limit-prod, param: ConfigMap policy/limits, resource: Deployment shop/web, field: spec.replicas, target: prod',
      ['web'],
    ],
    ['another rule', 'policy: replica-limit, rule: "validations[1]", resource: Deployment shop/web', []],
    ['another field', 'policy: replica-limit, resource: Deployment shop/web, field: spec', []],
    ['another target', 'policy: replica-limit, resource: Deployment shop/web, target: staging', []],
    ['another namespace', 'policy: replica-limit, resource: Deployment web', []],
  ])('%s', (_title, entry, names) => {
    expect(applied(`  - {${entry}, ${TERMS}}`).excused).toEqual(names);
  });

  it('contains reason, owner, last day and location', () => {
    const { baseline = [] } = load(`entries:\n  - {policy: replica-limit, resource: Deployment shop/web, ${TERMS}}`);
    const found = applyBaseline(findings, baseline, '2026-11-21').findings.find(({ excuse }) => excuse !== undefined);
    expect(found?.excuse).toMatchObject({
      by: 'baseline',
      reason: 'before the policy',
      owner: 'team-shop',
      expires: '2027-03-31',
      place: { path: '.preadmit-baseline.yaml', startLine: 2 },
    });
  });

  it('applies on its last day, and is an error a day later', () => {
    const entry = `  - {policy: replica-limit, resource: Deployment shop/web, ${TERMS}}`;
    expect(applied(entry, '2027-03-31')).toEqual({ excused: ['web'], told: [] });
    expect(applied(entry, '2027-04-01')).toEqual({
      excused: [],
      told: [
        '2:114 ["2027-03-31"] expired-baseline-entry: the baseline accepted `replica-limit` for `Deployment shop/web` until 2027-03-31',
      ],
    });
  });

  it('is reported if unused, even when expired', () => {
    const entry = `  - policy: gone\n    resource: Pod a\n    owner: x\n    reason: z\n    expires: 2026-01-01`;
    expect(applied(entry).told).toEqual([
      '2:3 [- policy: gone] unused-baseline-entry: no finding of `gone` for `Pod a` is left for this entry of the baseline',
    ]);
  });
});

it.each([
  ['entries: [{policy: a}]', ['needs `resource`', 'needs `owner`', 'needs `reason`', 'needs `expires`']],
  ['entries: [{polcy: a}]', ['has no key `polcy`', 'needs `policy`']],
  [
    `entries: [{policy: a, resource: b, owner: "", reason: c, expires: 2027-02-29}]`,
    ['is empty', '`2027-02-29` is not a date'],
  ],
  ['entries: {}', ['must be a list']],
  ['findings: []', ['the baseline has no key `findings`']],
  ['a: [', ['1:']],
])('%s is rejected', (text, words) => {
  const { baseline, diagnostics } = load(text);
  expect(baseline).toBeUndefined();
  for (const word of words) expect(told({ diagnostics }).join('\n')).toContain(word);
});

it('a written baseline is valid and reads back equally', () => {
  const validate = new Ajv({ strict: true }).compile(baselineSchema());
  const word = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.trim() !== '' && !/\p{Surrogate}/u.test(text)),
    fc.constantFrom(
      'true',
      'No',
      'a: b',
      'a #b',
      '- x',
      '1e3',
      'validations[0]',
      'x ',
      "it's",
      '{}',
      '~',
      'a\nb',
      '---',
    ),
  );
  const entry = fc.record(
    {
      policy: word,
      rule: word,
      binding: word,
      param: word,
      resource: word,
      field: word,
      target: word,
      owner: word,
      reason: word,
      expires: fc.constantFrom('2027-03-31', '2024-02-29'),
    },
    { requiredKeys: ['policy', 'resource', 'owner', 'reason', 'expires'] },
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
      const { baseline, diagnostics } = load(baselineText(entries));
      expect(diagnostics).toEqual([]);
      const read = (baseline ?? []).map(({ location: _location, expiresLocation: _expires, ...rest }) => rest);
      const sorted = (list: readonly object[]) =>
        list.map((item) => JSON.stringify(Object.entries(item).sort())).sort();
      expect(sorted(read)).toEqual(sorted(entries));
      expect(validate({ version: 1, entries })).toBe(true);
    }),
    tries(300, 20261121),
  );
});

it('an entry for a finding accepts only that finding', () => {
  const terms = { owner: 'a', reason: 'b', expires: '2027-03-31' };
  for (const finding of findings) {
    const { baseline = [] } = load(baselineText([{ ...baselineKey(finding, true), ...terms }]));
    const { findings: result } = applyBaseline(findings, baseline, '2026-11-21');
    expect(result.filter(({ excuse }) => excuse !== undefined).map(({ fingerprint }) => fingerprint)).toEqual([
      finding.fingerprint,
    ]);
  }
});

it('docs/schema/baseline.schema.json is up to date (scripts/configuration-schema.ts)', () => {
  const published = JSON.parse(readFileSync(join(ROOT, 'docs/schema/baseline.schema.json'), 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(baselineSchema())));
});

it('the example in docs/exceptions.md loads', () => {
  const page = readFileSync(join(ROOT, 'docs/exceptions.md'), 'utf8');
  const example = /^```yaml\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
  expect(load(example)).toMatchObject({ baseline: [{ policy: 'replica-limit' }], diagnostics: [] });
});
