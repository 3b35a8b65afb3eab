// OpenReports (`openreports.io/v1alpha1`) and its predecessor PolicyReport (`wgpolicyk8s.io/v1alpha2`) as YAML documents.
import { trimRight } from '../../../go/strings/trim.ts';
import { separated } from '../../builder/join-roots.ts';
import { failsUndecided, isUndecided, openPolicies } from '../../gate/undecided.ts';
import { jsonString } from '../../json/json-text.ts';
import type { Finding, Report, ReportedDiagnostic } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';
import { ruleName } from '../../wording/wording.ts';

interface ReportKinds {
  readonly apiVersion: string;
  readonly namespaced: string;
  readonly cluster: string;
  /** Where the `source` field is: in the report or in each result. */
  readonly sourceIn: 'report' | 'results';
}

export const openreports: Reporter = reporterOf({
  name: 'openreports',
  extension: 'openreports.yaml',
  pieces: (report) => [
    documents(report, {
      apiVersion: 'openreports.io/v1alpha1',
      namespaced: 'Report',
      cluster: 'ClusterReport',
      sourceIn: 'report',
    }),
  ],
});

export const policyreport: Reporter = reporterOf({
  name: 'policyreport',
  extension: 'policyreport.yaml',
  pieces: (report) => [
    documents(report, {
      apiVersion: 'wgpolicyk8s.io/v1alpha2',
      namespaced: 'PolicyReport',
      cluster: 'ClusterPolicyReport',
      sourceIn: 'results',
    }),
  ],
});

const SOURCE = { source: 'preadmit' };

type Result = 'pass' | 'fail' | 'warn' | 'error' | 'skip';

interface Group {
  readonly target: string;
  /** Undefined for cluster-scoped resources and passed results. */
  readonly namespace: string | undefined;
  readonly results: ReportResult[];
}

interface ReportResult {
  readonly result: Result;
  readonly [field: string]: unknown;
}

/** Per target, one document for cluster-scoped objects and one per namespace, each only if it has results. */
function documents(report: Report, kinds: ReportKinds): string {
  const groups = new Map<string, Group>();
  const group = (target: string, namespace: string | undefined): Group => {
    const key = JSON.stringify([target, namespace]);
    const existing = groups.get(key) ?? { target, namespace, results: [] };
    groups.set(key, existing);
    return existing;
  };
  const open = openPolicies(report);
  for (const target of report.targets) {
    const { results } = group(target.name, undefined);
    for (const policy of target.policies) {
      if (policy.denied + policy.warned + policy.audited > 0) continue;
      const result = policy.matched === 0 || open.has(policy.name) ? 'skip' : 'pass';
      results.push({ policy: policy.name, result, scored: true, properties: { matched: String(policy.matched) } });
    }
  }
  for (const finding of report.findings) {
    if (finding.excuse !== undefined && !isUndecided(finding)) continue;
    for (const each of separated(finding)) {
      group(each.target, each.resource.namespace).results.push(findingResult(each, report));
    }
  }
  const [first] = report.targets;
  for (const diagnostic of report.diagnostics) {
    if (isUndecided(diagnostic) && first !== undefined) {
      group(first.name, diagnostic.resource?.namespace).results.push(undecidedResult(diagnostic, report));
    }
  }
  const told = Array.from(groups.values()).filter(({ results }) => results.length > 0);
  if (told.length === 0) return '# no policy was evaluated\n';
  return told.map((each) => `---\n${block(document(each, kinds), '')}`).join('');
}

function document({ target, namespace, results }: Group, kinds: ReportKinds): unknown {
  const summary: Record<Result, number> = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
  for (const { result } of results) summary[result] += 1;
  return {
    apiVersion: kinds.apiVersion,
    kind: namespace === undefined ? kinds.cluster : kinds.namespaced,
    metadata: {
      name: objectName(target),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { 'app.kubernetes.io/managed-by': 'preadmit' },
      annotations: { 'preadmit/target': target },
    },
    ...(kinds.sourceIn === 'report' ? SOURCE : {}),
    summary,
    results: kinds.sourceIn === 'report' ? results : results.map((result) => ({ ...SOURCE, ...result })),
  };
}

/** Something that was not judged is never a pass: an error where it fails the run, else skipped. */
function undecidedResult(diagnostic: ReportedDiagnostic, { verdict }: Report): ReportResult {
  const { code, policy, message, resource, subject, part, primary } = diagnostic;
  return {
    policy: policy ?? 'preadmit',
    rule: code,
    result: failsUndecided(diagnostic, verdict) ? 'error' : 'skip',
    scored: false,
    message,
    ...(resource && { resources: [{ ...resource }] }),
    properties: {
      ...(subject !== undefined && { subject }),
      ...(part !== undefined && { part }),
      ...(primary && { file: primary.path, line: String(primary.startLine) }),
    },
  };
}

function findingResult(finding: Finding, { verdict }: Report): ReportResult {
  const { resource, primary } = finding;
  return {
    policy: finding.policy.name,
    rule: ruleName(finding),
    result: resultOf(finding, verdict),
    severity: finding.severity === 'error' ? 'high' : finding.severity === 'warning' ? 'medium' : 'low',
    scored: finding.severity === 'error',
    message: finding.message,
    resources: [
      {
        apiVersion: resource.apiVersion,
        kind: resource.kind,
        ...(resource.namespace === undefined ? {} : { namespace: resource.namespace }),
        name: resource.name,
        ...(finding.fieldPath === '' ? {} : { fieldPath: finding.fieldPath }),
      },
    ],
    properties: {
      actions: finding.actions.join(','),
      ...(finding.binding === undefined ? {} : { binding: finding.binding }),
      operation: finding.operation,
      file: primary.path,
      line: String(primary.startLine),
      column: String(primary.startColumn),
    },
  };
}

function resultOf(finding: Finding, verdict: Report['verdict']): Result {
  if (isUndecided(finding)) return failsUndecided(finding, verdict) ? 'error' : 'skip';
  if (finding.result === 'error') return 'error';
  return finding.severity === 'error' ? 'fail' : 'warn';
}

/** Object names are DNS subdomains; the target's true name is in the annotation. */
function objectName(target: string): string {
  const name = target
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 200);
  return trimRight(`preadmit-${name}`, '-');
}

/** Block style with every string double-quoted, so that no string is parsed as another type. */
function block(value: unknown, indent: string): string {
  let text = '';
  for (const [key, item] of Object.entries(value as Record<string, unknown>)) {
    text += `${indent}${quoted(key)}:${nested(item, indent)}`;
  }
  return text;
}

function nested(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []\n';
    const inner = `${indent}  `;
    return `\n${value.map((item) => `${inner}- ${block(item, `${inner}  `).trimStart()}`).join('')}`;
  }
  if (typeof value === 'object' && value !== null) return `\n${block(value, `${indent}  `)}`;
  return ` ${typeof value === 'string' ? quoted(value) : String(value)}\n`;
}

function quoted(text: string): string {
  const plain = /^[A-Za-z]+$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return plain ? text : jsonString(text);
}
