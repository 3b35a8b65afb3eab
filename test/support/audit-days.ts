// A repository that is audited for 60 days: findings come and go, files move, owners change, and some audits cannot judge everything.
import { findingIdentity } from '../../src/report/finding/fingerprint.ts';
import { foldHistory } from '../../src/report/history/fold-history.ts';
import { nextHistory } from '../../src/report/history/next-history.ts';
import { readHistory } from '../../src/report/history/read-history.ts';
import { withHistory } from '../../src/report/history/with-history.ts';
import { listedFor } from '../../src/report/owner/owner-part.ts';
import type { Excuse, Finding, Report, ReportedDiagnostic } from '../../src/report/report.ts';

export interface Given {
  readonly object: string;
  readonly policy?: string;
  readonly path?: string;
  readonly owner?: string;
  readonly cluster?: string;
  readonly root?: string;
  readonly warns?: boolean;
  readonly accepted?: string;
  readonly unknown?: boolean;
}

export function finding(given: Given): Finding {
  const { object, policy = 'replica-limit', owner, cluster = 'production', root, warns = false, accepted } = given;
  const path = given.path ?? `apps/${object}.yaml`;
  const place = { path, startLine: 7, startColumn: 3, endLine: 7, endColumn: 14 };
  const named = {
    target: cluster,
    policy: { kind: 'ValidatingAdmissionPolicy', name: policy },
    binding: policy,
    rule: { field: 'spec.validations[0].expression', expression: 'object.spec.replicas <= 5' },
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: object },
    fieldPath: 'spec.replicas',
  };
  const excuse: Excuse | undefined =
    accepted === undefined
      ? undefined
      : { by: 'baseline', reason: 'before the policy', owner: 'team-shop', expires: accepted, place };
  return {
    ...named,
    code: 'failed-validation',
    fingerprint: findingIdentity(named),
    severity: warns ? 'warning' : 'error',
    result: given.unknown === true ? 'unknown' : 'fail',
    actions: warns ? ['Warn'] : ['Deny'],
    message: 'at most 5 replicas are allowed',
    serverMessage: '',
    reason: 'Invalid',
    operation: 'CREATE',
    primary: place,
    related: [],
    ...(owner !== undefined && { owners: [owner] }),
    ...(root !== undefined && { roots: [root] }),
    ...(excuse && { excuse }),
  };
}

export function notRendered(root: string): ReportedDiagnostic {
  return {
    code: 'not-rendered',
    severity: 'warning',
    subject: root,
    message: `${root} cannot be rendered, so its objects are unknown: the chart is not in this repository`,
    related: [],
  };
}

const POLICIES = ['replica-limit', 'image-registry', 'team-label'];
/** Their bindings do not deny. */
const WARNING = ['image-registry', 'team-label'];

/** A report of the whole repository. */
export function auditReport(findings: readonly Finding[], diagnostics: readonly ReportedDiagnostic[] = []): Report {
  const open = findings.filter(({ excuse }) => excuse === undefined);
  const by = (name: string): readonly Finding[] => open.filter(({ policy }) => policy.name === name);
  const with_ = (action: 'Deny' | 'Warn'): number =>
    open.filter(({ actions, result }) => result !== 'unknown' && actions.includes(action)).length;
  const unknown = open.filter(({ result }) => result === 'unknown').length;
  const gaps = diagnostics.filter(({ code }) => code === 'not-rendered').length;
  const denied = with_('Deny');
  return {
    schemaVersion: 1,
    preadmit: '0.1.0',
    verdict: {
      conclusion: denied > 0 ? 'denied' : unknown + gaps > 0 ? 'undecided' : 'allowed',
      failOn: 'deny',
      onUndecided: 'fail',
      denied,
      warned: with_('Warn'),
      audited: 0,
      errors: 0,
      undecided: unknown,
      open: 0,
      notRendered: gaps,
      incomplete: 0,
      unread: 0,
    },
    coverage: { files: 40, found: 40, evaluated: 40, notEvaluated: [], skipped: [] },
    targets: ['production', 'staging'].map((name) => ({
      name,
      kubernetesVersion: '1.36',
      user: 'kubernetes-admin',
      evaluated: 20,
      policies: POLICIES.map((policy) => ({
        kind: 'ValidatingAdmissionPolicy',
        name: policy,
        path: `policies/${policy}.yaml`,
        bindings: 1,
        matched: 20,
        denied: by(policy).length,
        warned: 0,
        audited: 0,
        ...(WARNING.includes(policy) && { neverDenies: true as const }),
      })),
      unknowns: [],
      unknownKinds: [],
    })),
    findings,
    diagnostics,
  };
}

export const FIRST_DAY = '2026-09-26';

export function dayAt(index: number): string {
  return new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10);
}

/** What the audit of a day finds; `index` from 0 to 59. */
export function reportOfDay(index: number): Report {
  const findings = [
    // From the first day on; its file moves on day 30 and its owner changes on day 40.
    finding({
      object: 'checkout',
      path: index < 30 ? 'apps/checkout.yaml' : 'teams/payments/checkout.yaml',
      owner: index < 40 ? '@shop/web' : '@shop/payments',
    }),
    // In both clusters from day 18 on, in one from day 55 on.
    ...(index >= 18 ? [finding({ object: 'search', owner: '@shop/web' })] : []),
    ...(index >= 18 && index < 55 ? [finding({ object: 'search', owner: '@shop/web', cluster: 'staging' })] : []),
    // Ten findings of a policy that burns down, one every four days.
    ...Array.from({ length: Math.max(0, 10 - Math.floor(index / 4)) }, (_, number) =>
      finding({ object: `worker-${number}`, policy: 'image-registry', owner: '@shop/platform', warns: true }),
    ),
    // Comes, goes, and comes back.
    ...((index >= 10 && index < 20) || index >= 50 ? [finding({ object: 'cart' })] : []),
    // Rendered; its render target cannot be rendered on the days 25 to 27 and 59.
    ...(isBroken(index)
      ? []
      : [finding({ object: 'podinfo', root: 'HelmRelease apps/podinfo', owner: '@shop/platform' })]),
    // Accepted until soon after the last day.
    finding({ object: 'legacy', accepted: '2026-12-05', owner: '@shop/web' }),
    ...(index >= 57
      ? [finding({ object: 'gateway', policy: 'image-registry', unknown: true, owner: '@shop/platform' })]
      : []),
  ];
  return auditReport(findings, isBroken(index) ? [notRendered('HelmRelease apps/podinfo')] : []);
}

function isBroken(index: number): boolean {
  return (index >= 25 && index <= 27) || index === 59;
}

export function stampOf(index: number) {
  return { audit: `run-${index}`, at: `${dayAt(index)}T05:17:00Z`, commit: 'a'.repeat(40) };
}

/** The history after so many days; each audit is the next one of the days before it. */
export function historyOf(days: number): string {
  for (let index = lines.length; index < days; index++) lines.push(nextLine(lines.join(''), index, reportOfDay(index)));
  return lines.slice(0, days).join('');
}

const lines: string[] = [];

/** The history of these reports, one a day. */
export function historyOfReports(reports: readonly Report[]): string {
  return reports.reduce((text, report, index) => text + nextLine(text, index, report), '');
}

function nextLine(text: string, index: number, report: Report): string {
  return nextHistory(text, report, stampOf(index)).line ?? '';
}

/** The report of the last of so many days, with its history. */
export function auditOf(days: number, text = historyOf(days), owner?: string): Report {
  const today = dayAt(days - 1);
  const whole = reportOfDay(days - 1);
  const report = owner === undefined ? whole : listedFor(whole, owner);
  return withHistory(report, foldHistory(readHistory(text), today), { today });
}
