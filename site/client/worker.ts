// Judges requests off the page's thread, so that typing never waits and an expression that takes for ever can be stopped.
import {
  type EvaluateResult,
  evaluate,
  type Finding,
  InputError,
  type ReportedDiagnostic,
  SourceFile,
} from '../../src/browser.ts';
import { type Answer, type Reply, TEXT_NAMES, type TextName, type Told } from './answer.ts';
import { labelsOf, listed, type RequestState } from './request-state.ts';

const MAX_TOLD = 200;
const MAX_OBJECTS = 20;

addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly state: RequestState }>) => {
  postMessage(replyTo(data.id, data.state));
});

function replyTo(id: number, state: RequestState): Reply {
  try {
    return { id, answer: answerOf(evaluate(inputOf(state)), state) };
  } catch (reason) {
    if (reason instanceof InputError) return { id, mistake: reason.message };
    return { id, mistake: `internal error, please report it: ${String(reason)}` };
  }
}

function inputOf(state: RequestState): Parameters<typeof evaluate>[0] {
  const { operation, username, groups, kubernetesVersion } = state;
  const file = (name: TextName): SourceFile => new SourceFile(`${name}.yaml`, state[name]);
  return {
    policies: file('policies'),
    object: file('object'),
    ...(operation === 'UPDATE' && { oldObject: file('oldObject') }),
    resources: file('resources'),
    operation,
    namespaceLabels: labelsOf(state.namespaceLabels),
    ...(username !== '' && { user: { username, ...(groups !== '' && { groups: listed(groups) }) } }),
    kubernetesVersion,
    explain: true,
  };
}

function answerOf({ verdict, findings, problems, objects, report }: EvaluateResult, state: RequestState): Answer {
  const skipped = report.coverage.skipped.filter(({ reason }) => reason !== 'empty-document');
  const told = [
    ...problems.map(ofProblem),
    ...findings.map(ofFinding),
    ...skipped.map(
      ({ path, line = 1, reason, detail }): Told => ({
        severity: 'error',
        effect: 'not read',
        message: detail ?? reason,
        detail: reason,
        text: textOf(path),
        place: { startLine: line, startColumn: 1, endLine: line, endColumn: 1 },
      }),
    ),
  ];
  return {
    verdict,
    heading: headingOf(verdict, objects, state),
    told: told.slice(0, MAX_TOLD),
    untold: Math.max(0, told.length - MAX_TOLD),
    objects: objects.slice(0, MAX_OBJECTS),
    unknowns: report.targets.flatMap(({ unknowns }) => unknowns),
  };
}

function headingOf(
  verdict: EvaluateResult['verdict'],
  objects: EvaluateResult['objects'],
  { operation, policies }: RequestState,
): string {
  if (objects.length === 0) return 'Nothing to judge yet: write an object';
  if (policies.trim() === '') return 'Nothing to judge by yet: write a policy and its binding';
  const [first] = objects;
  const denied = objects.filter((each) => each.verdict === 'denied').length;
  const what =
    objects.length === 1 && first !== undefined
      ? `${operation} of ${first.resource.kind} ${first.resource.name}`
      : `${denied > 0 ? `${denied} of ` : ''}${objects.length} requests`;
  return { denied: `Denied: ${what}`, allowed: `Allowed: ${what}`, undecided: `Undecided: ${what}` }[verdict];
}

const EFFECTS = { error: 'denied', warning: 'warned about', notice: 'audited' } as const;

function ofFinding({ severity, result, message, policy, rule, primary }: Finding): Told {
  return {
    severity,
    effect: result === 'unknown' ? 'undecided' : EFFECTS[severity],
    message,
    detail: `${policy.name}${rule.expression === undefined ? '' : `: ${rule.expression}`}`,
    text: textOf(primary.path),
    place: primary,
  };
}

function ofProblem({ severity, message, help, primary, code }: ReportedDiagnostic): Told {
  return {
    severity,
    effect: severity === 'notice' ? 'note' : severity,
    message,
    detail: help ?? code,
    text: primary && textOf(primary.path),
    place: primary,
  };
}

function textOf(path: string): TextName | undefined {
  return TEXT_NAMES.find((name) => path === `${name}.yaml`);
}
