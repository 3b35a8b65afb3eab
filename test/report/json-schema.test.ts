// docs/schema/report.schema.json describes the json format completely: no missing and no unknown fields.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { json } from '../../src/report/format/document/json.ts';
import type { Finding, Place, ReportedDiagnostic, SkippedEntry } from '../../src/report/report.ts';
import { auditOf } from '../support/audit-days.ts';
import { cleanReport, emptyReport, hostileReport, richReport } from './rich-report.ts';

const SCHEMA = join(import.meta.dirname, '../../docs/schema/report.schema.json');
const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as object;
const validate = new Ajv({ allErrors: true }).compile(schema);
const validateStrictly = new Ajv({ allErrors: true }).compile(closed(schema) as object);
/** Report of a shard. */
const shardReport: typeof richReport = {
  ...richReport,
  shard: {
    index: 2,
    count: 3,
    contents: '9f86d081884c7d659a2feaa0c55ad015',
    unknowns: [
      [{ before: '', count: 2, after: ' namespaced resources name no namespace' }],
      [{ before: 'x', after: '' }],
    ],
  },
};
/** Report of a change. */
const comparedReport: typeof richReport = {
  ...richReport,
  verdict: { ...richReport.verdict, only: 'new' },
  findings: richReport.findings.map((finding) => ({ ...finding, status: 'new' })),
  diagnostics: richReport.diagnostics.map((diagnostic) => ({ ...diagnostic, status: 'existing' })),
  comparison: {
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    policiesFrom: 'base',
    scope: 'repository',
    changedFiles: ['clusters/prod/web.yaml'],
    objects: { created: 1, updated: 2, deleted: 3, unchanged: 4 },
    fixed: richReport.findings.slice(0, 1).map((finding) => ({ ...finding, status: 'fixed' })),
    notices: ['.preadmit.yaml is changed too'],
  },
  blastRadius: {
    causes: [
      {
        resource: { apiVersion: 'v1', kind: 'Namespace', name: 'shop' },
        change: 'updated',
        path: 'clusters/prod/namespaces.yaml',
      },
    ],
    denied: 1,
    allowed: 0,
    warned: 0,
    stricter: 0,
    worse: 1,
    entries: richReport.findings.slice(0, 1).map(({ target, resource, message, primary }) => ({
      target,
      resource,
      before: 'allowed',
      after: 'denied',
      added: 1,
      removed: 0,
      policies: ['replica-limit'],
      message,
      primary,
    })),
  },
};
const render = (report: typeof richReport): unknown =>
  JSON.parse(json.render(report, { color: false, width: 80, showSkipped: false, quiet: false }));

test.each([
  ['rich', richReport],
  ['clean', cleanReport],
  ['empty', emptyReport],
  ['hostile', hostileReport],
  ['shard', shardReport],
  ['compared', comparedReport],
  ['audit with a history', auditOf(60)],
  ['unusable', { ...emptyReport, unusable: '.preadmit.yaml' }],
  ['cut', { ...richReport, unlisted: { error: 2, warning: 1, notice: 0 } }],
  ['not compared', { ...richReport, notCompared: 'the checkout has no commit' }],
  ['with external policies', { ...richReport, policySources: [{ name: 'platform', version: 'v1.4.0, commit 0123' }] }],
])('the %s report is valid', (_name, report) => {
  const document = render(report);
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  expect(validateStrictly(document) ? [] : validateStrictly.errors).toEqual([]);
});

test('a report with a missing field is invalid', () => {
  const { verdict: _verdict, ...rest } = richReport;
  expect(validate(rest)).toBe(false);
});

// The types below make this file fail to compile for a new optional field of Report until the rich report has it.
test('the rich report has every optional field', () => {
  const finding: Required<Finding> | undefined = richReport.findings
    .map((each) => ({ defaulted: true, ...each }))
    .find(hasAll<Finding>(['binding', 'param', 'httpStatus']));
  const place: Required<Place> | undefined = richReport.findings
    .map(({ primary }) => primary)
    .find(hasAll<Place>(['excerpt', 'lineHash']));
  const diagnostic: Required<ReportedDiagnostic> | undefined = richReport.diagnostics.find(
    hasAll<ReportedDiagnostic>(['primary', 'help']),
  );
  const skipped: Required<SkippedEntry> | undefined = richReport.coverage.skipped.find(
    hasAll<SkippedEntry>(['line', 'detail']),
  );
  expect([finding, place, diagnostic, skipped]).not.toContain(undefined);
});

function hasAll<Type extends object>(keys: readonly (keyof Type)[]) {
  return (value: Type): value is Required<Type> => keys.every((key) => value[key] !== undefined);
}

/** The schema without unknown fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  if ('$id' in entries) entries['$id'] = `${entries['$id']}#closed`.replace('#', '-');
  return 'properties' in entries ? { ...entries, additionalProperties: false } : entries;
}
