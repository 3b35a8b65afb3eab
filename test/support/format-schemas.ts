// URLs of published schemas of report formats, and their local files after `npx tsx scripts/format-schemas.ts`.
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SCHEMA_FOLDER = process.env['PREADMIT_FORMAT_SCHEMAS'] ?? join(tmpdir(), 'preadmit-format-schemas');

const GITHUB = 'https://raw.githubusercontent.com';
const POLICY_REPORT = `${GITHUB}/kubernetes-sigs/wg-policy-prototypes/25056e1f3eb5cab1e693b8c880eb693a84e099af/policy-report/crd/v1alpha2`;
const OPEN_REPORT = `${GITHUB}/openreports/reports-api/769d97879794167439427e472eeaa4b936d628e2/config/crd`;

/** By file name, at fixed commits, so that tests fail only for own changes. */
export const PUBLISHED_SCHEMAS = {
  'sarif.json': `${GITHUB}/oasis-tcs/sarif-spec/e0583813964ec43cea53b6b531b402866095ed1f/sarif-2.1/schema/sarif-schema-2.1.0.json`,
  'rdjson.json': `${GITHUB}/reviewdog/reviewdog/6c307503194f0f32bf1956c7fcd2877636338db6/proto/rdf/jsonschema/DiagnosticResult.json`,
  'codeclimate.json': `${GITHUB}/gitlabhq/gitlabhq/33827e3a534757eead42e6c17460564c49ff1c3a/app/validators/json_schemas/codeclimate.json`,
  'Report.yaml': `${OPEN_REPORT}/openreports.io_reports.yaml`,
  'ClusterReport.yaml': `${OPEN_REPORT}/openreports.io_clusterreports.yaml`,
  'PolicyReport.yaml': `${POLICY_REPORT}/wgpolicyk8s.io_policyreports.yaml`,
  'ClusterPolicyReport.yaml': `${POLICY_REPORT}/wgpolicyk8s.io_clusterpolicyreports.yaml`,
} as const;

export type SchemaFile = keyof typeof PUBLISHED_SCHEMAS;

export function hasSchemas(): boolean {
  return Object.keys(PUBLISHED_SCHEMAS).every((file) => existsSync(join(SCHEMA_FOLDER, file)));
}

export function readSchema(file: SchemaFile): string {
  return readFileSync(join(SCHEMA_FOLDER, file), 'utf8');
}
