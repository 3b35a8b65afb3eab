// Findings as annotations of a check-run: locations, order, limits.
import { expect, test } from 'vitest';
import { annotatable, annotationsOf, type ShownPlaces } from '../../../src/github/annotation.ts';
import { hostileReport, richReport } from '../../report/rich-report.ts';
import { checkRunProblems } from '../../support/check-run-rules.ts';

const ALL = 500;

test('one line with columns, including the last one', () => {
  const annotation = annotationsOf(richReport, ALL).find(({ path }) => path === 'clusters/prod/web.yaml');
  expect(annotation).toEqual({
    path: 'clusters/prod/web.yaml',
    start_line: 12,
    end_line: 12,
    start_column: 13,
    end_column: 14,
    annotation_level: 'failure',
    title: 'Deployment shop/web: replica-limit',
    message:
      'at most 5 replicas are allowed, 12 asked for\n\nDeny and Audit by ValidatingAdmissionPolicy replica-limit with binding replica-limit-prod',
    raw_details: [
      "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'replica-limit' with binding 'replica-limit-prod' denied request: at most 5 replicas are allowed, 12 asked for",
      'spec.validations[0].expression: object.spec.replicas <= int(params.data.maxReplicas)',
      'field: spec.replicas',
      'target: prod',
    ].join('\n'),
  });
});

test('several lines become an annotation on the first, without columns', () => {
  const annotation = annotationsOf(richReport, ALL).find(({ path }) => path === 'clusters/prod/größe.yaml');
  expect(annotation).toMatchObject({ start_line: 9, end_line: 9, annotation_level: 'warning' });
  expect(annotation).not.toHaveProperty('start_column');
  expect(annotation).not.toHaveProperty('end_column');
});

test('the most severe come first, and findings without a location are omitted', () => {
  expect(annotationsOf(richReport, ALL).map(({ annotation_level, title }) => `${annotation_level} ${title}`)).toEqual([
    'failure cel-compile-error',
    'failure Deployment shop/web: replica-limit',
    'failure Deployment worker: image-registry',
    'warning binding-without-policy',
    'warning mutation-drift',
    'warning Pod shop/größe-计算: resource-limits',
    'notice ServiceAccount shop/web: no-default-token',
  ]);
  expect(annotationsOf(richReport, 2)).toHaveLength(2);
  expect(annotationsOf(richReport, 0)).toEqual([]);
});

test('only in files and on lines that the reader sees', () => {
  const changedPaths = new Set(['clusters/prod/web.yaml']);
  const linesOf = (shown: ShownPlaces): number[] =>
    annotationsOf(annotatable(richReport, shown), ALL).map(({ start_line }) => start_line);
  expect(linesOf({ changedPaths })).toEqual([12, 12, 40]);
  const lost = new Set(richReport.findings.map(({ primary }) => primary).filter(({ startLine }) => startLine === 12));
  expect(linesOf({ changedPaths, lost })).toEqual([40]);
});

test("hostile and huge texts stay within GitHub's limits", () => {
  const huge = 'ß'.repeat(1_000_000);
  const findings = hostileReport.findings.map((finding) => ({ ...finding, message: huge, serverMessage: huge }));
  const resources = findings.map((finding) => ({ ...finding, resource: { ...finding.resource, name: huge } }));
  const annotations = annotationsOf({ ...hostileReport, findings: [...findings, ...resources] }, ALL);
  const body = { name: 'x', head_sha: 'a'.repeat(40), output: { title: 't', summary: 's', annotations } };
  expect(checkRunProblems(body, undefined)).toEqual([]);
});
