// Prometheus metrics of a report, for a textfile collector or a push gateway.
import { acceptedItems, openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import type { Finding, Report, ReportedDiagnostic, Verdict } from '../../report.ts';
import { type Reporter, type ReporterOptions, reporterOf } from '../../reporter.ts';
import { exposition, type Gauge, type Sample } from './exposition.ts';

export const prometheus: Reporter = reporterOf({
  name: 'prometheus',
  extension: 'prom',
  pieces: (report, options) => [exposition(gaugesOf(report, options))],
});

const CONCLUSIONS: readonly Verdict['conclusion'][] = ['allowed', 'denied', 'undecided', 'nothing-checked'];

/** Value of the label `owner` without an owner: Prometheus treats an empty label as a missing one. */
const NO_OWNER = '(none)';

function gaugesOf(report: Report, { seconds }: ReporterOptions): readonly Gauge[] {
  const { verdict, coverage, targets, unlisted } = report;
  const findings = openFindings(report.findings);
  const problems = openDiagnostics(report.diagnostics);
  return [
    {
      name: 'preadmit_info',
      help: 'Version and settings of the run, always 1.',
      samples: one({ version: report.preadmit, fail_on: verdict.failOn, on_undecided: verdict.onUndecided }, 1),
    },
    {
      name: 'preadmit_verdict',
      help: 'Conclusion of the run: 1 for the one that applies, 0 for the others.',
      samples: CONCLUSIONS.map((conclusion) => ({
        labels: { conclusion },
        value: Number(verdict.conclusion === conclusion),
      })),
    },
    {
      name: 'preadmit_repository_verdict',
      help: 'Conclusion for each repository of a joined report, always 1.',
      samples: (report.repositories ?? []).map(({ name, conclusion }) => ({
        labels: { repository: name, conclusion },
        value: 1,
      })),
    },
    {
      name: 'preadmit_objects',
      help: 'Evaluated objects by cluster.',
      samples: targets.map(({ name, evaluated }) => ({ labels: { cluster: name }, value: evaluated })),
    },
    { name: 'preadmit_denied_objects', help: 'Objects that would be denied.', samples: one({}, verdict.denied) },
    { name: 'preadmit_warned_objects', help: 'Objects that would be warned about.', samples: one({}, verdict.warned) },
    { name: 'preadmit_audited_objects', help: 'Objects that would be audited.', samples: one({}, verdict.audited) },
    {
      name: 'preadmit_errors',
      help: 'Errors of policies, configuration and manifests.',
      samples: one({}, verdict.errors),
    },
    {
      name: 'preadmit_unjudged',
      help: 'What could not be judged. Above 0, a run without findings is not clean.',
      samples: Object.entries({
        undecided_objects: verdict.undecided,
        open_objects: verdict.open,
        render_targets: verdict.notRendered,
        incomplete_render_targets: verdict.incomplete,
        documents: verdict.unread,
      }).map(([what, value]) => ({ labels: { what }, value })),
    },
    {
      name: 'preadmit_findings',
      help: 'Findings that are not accepted, by cluster and object. The result unknown is undecided.',
      samples: findings.flatMap(byCluster),
    },
    {
      name: 'preadmit_owner_findings',
      help: 'Findings that are not accepted, by owner. A finding of several owners counts for each.',
      samples: report.ownership === undefined ? [] : findings.flatMap(byOwner),
    },
    {
      name: 'preadmit_problems',
      help: 'Problems of policies, configuration, manifests and objects that are not accepted.',
      samples: problems.map((problem) => ({
        labels: { code: problem.code, severity: problem.severity },
        value: problem.count ?? 1,
      })),
    },
    {
      name: 'preadmit_owner_problems',
      help: 'Problems that are not accepted, by owner. A problem of several owners counts for each.',
      samples: report.ownership === undefined ? [] : problems.flatMap(byOwner),
    },
    {
      name: 'preadmit_unlisted_findings',
      help: 'Findings beyond the limit of a report, which no other metric counts.',
      samples: Object.entries(unlisted ?? {}).map(([severity, value]) => ({ labels: { severity }, value })),
    },
    {
      name: 'preadmit_accepted_findings',
      help: 'Accepted findings and problems, by the kind of acceptance.',
      samples: acceptedItems(report).map(({ excuse }) => ({ labels: { by: excuse.by }, value: 1 })),
    },
    {
      name: 'preadmit_documents_not_evaluated',
      help: 'Documents that were not evaluated, by reason.',
      samples: coverage.notEvaluated.map(({ reason, count }) => ({ labels: { reason }, value: count })),
    },
    ...(seconds === undefined
      ? []
      : [{ name: 'preadmit_run_duration_seconds', help: 'Duration of the run.', samples: one({}, seconds) }]),
  ];
}

function one(labels: Sample['labels'], value: number): readonly Sample[] {
  return [{ labels, value }];
}

function byCluster({ policy, severity, result, target, objects }: Finding): readonly Sample[] {
  return (objects ?? [{ target }]).map((object) => ({
    labels: { cluster: object.target, policy_kind: policy.kind, policy: policy.name, severity, result },
    value: 1,
  }));
}

function byOwner(entry: Finding | ReportedDiagnostic): readonly Sample[] {
  const isFinding = 'result' in entry;
  const value = isFinding ? (entry.objects?.length ?? 1) : (entry.count ?? 1);
  const more = isFinding ? { result: entry.result } : {};
  return (entry.owners ?? [NO_OWNER]).map((owner) => ({ labels: { owner, severity: entry.severity, ...more }, value }));
}
